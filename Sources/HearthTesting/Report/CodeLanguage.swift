import HearthKit

/// How a scenario is written as Swift code.
enum CodeLanguage: Sendable {
    /// With the developer's own type, whose members of these names are changed in closures.
    case typed(fields: [SwiftField], type: String)
    /// With plain JSON and edits.
    case plain
}

/// A field of a profile type that code can change by its name.
struct SwiftField: Sendable {
    /// The place in the save, such as `/coins`.
    let path: String
    /// The member, such as `coins`, or `stats.best` for one of a part.
    let name: String
    /// The type of the value, such as `Int`.
    let type: String

    /// The fields of a type whose member has the name that the save has. Others are changed by their place.
    static func all<Subject: Profile>(of type: Subject.Type, _ fields: [ProfileField]) -> [SwiftField] {
        let members = Mirror(reflecting: Subject()).children.compactMap(\.label)
        return fields.compactMap { field in
            // A wrapped member is stored under its name with a line before it.
            guard members.contains(field.name) || members.contains("_\(field.name)"),
                field.path == "/\(field.name)", Self.isIdentifier(field.name)
            else { return nil }
            return SwiftField(path: field.path, name: field.name, type: field.type)
        }
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
        "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
        "in", "init", "inout", "internal", "is", "let", "nil", "operator", "private", "protocol", "public", "repeat",
        "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
        "try", "typealias", "var", "where", "while",
    ]

    /// The statement that makes an edit, such as `$0.coins += 30`; `nil` where it has none.
    static func statement(_ edit: SaveEdit, _ fields: [SwiftField]) -> String? {
        guard let field = fields.first(where: { $0.path == edit.place }) else { return nil }
        switch edit.change {
        case .add(let amount):
            guard isNumber(field.type) else { return nil }
            return amount.hasPrefix("-")
                ? "$0.\(field.name) -= \(amount.dropFirst())" : "$0.\(field.name) += \(amount)"
        case .set(let json):
            guard isLiteral(json, of: field.type) else { return nil }
            return "$0.\(field.name) = \(json)"
        case .insert(let json):
            guard isLiteral(json, ofElementsOf: field.type, "Set") else { return nil }
            return "$0.\(field.name).insert(\(json))"
        case .take(let json):
            guard isLiteral(json, ofElementsOf: field.type, "Set") else { return nil }
            return "$0.\(field.name).remove(\(json))"
        case .remove: return nil
        }
    }

    private static func isNumber(_ type: String) -> Bool { type == "Int" || type == "Double" }

    private static func isLiteral(_ json: String, ofElementsOf type: String, _ list: String) -> Bool {
        guard type.hasPrefix("\(list)<"), type.hasSuffix(">") else { return false }
        return isLiteral(json, of: String(type.dropFirst(list.count + 1).dropLast()))
    }

    /// Whether JSON text is a literal of the type in Swift as well.
    private static func isLiteral(_ json: String, of type: String) -> Bool {
        switch type {
        case "Int": Int(json) != nil
        case "Double": Double(json) != nil
        case "Bool": json == "true" || json == "false"
        // Escapes are spelled in other ways in Swift.
        case "String": json.hasPrefix("\"") && !json.contains("\\")
        default: false
        }
    }
}
