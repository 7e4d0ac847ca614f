import LosslessJSON

/// A typed value between Swift and the save: JSON, and the kind of container that JSON does not distinguish (list or
/// set, object or dictionary).
indirect enum CodedValue: Hashable, Sendable {
    case plain(JSONValue)
    case list([CodedValue])
    /// A set: its elements have no order, so they are sorted, and equal sets give equal JSON.
    case set([CodedValue])
    /// The members of a type, in the order in which the type encodes them.
    case object([CodedMember])
    /// The entries of a dictionary, sorted by key.
    case dictionary([CodedMember])

    static let null = CodedValue.plain(.null)

    var json: JSONValue {
        switch self {
        case .plain(let value): value
        case .list(let elements), .set(let elements): .array(elements.map(\.json))
        case .object(let members), .dictionary(let members):
            .object(members.map { JSONMember(key: $0.key, value: $0.value.json) })
        }
    }

    /// The members of an object or a dictionary; `nil` for every other kind.
    var members: [CodedMember]? {
        switch self {
        case .object(let members), .dictionary(let members): members
        case .plain, .list, .set: nil
        }
    }

    var isContainer: Bool {
        if case .plain = self { false } else { true }
    }

    subscript(key: JSONString) -> CodedValue? { members?.first { $0.key == key }?.value }

    /// The order in which the elements of a set are saved: numbers by value, everything else by its canonical JSON
    /// text.
    static func precedes(_ a: CodedValue, _ b: CodedValue) -> Bool {
        let (a, b) = (a.json, b.json)
        if case .number(let x) = a, case .number(let y) = b, let x = x.decimal, let y = y.decimal { return x < y }
        return a.canonicalBytes.lexicographicallyPrecedes(b.canonicalBytes)
    }
}

struct CodedMember: Hashable, Sendable {
    var key: JSONString
    var value: CodedValue
}
