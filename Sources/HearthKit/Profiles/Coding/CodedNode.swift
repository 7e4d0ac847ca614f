import LosslessJSON

/// A container of a profile (object, list, wrapper …) as it was coded at the last save. The next save reuses it if
/// nothing has changed.
///
/// A profile is coded at every save, and mostly one leaf has changed. A container that is equal bit for bit to the one
/// coded last is neither coded nor read back again, with everything inside it. The node keeps the compared value alive,
/// so its storage can neither change in place nor be reused for another value.
///
/// - Note: `@unchecked Sendable`, because the compiler cannot check a class that is not final. Both classes are
///   immutable. A ``CodedValueNode`` holds only values whose type has value semantics throughout (``ValueBits``):
///   numbers, texts and collections of them, without a reference to anything that can change.
class CodedNode: @unchecked Sendable {
    /// The child nodes of a container.
    struct Inside {
        /// Child containers of an object, by their keys.
        var members: [JSONString: CodedNode] = [:]
        /// Child containers of a list, by their index.
        var elements: [Int: CodedNode] = [:]
        /// The container that a wrapper or an optional holds.
        var alone: CodedNode?
    }

    let coded: CodedValue
    /// The container as JSON. It shares the JSON values of its child nodes.
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

    /// Makes a ``CodedValueNode``, which remembers the value, where the type allows a comparison by bits; otherwise a
    /// plain node.
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

    /// Compares bit for bit. Values that are equal by `==` may still differ here; they are then only coded once more.
    func holds(_ other: Value) -> Bool { bits.areEqual(value, other) }
}

/// One container of a profile: as it is coded now, and as it was at the save before.
struct CodedChange {
    let now: CodedNode
    let before: CodedNode

    /// Whether the container was reused, so nothing in it has changed.
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
