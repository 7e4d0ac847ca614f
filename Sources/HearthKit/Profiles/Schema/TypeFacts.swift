/// Questions about a type that is known only at run time.
enum TypeFacts {
    /// The type without its optionals: `Int` for `Int??`.
    static func unwrapped(_ type: Any.Type) -> Any.Type {
        var type = type
        while let optional = type as? any OptionalValue.Type { type = optional.wrappedType }
        return type
    }

    /// Whether a save holds the type as one plain value: it is a ``PlainValue``, or its raw value is one.
    static func isPlain(_ type: Any.Type) -> Bool {
        if type is any PlainValue.Type { return true }
        guard let raw = type as? any RawRepresentable.Type else { return false }
        return raw.rawType is any PlainValue.Type
    }
}

extension FieldWrapper {
    static var takesNil: Bool { Value.self is any OptionalValue.Type }
}

extension RawRepresentable {
    fileprivate static var rawType: Any.Type { RawValue.self }
}

/// Any `Optional`.
protocol OptionalValue {
    static var wrappedType: Any.Type { get }
}

extension Optional: OptionalValue {
    static var wrappedType: Any.Type { Wrapped.self }
}

/// Any `Dictionary`.
protocol DictionaryValue: SendableMetatype {
    static var keyType: Any.Type { get }
    static var entryType: Any.Type { get }
    /// Reads the entries whose keys the type can read; the others are skipped and stay in the save. `nil` for key types
    /// that Swift saves as a list.
    static func gather(_ decoder: ProfileDecoder) throws -> Self?
}

extension Dictionary: DictionaryValue {
    static var keyType: Any.Type { Key.self }
    static var entryType: Any.Type { Value.self }

    static func gather(_ decoder: ProfileDecoder) throws -> [Key: Value]? {
        guard let key = Key.self as? any CodingKeyRepresentable.Type, let type = Value.self as? any Decodable.Type
        else {
            return nil
        }
        let container = try decoder.container(keyedBy: AnyKey.self)
        var result: [Key: Value] = [:]
        for name in container.allKeys {
            guard let key = key.init(codingKey: name) as? Key, result[key] == nil else { continue }
            result[key] = try container.decode(type, forKey: name) as? Value
        }
        return result
    }
}

/// Any `Array`.
protocol ListValue {
    static var elementType: Any.Type { get }
}

extension Array: ListValue {
    static var elementType: Any.Type { Element.self }
}

/// Any `Set`.
protocol SetValue: SendableMetatype {
    static var elementType: Any.Type { get }
    /// Reads the elements that the type can read; the others are skipped and stay in the save.
    static func gather(_ decoder: ProfileDecoder) throws -> Self
}

extension Set: SetValue {
    static var elementType: Any.Type { Element.self }

    static func gather(_ decoder: ProfileDecoder) throws -> Set<Element> {
        guard let type = Element.self as? any Decodable.Type else {
            preconditionFailure("a set is only decoded where its elements can be")
        }
        return Set(try decoder.knownElements(type).compactMap { $0 as? Element })
    }
}
