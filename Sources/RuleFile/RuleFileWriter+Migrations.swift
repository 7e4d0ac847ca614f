import LosslessJSON
import MergeCore

extension RuleFileWriter {
    static func steps(_ steps: [MigrationStep], indent: String) -> [String] {
        if steps.isEmpty { return ["\(indent)steps: []"] }
        return ["\(indent)steps:"] + steps.map { "\(indent)  - \(step($0))" }
    }

    /// One step, as written after its dash.
    private static func step(_ step: MigrationStep) -> String {
        guard case .object(let members)? = step.json[JSONString(step.word)] else { return "" }
        let options = members.map { member in
            let option = member.key.string
            return "\(option): \(spelled(member.value, option, of: step.word))"
        }
        return "\(step.word): {\(options.joined(separator: ", "))}"
    }

    private static func spelled(_ value: JSONValue, _ option: String, of step: String) -> String {
        switch (option, value) {
        case ("value", _): return json(value)
        case ("values", .array(let pairs)): return mapping(pairs)
        case ("into", .array(let names)):
            return list(names.map { if case .string(let name) = $0 { word(name.string) } else { json($0) } })
        case ("path", .string(let text)), ("for", .string(let text)): return path(text.string)
        case ("to", .string(let text)) where step != "rename": return path(text.string)
        case (_, .string(let text)): return word(text.string)
        default: return json(value)
        }
    }

    /// Pairs as a mapping; as a list where two old values have the same text, such as 1 and "1", because YAML would
    /// take them for the same key.
    private static func mapping(_ pairs: [JSONValue]) -> String {
        var texts = Set<[UInt8]>()
        var parts: [String] = []
        for case .array(let pair) in pairs where pair.count == 2 {
            let text = if case .string(let text) = pair[0] { text.bytes } else { pair[0].jsonBytes }
            guard texts.insert(text).inserted, text.count <= 250 else { return json(.array(pairs)) }
            parts.append("\(json(pair[0])): \(json(pair[1]))")
        }
        return "{" + parts.joined(separator: ", ") + "}"
    }

    /// A value in JSON, which YAML can read.
    private static func json(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): return quoted(text.string)
        case .array(let elements): return list(elements.map(json))
        case .object(let members):
            let parts = members.map { member in
                let key = quoted(member.key.string)
                return key.utf8.count > 250 ? "? \(key) : \(json(member.value))" : "\(key): \(json(member.value))"
            }
            return "{" + parts.joined(separator: ", ") + "}"
        default: return String(decoding: value.jsonBytes, as: UTF8.self)
        }
    }
}
