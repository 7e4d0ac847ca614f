/// A JSON value as a tree.
///
/// Equality is that of meaning: numbers by exact value, objects whatever the order of their members.
/// The keys of one object are expected to differ, as the parser guarantees.
public enum JSONValue: Sendable {
    /// `null`, which is a value and not the absence of one.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, with the text it was written as.
    case number(JSONNumber)
    /// A string without quotes and escapes.
    case string(JSONString)
    /// Values in order.
    case array([JSONValue])
    /// Members in the order of the text, which does not count in comparisons.
    case object([JSONMember])
}

/// One member of an object.
public struct JSONMember: Hashable, Sendable {
    /// The key after unescaping.
    public var key: JSONString
    /// The value under that key.
    public var value: JSONValue

    /// A member from its key, unescaped, and its value.
    public init(key: JSONString, value: JSONValue) {
        self.key = key
        self.value = value
    }
}

extension JSONValue {
    /// Parses a whole text with the standard limits.
    ///
    /// - Throws: ``JSONSyntaxError`` with line and column when the text is not strict RFC 8259.
    public init(parsing bytes: [UInt8]) throws(JSONSyntaxError) {
        let document = try JSONDocument(parsing: bytes)
        self = document.value(document.root)
    }

    /// Which of the seven kinds the value is.
    public var kind: JSONKind {
        switch self {
        case .null: .null
        case .bool(let value): value ? .true : .false
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    /// The value of a member, or nil when this is no object or has no such member.
    public subscript(key: JSONString) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// Whether this is an object or array that has anything inside.
    var isFilledContainer: Bool {
        switch self {
        case .array(let elements): !elements.isEmpty
        case .object(let members): !members.isEmpty
        default: false
        }
    }
}

extension JSONValue: Hashable {
    /// Compares by meaning. O(size); objects whose members stand in another order are sorted.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): hasSameMembers(left, right)
        default: false
        }
    }

    private static func hasSameMembers(_ left: [JSONMember], _ right: [JSONMember]) -> Bool {
        guard left.count == right.count else { return false }
        for index in left.indices {
            if left[index].key != right[index].key {
                return sortedByKey(left[index...]) == sortedByKey(right[index...])
            }
            if left[index].value != right[index].value { return false }
        }
        return true
    }

    /// Members in the order of their keys' bytes.
    static func sortedByKey(_ members: ArraySlice<JSONMember>) -> [JSONMember] {
        members.sorted { $0.key < $1.key }
    }

    /// Hashes the meaning, so that equal values have equal hashes.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value ? 2 : 1)
        case .number(let value):
            hasher.combine(3)
            hasher.combine(value)
        case .string(let value):
            hasher.combine(4)
            hasher.combine(value)
        case .array(let elements):
            hasher.combine(5)
            hasher.combine(elements)
        case .object(let members):
            // A sum does not depend on the order of the members.
            hasher.combine(6)
            hasher.combine(members.count)
            hasher.combine(members.reduce(0) { $0 &+ $1.hashValue })
        }
    }
}

// No nil literal: in `condition ? nil : value` it would be the JSON value null where "no value" is meant.
extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
    /// A string.
    public init(stringLiteral value: String) { self = .string(JSONString(value)) }
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object whose members stand as they are listed; no key may be there twice.
    public init(dictionaryLiteral elements: (JSONString, JSONValue)...) {
        self = .object(elements.map { JSONMember(key: $0.0, value: $0.1) })
    }
}
