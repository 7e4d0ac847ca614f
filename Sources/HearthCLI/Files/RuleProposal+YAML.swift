import MergeCore
import RuleFile
package import RuleProposals

extension RuleProposal {
    /// The proposal as a rule file in YAML, with a comment for every guess. Reading it gives the same rules.
    /// O(guesses).
    package var yaml: String {
        var lines = Self.header
        lines += checksums.isEmpty ? [] : warning
        lines.append("")
        if let profile = rules.profile { lines.append("profile: \(RuleFileWriter.quoted(profile))") }
        if let version = rules.versionAt {
            lines.append("versionAt: \(RuleFileWriter.path(version))   # where the save says which version wrote it")
        }
        if rules.profile != nil || rules.versionAt != nil { lines.append("") }
        lines.append(guesses.isEmpty ? "rules: {}" : "rules:")
        var group: Group?
        for guess in guesses {
            if guess.group != group {
                if group != nil { lines.append("") }
                lines.append("  # --- \(Self.title(guess.group)) ---")
                group = guess.group
            }
            lines.append("  # \(guess.reason)")
            lines.append(RuleFileWriter.line(RuleFileWriter.path(guess.pattern), RuleFileWriter.rule(guess.rule)))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let header = [
        "# Proposed rules, guessed from the names and values in the save.",
        "# Look them over: a name can mislead, and only you know the game.",
        "#",
        "# Left is a path into the save: * is any one member, ** anything at any",
        "# depth, [id] an element of an array whose elements are told apart by \"id\".",
        "# Right is how two machines' values become one:",
        "#   latest    the last change wins (so it is where no rule stands)",
        "#   max, min  the larger or smaller one, and it never goes back",
        "#   counter   earned and spent on every machine add up",
        "#   union     a list that only grows      set    one that can also lose members",
        "#   flag      once true, it stays true    local  stays on this machine",
        "#   furthest  the side that got further wins whole: {merge: furthest, by: [level]}",
        "#   choice    both are kept until you decide",
        "# Change a word, or delete the line, and save the file.",
    ]

    private var warning: [String] {
        [
            "#",
            "# Careful: this save seems to protect itself with a checksum, at",
            "# \(checksums.map { RuleFileWriter.path($0) }.joined(separator: ", ")).",
            "# If the game checks it, it refuses every save that two machines merged. So the",
            "# one rule takes the save whole, from one machine or the other: the one you",
            "# choose, or the one that got further by a member that only rises:",
            "#   \"\": {merge: furthest, by: [level], whole: true}",
        ]
    }

    private static func title(_ group: Group) -> String {
        switch group {
        case .records: "Records and progress"
        case .totals: "Purses and totals"
        case .unlocks: "Kept once it is there"
        case .lists: "Lists"
        case .together: "What belongs together"
        case .latest: "The last change is right"
        case .local: "Stays on this machine"
        }
    }
}
