extension JSON {
    /// How a game lays its file out.
    package enum Layout: Sendable, CaseIterable {
        case compact, spaced, lines
    }

    /// The value as text.
    package func text(_ layout: Layout = .compact, depth: Int = 0) -> String {
        let (comma, colon) = layout == .compact ? (",", ":") : (", ", ": ")
        func listed(_ open: String, _ parts: [String], _ close: String) -> String {
            guard layout == .lines, !parts.isEmpty else { return open + parts.joined(separator: comma) + close }
            let inner = "\n" + String(repeating: "  ", count: depth + 1)
            let end = "\n" + String(repeating: "  ", count: depth)
            return open + inner + parts.joined(separator: "," + inner) + end + close
        }
        return switch self {
        case .null: "null"
        case .bool(let truth): truth ? "true" : "false"
        case .number(let text): text
        case .string(let text): Self.quoted(text)
        case .array(let elements): listed("[", elements.map { $0.text(layout, depth: depth + 1) }, "]")
        case .object(let members):
            listed(
                "{",
                members.map { Self.quoted($0.name) + colon + $0.value.text(layout, depth: depth + 1) },
                "}"
            )
        }
    }

    /// A text in quotes.
    package static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// Reads a document; `nil` where it is none.
    package init?(_ text: String) {
        var reader = JSONReader(bytes: Array(text.utf8))
        guard let value = reader.document() else { return nil }
        self = value
    }
}

/// Reads JSON, a byte after the other. Enough for what these tests write and what Hearth makes of it.
private struct JSONReader {
    let bytes: [UInt8]
    var index = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() -> JSON? {
        guard let value = value() else { return nil }
        space()
        return index == bytes.count ? value : nil
    }

    private mutating func space() {
        while index < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[index]) { index += 1 }
    }

    private mutating func take(_ byte: Character) -> Bool {
        space()
        guard index < bytes.count, bytes[index] == byte.asciiValue else { return false }
        index += 1
        return true
    }

    private mutating func value() -> JSON? {
        if take("{") { return object() }
        if take("[") { return array() }
        if take("\"") { return string().map { .string($0) } }
        let start = index
        while index < bytes.count, !",]} \n\r\t".utf8.contains(bytes[index]) { index += 1 }
        let word = String(decoding: bytes[start..<index], as: UTF8.self)
        switch word {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        default: return ExactNumber(word) == nil ? nil : .number(word)
        }
    }

    private mutating func object() -> JSON? {
        var members: [JSON.Member] = []
        if take("}") { return .object([]) }
        repeat {
            guard take("\""), let name = string(), take(":"), let value = value() else { return nil }
            guard !members.contains(where: { $0.name == name }) else { return nil }
            members.append(JSON.Member(name, value))
        } while take(",")
        return take("}") ? .object(members) : nil
    }

    private mutating func array() -> JSON? {
        var elements: [JSON] = []
        if take("]") { return .array([]) }
        repeat {
            guard let value = value() else { return nil }
            elements.append(value)
        } while take(",")
        return take("]") ? .array(elements) : nil
    }

    private mutating func string() -> String? {
        var text: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            guard index < bytes.count else { return nil }
            let escape = bytes[index]
            index += 1
            switch escape {
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "u"):
                guard index + 4 <= bytes.count,
                    let code = UInt32(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16),
                    let scalar = Unicode.Scalar(code)
                else { return nil }
                text += Array(String(Character(scalar)).utf8)
                index += 4
            default: text.append(escape)
            }
        }
        return nil
    }
}
