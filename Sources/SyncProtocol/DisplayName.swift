/// Cleans texts from another device that people will see: one short line without control characters.
package enum DisplayName {
    /// The text without control, format and line characters, cut at a character to at most `limit` bytes; `fallback` if
    /// nothing is left.
    package static func cleaned(_ text: String, limit: Int = Limits.name, fallback: String = "unnamed") -> String {
        var result = ""
        var size = 0
        // Every scalar has at least one byte and many may be dropped, so the prefix bounds the work.
        for character in text.prefix(4 * limit) {
            guard isPlain(character) else { continue }
            size += character.utf8.count
            guard size <= limit else { break }
            result.append(character)
        }
        while result.last == " " { result.removeLast() }
        while result.first == " " { result.removeFirst() }
        return result.isEmpty ? fallback : result
    }

    /// Whether ``cleaned(_:limit:fallback:)`` would leave the name as it is.
    package static func isClean(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= Limits.name && name.first != " " && name.last != " "
            && name.allSatisfy(isPlain)
    }

    /// The sentence for whoever gave a name that is not clean. What cannot be shown is a question mark in it, and spaces at
    /// the ends can be seen.
    package static func refusal(of name: String) -> String {
        var shown = ""
        for character in name {
            let next = isPlain(character) ? character : "?"
            guard shown.utf8.count + next.utf8.count <= 2 * Limits.name else { break }
            shown.append(next)
        }
        let rule = "a name has 1 to \(Limits.name) bytes, no control characters, and no space at its ends"
        return "this is no name: “\(shown)”; \(rule)"
    }

    /// A joiner (U+200D) within a character is part of an emoji. Everywhere else it is invisible.
    private static func isPlain(_ character: Character) -> Bool {
        let scalars = Array(character.unicodeScalars)
        return scalars.enumerated().allSatisfy { index, scalar in
            isPlain(scalar) || scalar == "\u{200D}" && index > 0 && index < scalars.count - 1
        }
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
