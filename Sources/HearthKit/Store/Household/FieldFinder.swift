import LosslessJSON
import MergeCore

/// Finds out which place of a save a member of the type is: a wrapped member has no name that a program could ask for,
/// so it is changed, and what then differs is its place.
enum FieldFinder {
    static func path<Subject: Profile, Value>(
        of field: WritableKeyPath<Subject, Value>, in profile: Subject, _ codec: ProfileCodec<Subject>
    ) -> String? {
        guard let other = other(than: profile[keyPath: field], Value.self) as? Value else { return nil }
        var changed = profile
        changed[keyPath: field] = other
        guard let before = document(profile, codec), let after = document(changed, codec) else { return nil }
        // Also of fields that stay on this device, so under no rules.
        return DocumentDiff(from: before, to: after, rules: .empty).changes.first?.path.description
    }

    private static func document<Subject: Profile>(
        _ profile: Subject, _ codec: ProfileCodec<Subject>
    ) -> JSONDocument? {
        (try? codec.newText(profile)).flatMap { try? JSONDocument(parsing: $0) }
    }

    /// Another value of the same type; `nil` where none is known.
    private static func other(than value: Any, _ type: Any.Type) -> Any? {
        switch value {
        case let value as any FixedWidthInteger: return value.neighbour
        case let value as Double: return value + 1
        case let value as Float: return value + 1
        case let value as Bool: return !value
        case let value as String: return value + "x"
        case let value as any EmptyCollection: return value.emptied ?? value.filled
        default: break
        }
        guard let optional = type as? any OptionalValue.Type else { return nil }
        // Something that is there is taken away; something that is not has to be made.
        if case Optional<Any>.none = value as Any? { return nil }
        let samples: [Any] = [1, 1.5, true, "x"]
        return samples.first { Swift.type(of: $0) == TypeFacts.unwrapped(optional) }
    }
}

extension FixedWidthInteger {
    fileprivate var neighbour: Self { self == .max ? self - 1 : self + 1 }
}

/// A collection that can be made empty, or be given an element of the usual types.
private protocol EmptyCollection {
    var emptied: Any? { get }
    var filled: Any? { get }
}

extension Set: EmptyCollection {
    fileprivate var emptied: Any? { isEmpty ? nil : Set() }
    fileprivate var filled: Any? { (("x" as? Element) ?? (1 as? Element)).map { Set([$0]) } }
}

extension Array: EmptyCollection {
    fileprivate var emptied: Any? { isEmpty ? nil : [Element]() }
    fileprivate var filled: Any? { (("x" as? Element) ?? (1 as? Element)).map { [$0] } }
}

extension Dictionary: EmptyCollection {
    fileprivate var emptied: Any? { nil }
    fileprivate var filled: Any? { nil }
}
