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
        return lines
    }
}
