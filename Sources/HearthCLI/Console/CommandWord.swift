import HouseholdAgent
import MergeCore
import ProfileKeeping

/// Words of the commands that messages suggest, quoted so that a pasted command works.
enum CommandWord {
    /// The word for a profile: the handle that the agent gives for commands, else its name.
    static func of(_ profile: ProfileReport) -> String { word(profile.handle ?? profile.name, profile.id) }

    /// The word for the profile of a conflict.
    static func of(_ conflict: ConflictReport) -> String {
        word(conflict.handle ?? conflict.profile, conflict.id)
    }

    /// The word for the profile of an import.
    static func of(_ report: ImportReport) -> String { word(report.handle ?? report.profile, report.id) }

    /// Any other word, such as a path, quoted for the shell.
    static func of(_ word: String) -> String { ShellWord.quoted(word) }

    private static func word(_ name: String, _ id: String) -> String {
        // A name with characters that a terminal does not show cannot be copied from there, so the id is used.
        ShellWord.isShown(name) && PlainText.line(name) == name ? ShellWord.quoted(name) : ShellWord.quoted(id)
    }
}
