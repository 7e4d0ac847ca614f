/// Cleans texts from another device that people will see: one short line without control characters.
package enum DisplayName {
    /// The text without control, format and line characters, cut at a character to at most `limit` bytes; `fallback` if
    /// nothing is left.
    package static func cleaned(_ text: String, limit: Int = Limits.name, fallback: String = "unnamed") -> String {
        var result = ""
        var size = 0
        // Every scalar has at least one byte and many may be dropped, so the prefix bounds the work.
        for character in text.prefix(4 * limit) {
            guard character.unicodeScalars.allSatisfy(isPlain) else { continue }
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
            && name.unicodeScalars.allSatisfy(isPlain)
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
