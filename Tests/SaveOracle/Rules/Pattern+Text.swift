extension Pattern {
    /// Reads a path as a rule file spells it, `/a/*/b[id]/c`.
    package init(text: String) {
        var steps: [Step] = []
        for token in text.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            switch token {
            case "*": steps.append(.any)
            case "**": steps.append(.deep)
            default:
                var name = token
                if token.hasSuffix("]"), let bracket = token.lastIndex(of: "[") {
                    name = token[..<bracket]
                    if !name.isEmpty { steps.append(.name(Self.plain(name))) }
                    steps.append(.keyed(Self.plain(token[token.index(after: bracket)...].dropLast())))
                } else {
                    steps.append(.name(Self.plain(name)))
                }
            }
        }
        self.init(steps)
    }

    private static func plain(_ token: Substring) -> String {
        String(token).replacing("~1", with: "/").replacing("~0", with: "~")
    }
}

extension Rule {
    /// Reads a rule as a rule file spells it on one line, `max` or `{merge: min, none: [0]}`; `nil` where it is none.
    package init?(yaml: String) {
        guard yaml.hasPrefix("{"), yaml.hasSuffix("}") else {
            guard let merge = Merge(rawValue: yaml) else { return nil }
            self.init(merge)
            return
        }
        self.init(.latest)
        for part in Self.parts(yaml.dropFirst().dropLast()) {
            guard let colon = part.firstIndex(of: ":") else { return nil }
            let value = part[part.index(after: colon)...].drop { $0 == " " }
            guard take(option: part[..<colon], String(value)) else { return nil }
        }
    }

    private mutating func take(option: Substring, _ value: String) -> Bool {
        let list = value.hasPrefix("[") ? Self.parts(value.dropFirst().dropLast()).map(String.init) : [value]
        switch option {
        case "merge":
            guard let known = Merge(rawValue: value) else { return false }
            merge = known
        case "as":
            guard let known = Reading(rawValue: value) else { return false }
            reading = known
        case "format": format = value.replacing("\"", with: "")
        case "none": none = list
        case "whole": isWhole = value == "true"
        case "by": by = list
        case "sort": sort = value
        case "limit": limit = Int(value)
        default: return false
        }
        return true
    }

    /// What commas divide, but for those in brackets.
    private static func parts(_ text: Substring) -> [Substring] {
        var (parts, depth, start): ([Substring], Int, Substring.Index) = ([], 0, text.startIndex)
        for index in text.indices {
            switch text[index] {
            case "[": depth += 1
            case "]": depth -= 1
            case "," where depth == 0:
                parts.append(text[start..<index].drop { $0 == " " })
                start = text.index(after: index)
            default: break
            }
        }
        let last = text[start...].drop { $0 == " " }
        return last.isEmpty ? parts : parts + [last]
    }
}
