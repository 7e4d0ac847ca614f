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

    /// The sentence that follows a refused name: it says what a name may be.
    package static let requirement =
        "a name has 1 to \(Limits.name) bytes, no control characters, and no space at its ends"

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
