import LosslessJSON

/// Holds a value against a JSON schema, as far as the interface's document uses them; written without a look at how the
/// document is made.
enum ShapeCheck {
    /// What is wrong, in one sentence with the place; `nil` where the value fits.
    static func fault(_ value: JSONValue, _ schema: JSONValue, at place: String = "") -> String? {
        if case .array(let schemas)? = schema["oneOf"] {
            let fitting = schemas.count { fault(value, $0, at: place) == nil }
            return fitting == 1 ? nil : "\(place) fits \(fitting) of \(schemas.count) schemas"
        }
        if case .array(let words)? = schema["enum"], !words.contains(value) { return "\(place) is none of \(words)" }
        guard case .string(let type)? = schema["type"] else { return "\(place) has a schema without a type" }
        switch (type.string, value) {
        case ("string", .string), ("boolean", .bool), ("number", .number): return nil
        case ("integer", .number):
            return String(decoding: value.jsonBytes, as: UTF8.self).contains(".") ? "\(place) is no integer" : nil
        case ("array", .array(let elements)):
            guard let items = schema["items"] else { return "\(place) has no items" }
            return elements.enumerated().lazy.compactMap { fault($1, items, at: "\(place)/\($0)") }.first
        case ("object", .object(let members)): return fault(members, schema, at: place)
        default: return "\(place) is no \(type.string)"
        }
    }

    private static func fault(_ members: [JSONMember], _ schema: JSONValue, at place: String) -> String? {
        var known: [JSONMember] = []
        if case .object(let properties)? = schema["properties"] { known = properties }
        if case .array(let required)? = schema["required"] {
            for case .string(let name) in required where !members.contains(where: { $0.key == name }) {
                return "\(place) lacks \(name.string)"
            }
        }
        for member in members {
            guard let property = known.first(where: { $0.key == member.key }) else {
                return "\(place) has \(member.key.string), of which the document says nothing"
            }
            if let fault = fault(member.value, property.value, at: "\(place)/\(member.key.string)") { return fault }
        }
        return nil
    }
}
