import Synchronization

/// How an encoder and a decoder handle the values of a type.
enum TypeKind: Sendable {
    case plain(any PlainValue.Type)
    case wrapper(any FieldWrapper.Type)
    case part(PartSchema?)
    case optional
    case dictionary(any DictionaryValue.Type)
    case list
    case set(any SetValue.Type)
    case other

    /// Whether nil is a value of the type, or of the field under a wrapper.
    var takesNil: Bool {
        switch self {
        case .optional: true
        case .wrapper(let type): type.takesNil
        default: false
        }
    }
}

/// Caches the kind of each type. Dynamic casts to protocols are the most expensive part of coding a profile.
final class TypeKinds {
    private var known: [ObjectIdentifier: TypeKind] = [:]
    /// Kinds that earlier codings found, with the schemas of parts; shared by the process.
    private static let shared = Mutex<[ObjectIdentifier: TypeKind]>([:])
    /// Whether to find the schemas of parts. False while a schema is being built, else that would not end.
    private let asksSchemas: Bool

    init(asksSchemas: Bool) { self.asksSchemas = asksSchemas }

    func kind(_ type: Any.Type) throws -> TypeKind {
        let id = ObjectIdentifier(type)
        if let kind = known[id] { return kind }
        if asksSchemas, let kind = Self.shared.withLock({ $0[id] }) {
            known[id] = kind
            return kind
        }
        let kind: TypeKind =
            switch type {
            case let type as any PlainValue.Type: .plain(type)
            case let type as any FieldWrapper.Type: .wrapper(type)
            case let type as any ProfilePart.Type: .part(asksSchemas ? try PartSchema.of(type) : nil)
            case is any OptionalValue.Type: .optional
            case let type as any DictionaryValue.Type: .dictionary(type)
            case is any ListValue.Type: .list
            case let type as any SetValue.Type: .set(type)
            default: .other
            }
        known[id] = kind
        if asksSchemas { Self.shared.withLock { $0[id] = kind } }
        return kind
    }
}
