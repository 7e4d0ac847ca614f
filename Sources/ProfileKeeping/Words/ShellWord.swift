package import MergeCore

/// A word of a command as a shell reads it back, for every message that suggests a command: it must work when pasted.
package enum ShellWord {
    /// The word as it is where a shell takes nothing in it for its own, else in single quotes.
    package static func quoted(_ word: String) -> String {
        if !word.isEmpty, word.unicodeScalars.allSatisfy(isPlain) { return word }
        return "'" + word.replacing("'", with: #"'\''"#) + "'"
    }

    /// Whether a word can stand in a message and be pasted from there: no option's beginning, nothing that moves the
    /// cursor or that a terminal does not show.
    package static func isShown(_ word: String) -> Bool {
        !word.isEmpty && !word.hasPrefix("-") && word.unicodeScalars.allSatisfy { scalar in
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

extension Keeper {
    /// What names a profile in a command: its name where no other profile has it and a shell can be given it, else its
    /// id. Not quoted.
    package func handle(_ id: ProfileID) -> String {
        guard let name = profiles[id]?.name, ShellWord.isShown(name), ProfileID(hex: name) == nil else {
            return id.description
        }
        let others = profiles.values.contains { $0.id != id && $0.isOffered && $0.name == name }
        return others ? id.description : name
    }

    /// The same as a word of a command.
    package func word(_ id: ProfileID) -> String { ShellWord.quoted(handle(id)) }
}

extension KeptProfile {
    /// Whether commands find it by its name: it is no other profile by now, and nobody has forgotten it.
    package var isOffered: Bool { state.joinedInto == nil && !state.isForgotten }
}
