import LosslessJSON
import MergeCore
import Synchronization

/// The fields of a ``ProfilePart``: their keys, rules and defaults, found by encoding the type's `init()`.
struct PartSchema: Sendable {
    struct Field: Sendable {
        /// The key in the save.
        let key: JSONString
        /// The wrapper as written in the source, such as `@Counter`; `nil` for a field without one.
        let attribute: String?
        /// The name of the value's type.
        let type: String
        let shape: FieldShape
    }

    let name: String
    /// The fields in the order of the type.
    let fields: [Field]
    /// The type as `init()` makes it, coded. Fields that are nil have no member.
    let defaults: CodedValue

    func field(_ key: JSONString) -> Field? { fields.first { $0.key == key } }

    /// The value without fields at their default, also inside parts that always exist.
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

    /// The schema of a type; found once and cached.
    ///
    /// - Throws: ``ProfileError`` with ``ProfileError/Code/declaration``.
    static func of(_ type: any ProfilePart.Type) throws -> PartSchema {
        try of(type, FieldPath(type), inside: [])
    }

    /// - Parameters:
    ///   - path: The place of the type, for errors.
    ///   - outer: The types around it; one that occurs again contains itself, which is refused.
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

/// How a field is divided into places that merge by themselves.
indirect enum FieldShape: Sendable {
    /// One value under one rule; under a local rule any value.
    case value(MergeRule)
    /// A set, whose elements merge under one rule.
    case elements(MergeRule)
    /// A part, whose fields have their own rules.
    case part(PartSchema)
    /// A dictionary, whose entries all have this shape.
    case dictionary(FieldShape)
    /// A list of parts that are identified by this member.
    case keyed(JSONString, PartSchema)
}
