package import MergeCore

/// A word of a command, written so that a shell reads it back. Used in every message that suggests a command, which
/// must work when pasted.
package enum ShellWord {
    /// The word itself where no character in it is special to a shell, else the word in single quotes.
    package static func quoted(_ word: String) -> String {
        if !word.isEmpty, word.unicodeScalars.allSatisfy(isPlain) { return word }
        return "'" + word.replacing("'", with: #"'\''"#) + "'"
    }

    /// Whether a word can be shown in a message and pasted from there. It must not begin like an option, and must hold
    /// nothing that moves the cursor or that a terminal does not show.
    package static func isShown(_ word: String) -> Bool {
        !word.isEmpty && !word.hasPrefix("-")
            && word.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
                default: true
                }
            }
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".", "/", ":", "@", "%", "+", "=", ",": true
        default: scalar.value > 0x7F && scalar.properties.isAlphabetic
        }
    }
}

extension ProfileEngine {
    /// The word that names a profile in a command: its name if no other profile has that name and a message can show
    /// it, else its id. Not quoted. O(profiles of that name).
    package func handle(_ id: ProfileID) -> String {
        guard let name = profiles[id]?.name, ShellWord.isShown(name), ProfileID(hex: name) == nil else {
            return id.description
        }
        return profiles.sharesName(id) ? id.description : name
    }

    /// The name of a profile for commands, quoted for a shell.
    package func word(_ id: ProfileID) -> String { ShellWord.quoted(handle(id)) }
}
