import LosslessJSON
import MergeCore
import Synchronization

/// What the fields of a ``ProfilePart`` are: their keys, rules and beginnings, learned from the type's `init()`.
struct PartSchema: Sendable {
    struct Field: Sendable {
        /// The member's key in the save.
        let key: JSONString
        /// As the source has it, such as `@Counter`; `nil` for a field without a wrapper.
        let attribute: String?
        /// The type of the value.
        let type: String
        let shape: FieldShape
    }

    let name: String
    /// In the order of the type.
    let fields: [Field]
    /// Every field at its beginning; nil ones are missing.
    let defaults: CodedValue

    func field(_ key: JSONString) -> Field? { fields.first { $0.key == key } }

    /// A value without the fields that are at their beginning, also in the parts that it always has.
    func withoutBeginnings(_ value: CodedValue) -> CodedValue {
        guard case .object(let members) = value else { return value }
        return .object(
            members.compactMap { member in
                guard let beginning = defaults[member.key] else { return member }
                if member.value == beginning { return nil }
                guard case .part(let schema)? = field(member.key)?.shape, beginning == schema.defaults else {
                    return member
                }
                return CodedMember(key: member.key, value: schema.withoutBeginnings(member.value))
            }
        )
    }

    private static let known = Mutex<[ObjectIdentifier: PartSchema]>([:])

    /// The schema of a type, which is worked out once. Throws ``ProfileError``.
    static func of(_ type: any ProfilePart.Type) throws -> PartSchema {
        try of(type, FieldPath(type), inside: [])
    }

    /// - Parameters:
    ///   - path: Where the type stands, for errors.
    ///   - outer: The types around it.
    static func of(
        _ type: any ProfilePart.Type,
        _ path: FieldPath,
        inside outer: [ObjectIdentifier]
    ) throws -> PartSchema {
        let id = ObjectIdentifier(type)
        if let schema = known.withLock({ $0[id] }) { return schema }
        guard !outer.contains(id) else {
            throw path.error(
                .declaration,
                "\(type) contains itself, so that its rules would have no end; hold the inner ones as one value, "
                    + "in a struct that is Codable and no ProfilePart"
            )
        }
        let schema = try SchemaBuilder(type, path, inside: outer + [id]).schema()
        known.withLock { $0[id] = schema }
        return schema
    }
}

/// How rules take a field apart.
indirect enum FieldShape: Sendable {
    /// One value under one rule, or, where that is local, anything.
    case value(MergeRule)
    /// A set under one rule.
    case elements(MergeRule)
    /// Fields with rules of their own.
    case part(PartSchema)
    /// Entries of one shape.
    case dictionary(FieldShape)
    /// Parts told apart by a member.
    case keyed(JSONString, PartSchema)
}
