import LosslessJSON

extension Migration {
    /// A JSON value in the source of a migration step: `5`, `0.5`, `true`, `"hard"`, `nil`, `[1, 2]`, `["x": 1]`.
    public struct Literal: Sendable {
        let json: JSONValue
    }
}

extension Migration.Literal: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { json = .bool(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { json = .number(JSONNumber(value)) }
    /// A number with a fraction; `null` for infinity and not-a-number, which JSON cannot hold.
    public init(floatLiteral value: Double) { json = (try? value.coded()) ?? .null }
    /// A text.
    public init(stringLiteral value: String) { json = .string(JSONString(value)) }
    /// `null`.
    public init(nilLiteral: ()) { json = .null }
    /// A list.
    public init(arrayLiteral elements: Migration.Literal...) { json = .array(elements.map(\.json)) }
    /// An object; of two equal keys the first counts.
    public init(dictionaryLiteral elements: (String, Migration.Literal)...) {
        var seen = Set<JSONString>()
        json = .object(
            elements.map { JSONMember(key: JSONString($0.0), value: $0.1.json) }.filter { seen.insert($0.key).inserted }
        )
    }
}
