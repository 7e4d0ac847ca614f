import Synchronization

/// What a coder does with the values of a type.
enum TypeKind: Sendable {
    case plain(any PlainValue.Type)
    case wrapper(any FieldWrapper.Type)
    case part(PartSchema?)
    case optional
    case dictionary(any DictionaryValue.Type)
    case list
    case set(any SetValue.Type)
    case other

    /// Whether nil is a value of the type, or of the field that a wrapper of the type wraps.
    var takesNil: Bool {
        switch self {
        case .optional: true
        case .wrapper(let type): type.takesNil
        default: false
        }
    }
}

/// Remembers the kinds of types: to ask the runtime again for each value is what would cost most.
final class TypeKinds {
    private var known: [ObjectIdentifier: TypeKind] = [:]
    /// Those of the codings before, with the schemas of parts.
    private static let shared = Mutex<[ObjectIdentifier: TypeKind]>([:])
    /// Whether the schemas of parts are wanted; not while one of them is being worked out.
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
