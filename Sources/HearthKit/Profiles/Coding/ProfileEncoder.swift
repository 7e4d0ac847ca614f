import LosslessJSON

/// Codes typed values as JSON in the order of their members, with sets and dictionaries sorted and numbers exact.
///
/// Foundation's encoder would do neither: it keeps no order of members, and writes a set in another order each time,
/// which to Hearth would be a change.
struct ProfileEncoder: Encoder {
    let path: FieldPath
    let scope: FieldScope
    let slot: CodingSlot
    let notes: EncodingNotes
    /// What stood here when it was coded last.
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

/// What an encoding finds out beside the JSON.
final class EncodingNotes {
    /// Choices that the player decided.
    var decided: [JSONPointer] = []
    let kinds: TypeKinds
    /// Whether what is coded will be coded again.
    let remembers: Bool

    /// - Parameter fillsIn: Whether members that a part begins with and a value lacks are written as null, so that nil
    ///   is not taken for a missing field. Not while the beginnings themselves are being worked out.
    init(fillsIn: Bool = true, remembers: Bool = false) {
        kinds = TypeKinds(asksSchemas: fillsIn)
        self.remembers = remembers
    }
}

/// Where a value is being coded, as far as rules are concerned.
enum FieldScope {
    /// Where parts and wrappers count.
    case fields
    /// Inside one value of this type, or under this wrapper.
    case oneValue(Any.Type)
    /// In what stays on the device.
    case local
}

extension ProfileEncoder {
    /// A profile, or one of its parts, as JSON. Throws ``ProfileError``.
    static func profile(_ value: some ProfilePart, notes: EncodingNotes) throws -> CodedValue {
        let path = FieldPath(type(of: value))
        return try translating(path) { try coded(value, path, .fields, notes) }
    }

    /// The same for one that may have been coded before; the node is there.
    static func remembered(
        _ value: some ProfilePart, after former: CodedNode?, notes: EncodingNotes
    ) throws -> CodedNode {
        let path = FieldPath(type(of: value))
        return try translating(path) {
            let known = try known(value, path, .fields, notes, former: former)
            return known.node ?? CodedNode(type(of: value), known.value, CodedNode.Inside())
        }
    }

    /// One value by itself.
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

    /// A value as JSON, and for a container what helps to code it again.
    struct Known {
        var value: CodedValue
        var node: CodedNode?
    }

    /// - Parameter former: What stood here when it was coded last.
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

    /// Foundation's errors as ours.
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
    /// Null for what the type begins with and a value lacks.
    fileprivate func missing(in members: [CodedMember]) -> [CodedMember] {
        guard case .object(let beginnings) = defaults else { return [] }
        // Members mostly come in one order: nothing is missing where all are there.
        if members.count == beginnings.count, zip(members, beginnings).allSatisfy({ $0.key == $1.key }) { return [] }
        let keys = Set(members.map(\.key))
        return beginnings.filter { !keys.contains($0.key) }.map { CodedMember(key: $0.key, value: .null) }
    }
}

extension FieldScope {
    /// The scope inside of a value.
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
