import LosslessJSON

/// What JSON of one of our types looks like: JSON Schema (draft 2020-12), as far as it is needed.
indirect enum Schema: Hashable, Sendable {
    struct Property: Hashable, Sendable {
        var name: String
        var schema: Schema
        var isRequired: Bool
    }

    case text
    /// A text that is read further, and what it holds.
    case textThat(String)
    /// One of these texts.
    case word([String])
    case integer
    case number
    case boolean
    case list(Schema)
    case object([Property])
    case oneOf([Schema])

    var json: JSONValue {
        switch self {
        case .text: ["type": "string"]
        case .textThat(let holds): ["type": "string", "description": .string(JSONString(holds))]
        case .word(let words): ["type": "string", "enum": .array(words.map { .string(JSONString($0)) })]
        case .integer: ["type": "integer"]
        case .number: ["type": "number"]
        case .boolean: ["type": "boolean"]
        case .list(let element): ["type": "array", "items": element.json]
        case .oneOf(let schemas): ["oneOf": .array(schemas.map(\.json))]
        case .object(let properties): Self.json(properties)
        }
    }

    private static func json(_ properties: [Property]) -> JSONValue {
        var members = [JSONMember(key: "type", value: "object")]
        if !properties.isEmpty {
            let named = properties.map { JSONMember(key: JSONString($0.name), value: $0.schema.json) }
            members.append(JSONMember(key: "properties", value: .object(named)))
        }
        let required = properties.filter(\.isRequired).map { JSONValue.string(JSONString($0.name)) }
        if !required.isEmpty { members.append(JSONMember(key: "required", value: .array(required))) }
        return .object(members)
    }

    /// The object with one more member, which is always there and always the same word.
    func tagged(_ name: String, _ word: String) -> Schema {
        guard case .object(let properties) = self else { return self }
        return .object([Property(name: name, schema: .word([word]), isRequired: true)] + properties)
    }
}
