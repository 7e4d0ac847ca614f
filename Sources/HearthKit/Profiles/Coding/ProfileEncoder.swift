import LosslessJSON

/// Codes typed values as JSON: members in the order of the type, sets and dictionaries sorted, numbers exact.
///
/// Foundation's JSONEncoder keeps no order of members and writes the elements of a set in a new order each time. Hearth
/// would take that for a change of the save.
struct ProfileEncoder: Encoder {
    let path: FieldPath
    let scope: FieldScope
    let slot: CodingSlot
    let notes: EncodingNotes
    /// The container that was coded for this place at the last save.
    let former: CodedNode?

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        slot.beginObject()
        return KeyedEncodingContainer(KeyedWriter<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        slot.beginList()
        return ListWriter(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { SingleWriter(encoder: self) }
}

/// The inputs of one encoding, and its findings besides the JSON.
final class EncodingNotes {
    /// The places of choices that the player decided.
    var decided: [JSONPointer] = []
    let kinds: TypeKinds
    /// Whether to keep nodes for the next encoding (``CodedNode``).
    let remembers: Bool

    /// - Parameter fillsIn: Whether a nil member whose default is not nil is written as null. Otherwise the next
    ///   reading would take it for missing and give it the default. False only while the defaults themselves are being
    ///   found.
    init(fillsIn: Bool = true, remembers: Bool = false) {
        kinds = TypeKinds(asksSchemas: fillsIn)
        self.remembers = remembers
    }
}

/// Which wrappers have a meaning at the place that is being coded.
enum FieldScope {
    /// In a profile or a part: wrappers give rules.
    case fields
    /// Inside a value that is saved as one value, of this type or under this wrapper: a rule there would have no
    /// effect.
    case oneValue(Any.Type)
    /// Inside a ``Local`` field, which never leaves the device.
    case local
}

extension ProfileEncoder {
    /// Codes a profile, or one of its parts.
    ///
    /// - Throws: ``ProfileError`` with ``ProfileError/Code/value`` that names the field.
    static func profile(_ value: some ProfilePart, notes: EncodingNotes) throws -> CodedValue {
        let path = FieldPath(type(of: value))
        return try translating(path) { try coded(value, path, .fields, notes) }
    }

    /// Codes a profile and reuses the nodes of the last encoding, where there was one.
    static func remembered(
        _ value: some ProfilePart, after former: CodedNode?, notes: EncodingNotes
    ) throws -> CodedNode {
        let path = FieldPath(type(of: value))
        return try translating(path) {
            let known = try known(value, path, .fields, notes, former: former)
            return known.node ?? CodedNode(type(of: value), known.value, CodedNode.Inside())
        }
    }

    /// Codes one value outside of any profile.
    static func coded(alone value: some Encodable) throws -> CodedValue {
        let path = FieldPath(type(of: value))
        return try translating(path) { try coded(value, path, .local, EncodingNotes()) }
    }

    static func coded<Value: Encodable>(
        _ value: Value,
        _ path: FieldPath,
        _ scope: FieldScope,
        _ notes: EncodingNotes
    ) throws -> CodedValue {
        try known(value, path, scope, notes, former: nil).value
    }

    /// A coded value and, for a container, its node for the next encoding.
    struct Known {
        var value: CodedValue
        var node: CodedNode?
    }

    /// - Parameter former: The container that was coded for this place at the last save.
    static func known<Value: Encodable>(
        _ value: Value,
        _ path: FieldPath,
        _ scope: FieldScope,
        _ notes: EncodingNotes,
        former: CodedNode?
    ) throws -> Known {
        try path.checkDepth(.value)
        let kind = try notes.kinds.kind(Value.self)
        if case .plain = kind, let plain = value as? any PlainValue {
            do throws(PlainFault) {
                return Known(value: .plain(try plain.coded()))
            } catch {
                throw path.error(.value, error.message)
            }
        }
        let former = former.flatMap { $0.isOf(Value.self) ? $0 : nil }
        if let known = former as? CodedValueNode<Value>, known.holds(value) {
            return Known(value: known.coded, node: known)
        }
        let inside = try scope.entering(kind, Value.self, path)
        let encoder = ProfileEncoder(path: path, scope: inside, notes: notes, former: former)
        try value.encode(to: encoder)
        let coded: CodedValue =
            switch (encoder.slot.finished, kind) {
            case (.list(let elements), .set): .set(elements.sorted(by: CodedValue.precedes))
            case (.object(let members), .dictionary): .dictionary(members.sorted { $0.key < $1.key })
            case (.object(let members), .part(let schema?)):
                if case .fields = scope { .object(members + schema.missing(in: members)) } else { .object(members) }
            case (let coded, _): coded
            }
        guard notes.remembers, coded.isContainer else { return Known(value: coded) }
        let bits = try ValueBits.of(value) { try notes.kinds.kind($0) }
        return Known(value: coded, node: .of(value, bits, coded, encoder.slot.inside))
    }

    /// Turns Foundation's error into a ``ProfileError`` that names the field.
    private static func translating<Result>(_ path: FieldPath, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch EncodingError.invalidValue(_, let context) {
            let place = context.codingPath.reduce(path) { $0.appending($1) }
            throw place.error(.value, "cannot be saved: \(context.debugDescription)")
        }
    }
}

extension PartSchema {
    /// Null members for those that have a default and that the value did not write.
    fileprivate func missing(in members: [CodedMember]) -> [CodedMember] {
        guard case .object(let beginnings) = defaults else { return [] }
        // Fast path: members mostly come in the order of the defaults, and then none is missing.
        if members.count == beginnings.count, zip(members, beginnings).allSatisfy({ $0.key == $1.key }) { return [] }
        let keys = Set(members.map(\.key))
        return beginnings.filter { !keys.contains($0.key) }.map { CodedMember(key: $0.key, value: .null) }
    }
}

extension FieldScope {
    /// The scope for what is inside a value of this kind.
    ///
    /// - Throws: ``ProfileError`` for a rule in a place where it has no effect.
    func entering(_ kind: TypeKind, _ type: Any.Type, _ path: FieldPath) throws -> FieldScope {
        if case .wrapper(let wrapper) = kind { return try entering(wrapper: wrapper, path) }
        guard case .fields = self else { return self }
        switch kind {
        case .part, .optional, .dictionary, .list, .set: return .fields
        case .plain, .wrapper, .other: return .oneValue(type)
        }
    }

    private func entering(wrapper: any FieldWrapper.Type, _ path: FieldPath) throws -> FieldScope {
        switch self {
        case .local: return .local
        case .oneValue(let owner):
            guard wrapper.attribute == "@Latest" else {
                let name = (owner as? any FieldWrapper.Type)?.attribute ?? "\(owner)"
                throw path.error(
                    .declaration,
                    "\(wrapper.attribute) does nothing inside \(name), which is saved as one value; "
                        + "make that a ProfilePart with rules of its own, or drop \(wrapper.attribute)"
                )
            }
            return self
        case .fields:
            switch wrapper.contents {
            case .fields: return .fields
            case .oneValue: return .oneValue(wrapper)
            case .local: return .local
            }
        }
    }
}
