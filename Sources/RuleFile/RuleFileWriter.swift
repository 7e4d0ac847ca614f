import LosslessJSON
package import MergeCore

/// Writes the parts of a rule file.
package enum RuleFileWriter {
    /// A rule, as written after its path.
    package static func rule(_ rule: MergeRule) -> String {
        var options: [(String, String)] = []
        if let reading = rule.reading { options.append(("as", reading.rawValue)) }
        if let format = rule.format { options.append(("format", quoted(format))) }
        if !rule.none.isEmpty { options.append(("none", list(rule.none.map(value)))) }
        if rule.whole { options.append(("whole", "true")) }
        if !rule.by.isEmpty { options.append(("by", list(rule.by.map { word($0.string) }))) }
        if let sort = rule.sort { options.append(("sort", word(sort.string))) }
        if let limit = rule.limit { options.append(("limit", String(limit))) }
        guard !options.isEmpty else { return rule.merge.rawValue }
        let rest = options.map { ", \($0): \($1)" }.joined()
        return "{merge: \(rule.merge.rawValue)\(rest)}"
    }

    /// A line of a mapping, without the lines below it. YAML can read a very long key only after a question mark.
    package static func line(_ key: String, _ value: String, indent: String = "  ") -> String {
        key.unicodeScalars.count > 500 ? "\(indent)? \(key)\n\(indent): \(value)" : "\(indent)\(key): \(value)"
    }

    /// A path as a key or a list item.
    package static func path(_ pattern: RulePattern) -> String { path(pattern.description) }

    package static func path(_ text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        guard let last = scalars.last, last != ":" else { return quoted(text) }
        let isPlain = scalars.allSatisfy { isWordScalar($0) || "/.*~-:".unicodeScalars.contains($0) }
        return isPlain ? text : quoted(text)
    }

    static func list(_ items: [String]) -> String { "[" + items.joined(separator: ", ") + "]" }

    /// A word without quotes where it can only be read as a text, otherwise in quotes.
    static func word(_ text: String) -> String {
        let first = text.unicodeScalars.first
        let isPlain = text.unicodeScalars.allSatisfy(isWordScalar) && first.map { !("0"..."9").contains($0) } ?? false
        let isTaken = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
        return isPlain && !isTaken ? text : quoted(text)
    }

    /// A text in double quotes, with escapes for the characters that a rule file must not contain.
    package static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22: result += "\\\""
            case 0x5C: result += "\\\\"
            case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD, 0x1_0000...:
                result.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            }
        }
        return result + "\""
    }

    private static func value(_ value: JSONValue) -> String {
        if case .string(let text) = value { return quoted(text.string) }
        return String(decoding: value.jsonBytes, as: UTF8.self)
    }

    private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: false
        }
    }
}
