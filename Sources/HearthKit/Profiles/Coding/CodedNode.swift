import LosslessJSON

/// A container of a profile as it was coded, so that what does not change is coded and read back once.
///
/// A profile is coded at every save, and mostly one leaf of it has changed. What is equal bit for bit to what was coded
/// last is taken from there, with everything inside of it: the values that are compared are kept, so no storage of
/// theirs can have been changed in place, or given to another value.
///
/// - Note: `@unchecked`, because a class that is not final cannot be checked. Both are immutable, and a
///   ``CodedValueNode`` only holds a value of a type that is one throughout (``ValueBits``): of numbers, texts and
///   collections of them, without a reference to anything that could change.
class CodedNode: @unchecked Sendable {
    /// What is inside of it.
    struct Inside {
        /// Containers among the members of an object.
        var members: [JSONString: CodedNode] = [:]
        /// Containers among the elements of a list, by their places.
        var elements: [Int: CodedNode] = [:]
        /// What a wrapper or an optional holds.
        var alone: CodedNode?
    }

    let coded: CodedValue
    /// The same, sharing what the nodes inside have.
    let json: JSONValue
    let inside: Inside
    private let type: ObjectIdentifier

    init(_ type: Any.Type, _ coded: CodedValue, _ inside: Inside) {
        (self.type, self.coded, self.inside) = (ObjectIdentifier(type), coded, inside)
        json =
            switch coded {
            case _ where inside.alone != nil: inside.alone!.json
            case .object(let members), .dictionary(let members):
                .object(
                    members.map { JSONMember(key: $0.key, value: inside.members[$0.key]?.json ?? $0.value.json) })
            case .list(let elements):
                .array(elements.enumerated().map { inside.elements[$0.offset]?.json ?? $0.element.json })
            case .set, .plain: coded.json
            }
    }

    func isOf(_ type: Any.Type) -> Bool { self.type == ObjectIdentifier(type) }

    /// One that remembers the value as well, where its type allows that.
    static func of<Value>(_ value: Value, _ bits: ValueBits?, _ coded: CodedValue, _ inside: Inside) -> CodedNode {
        bits.map { CodedValueNode(value, $0, coded, inside) } ?? CodedNode(Value.self, coded, inside)
    }
}

/// A container together with the value that it was coded from.
final class CodedValueNode<Value>: CodedNode, @unchecked Sendable {
    let value: Value
    private let bits: ValueBits

    init(_ value: Value, _ bits: ValueBits, _ coded: CodedValue, _ inside: Inside) {
        (self.value, self.bits) = (value, bits)
        super.init(Value.self, coded, inside)
    }

    /// Whether another value is the same, bit for bit; some equal ones are not.
    func holds(_ other: Value) -> Bool { bits.areEqual(value, other) }
}

/// One place as it was coded now, and before.
struct CodedChange {
    let now: CodedNode
    let before: CodedNode

    /// Whether it was taken from what was coded before.
    var isSame: Bool { now === before }

    func member(_ key: JSONString) -> CodedChange? { Self(now.inside.members[key], before.inside.members[key]) }
    func element(_ place: Int) -> CodedChange? { Self(now.inside.elements[place], before.inside.elements[place]) }
    var alone: CodedChange? { Self(now.inside.alone, before.inside.alone) }

    init(now: CodedNode, before: CodedNode) { (self.now, self.before) = (now, before) }

    private init?(_ now: CodedNode?, _ before: CodedNode?) {
        guard let now, let before else { return nil }
        (self.now, self.before) = (now, before)
    }
}
