import HouseholdAgent
import MergeCore
import ProfileKeeping

/// Words of commands that texts suggest: what is pasted must work.
enum CommandWord {
    /// A profile, by what the agent says that commands take, else by its name.
    static func of(_ profile: ProfileReport) -> String { word(profile.handle ?? profile.name, profile.id) }

    /// The profile that a choice is open in.
    static func of(_ conflict: ConflictReport) -> String {
        word(conflict.handle ?? conflict.profile, conflict.id)
    }

    /// The profile of an import.
    static func of(_ report: ImportReport) -> String { word(report.profile, report.id) }

    /// Any other word, such as a path.
    static func of(_ word: String) -> String { ShellWord.quoted(word) }

    private static func word(_ name: String, _ id: String) -> String {
        // What a line of a terminal cannot show cannot be copied from it either.
        ShellWord.isShown(name) && PlainText.line(name) == name ? ShellWord.quoted(name) : ShellWord.quoted(id)
    }
}
