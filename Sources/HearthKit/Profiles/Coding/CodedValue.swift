import LosslessJSON

/// A typed value on its way into a save: JSON, and what JSON does not say about its containers.
indirect enum CodedValue: Hashable, Sendable {
    case plain(JSONValue)
    case list([CodedValue])
    /// Elements without an order of their own, sorted so that equal sets are equal.
    case set([CodedValue])
    /// The members of a type, in the order it has them.
    case object([CodedMember])
    /// Entries by key, sorted.
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

    /// The members of an object or a dictionary.
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

    /// By kind, then numbers by value and everything else by its canonical text.
    static func precedes(_ a: CodedValue, _ b: CodedValue) -> Bool {
        let (a, b) = (a.json, b.json)
        if case .number(let x) = a, case .number(let y) = b, let x = x.decimal, let y = y.decimal { return x < y }
        return a.canonicalBytes.lexicographicallyPrecedes(b.canonicalBytes)
    }
}

/// One member of a ``CodedValue``.
struct CodedMember: Hashable, Sendable {
    var key: JSONString
    var value: CodedValue
}
