package import HouseholdAgent

/// The preview of a join in words: a file becomes one with a save of the household. Its sums are in ``SumText``.
package enum JoinText {
    /// The lines: that the two may be saves of two games, what of the file is replaced, and what changes everywhere else.
    package static func lines(_ preview: PreviewReport, file: String) -> [String] {
        let (name, file) = (PlainText.line(preview.profile), PlainText.line(file))
        var lines: [String] = []
        if preview.isUnlike == true {
            lines.append(
                "\(file) and \(name) have no member in common: they may be saves of two games, and both would hold both."
            )
        }
        if let replaced = preview.replaced, !replaced.isEmpty {
            lines.append("In \(file) this would be replaced; the history of \(name) and a backup keep it:")
            lines += ChangeText.places(replaced, more: preview.moreReplaced ?? 0)
        }
        if !preview.changes.isEmpty { lines += ChangeText.preview(preview) }
        if let rules = preview.rules, !rules.isEmpty {
            lines.append("These rules of \(name) would change on every machine:")
            lines += rules.prefix(10).map { "  \(PlainText.line($0))" }
            if rules.count > 10 { lines.append("  and \(rules.count - 10) more") }
        }
        return lines
    }

    /// The line that a file belongs to another save of this machine, which becomes one with the save that is put there;
    /// `nil` where the file is no other save's.
    ///
    /// - Parameters:
    ///   - id: The save that is put there, and its name.
    ///   - status: How everything is on this machine.
    package static func otherSave(at file: String, than id: String, _ name: String, in status: StatusReport) -> String?
    {
        guard let other = status.profiles.first(where: { $0.file == file && $0.id != id }) else { return nil }
        return "\(PlainText.line(file)) is the file of \(PlainText.line(other.name)): the two become one save on every "
            + "machine, called \(PlainText.line(name))."
    }
}
