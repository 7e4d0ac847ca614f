import LosslessJSON
import MergeCore

/// Finds the place in the save of a member of the type. A wrapped member's key path does not reveal its key, so the
/// finder changes the member and compares the saves.
enum FieldFinder {
    /// The place, as a JSON Pointer; `nil` where no other value of the member's type is known, and several fields have
    /// that type.
    static func path<Subject: Profile, Value>(
        of field: WritableKeyPath<Subject, Value>, in profile: Subject, _ codec: ProfileCodec<Subject>
    ) -> String? {
        let before = document(profile, codec)
        for other in others(than: profile[keyPath: field], Value.self) {
            guard let other = other as? Value else { continue }
            var changed = profile
            changed[keyPath: field] = other
            guard let before, let after = document(changed, codec) else { continue }
            // Compared without rules, so that fields under ``Local`` are found too.
            guard let path = DocumentDiff(from: before, to: after, rules: .empty).changes.first?.path.description
            else { continue }
            return place(of: other, at: path, after) ?? place(of: profile[keyPath: field], at: path, before) ?? path
        }
        return codec.onlyField(of: Value.self)
    }

    private static func document<Subject: Profile>(
        _ profile: Subject, _ codec: ProfileCodec<Subject>
    ) -> JSONDocument? {
        (try? codec.newText(profile)).flatMap { try? JSONDocument(parsing: $0) }
    }

    /// The place at or above a changed one that holds the whole value; `nil` where none does.
    private static func place(of value: Any, at changed: String, _ document: JSONDocument) -> String? {
        guard let value = value as? any Encodable, let coded = try? ProfileEncoder.coded(alone: value).json,
            var pointer = try? JSONPointer(parsing: changed)
        else { return nil }
        while !pointer.tokens.isEmpty {
            if let node = document.node(at: pointer), document.value(node) == coded { return pointer.description }
            pointer.tokens.removeLast()
        }
        return nil
    }

    /// Other values of the same type, as far as the finder can make some.
    private static func others(than value: Any, _ type: Any.Type) -> [Any] {
        var others: [Any] = []
        switch value {
        case let value as any FixedWidthInteger: others.append(value.neighbour)
        case let value as Double: others.append(value + 1)
        case let value as Float: others.append(value + 1)
        case let value as Bool: others.append(!value)
        case let value as String: others.append(value + "x")
        default: break
        }
        if let listed = TypeFacts.unwrapped(type) as? any CaseIterable.Type { others += listed.all }
        if let type = type as? any Decodable.Type { others += samples.compactMap { type.sample($0) } }
        return others
    }

    /// Values as saves spell them, of which one or the other is a value of most types.
    private static let samples: [JSONValue] = [
        .null, [], ["x"], [1], .object([]), ["x": 1], ["1": 1], ["x": "x"], ["x": true], ["x": []], ["x": ["x"]],
        ["x": .object([])], 1, 2, 0, true, false, "x", "", "2001-01-01T00:00:00Z", "2002-01-01T00:00:00Z",
        "00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002",
    ]
}

extension CaseIterable {
    fileprivate static var all: [Any] { Array(allCases) }
}

extension Decodable {
    fileprivate static func sample(_ value: JSONValue) -> Any? { try? ProfileDecoder.profile(Self.self, value) }
}

extension FixedWidthInteger {
    fileprivate var neighbour: Self { self == .max ? self - 1 : self + 1 }
}
