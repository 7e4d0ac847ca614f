import LosslessJSON
import MergeCore

/// Finds the place in the save of a member of the type. A wrapped member's key path does not reveal its key, so the
/// finder changes the member and compares the saves.
enum FieldFinder {
    static func path<Subject: Profile, Value>(
        of field: WritableKeyPath<Subject, Value>, in profile: Subject, _ codec: ProfileCodec<Subject>
    ) -> String? {
        guard let other = other(than: profile[keyPath: field], Value.self) as? Value else { return nil }
        var changed = profile
        changed[keyPath: field] = other
        guard let before = document(profile, codec), let after = document(changed, codec) else { return nil }
        // Compared without rules, so that fields under ``Local`` are found too.
        return DocumentDiff(from: before, to: after, rules: .empty).changes.first?.path.description
    }

    private static func document<Subject: Profile>(
        _ profile: Subject, _ codec: ProfileCodec<Subject>
    ) -> JSONDocument? {
        (try? codec.newText(profile)).flatMap { try? JSONDocument(parsing: $0) }
    }

    /// Another value of the same type; `nil` for types where the finder knows none.
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
        // An optional with a value becomes nil; one that is nil gets a sample value of its type.
        if case Optional<Any>.none = value as Any? { return nil }
        let samples: [Any] = [1, 1.5, true, "x"]
        return samples.first { Swift.type(of: $0) == TypeFacts.unwrapped(optional) }
    }
}

extension FixedWidthInteger {
    fileprivate var neighbour: Self { self == .max ? self - 1 : self + 1 }
}

/// A collection that the finder can change: it can be emptied, or get an element of a usual type.
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
