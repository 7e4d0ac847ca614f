/// How a household is made in Swift code.
enum CodeLanguage: Sendable {
    /// With the developer's own type, named as a test can name it.
    case typed(String)
    /// With plain JSON: the save that all devices begin with, as an expression.
    case plain(save: String)

    /// A profile type by its name, with the types that it is declared in and without its module: a test imports that,
    /// and a type may have the name of its module.
    static func naming(_ type: Any.Type) -> CodeLanguage {
        let text = String(reflecting: type)
        let arguments = text.firstIndex(of: "<") ?? text.endIndex
        // A type in a function or a private one is told with the context that nobody can name.
        let names = text[..<arguments].split(separator: ".").dropFirst().filter { !$0.hasPrefix("(unknown context") }
        return .typed(names.isEmpty ? "\(type)" : names.joined(separator: ".") + String(text[arguments...]))
    }

    /// Whether a text is a plain name in Swift, and no word of the language.
    static func isIdentifier(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first == "_" || first.properties.isAlphabetic else { return false }
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || $0 == "_") || ("0"..."9").contains($0)
        }
        return isPlain && !words.contains(text)
    }

    private static let words: Set<String> = [
        "_", "Protocol", "Type", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default",
        "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func",
        "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "private",
        "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super",
        "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]
}
