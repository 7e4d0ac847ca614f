import HouseholdAgent

enum MigrationText {
    /// The outcome of each step, the values that were dropped or stayed unmapped, and the backup; one line each.
    static func notes(_ summary: MigrationSummary) -> [String] {
        summary.steps.map { step in
            PlainText.line("\(step.to): \(step.word) \(step.path): \(step.failure ?? "\(step.changed) changed")")
        } + summary.dropped.map { PlainText.line("dropped: \($0.place) \($0.value)") }
            + summary.unmapped.map { PlainText.line("not in the mapping, so it was kept: \($0.place) \($0.value)") }
            + (summary.backup.map { [PlainText.line("as it was before: backup \($0)")] } ?? [])
    }

    /// The result on one line, such as `save.json: 1.0 -> 1.1`.
    static func line(_ summary: MigrationSummary) -> String {
        PlainText.line("\(summary.file ?? summary.profile): \(summary.from ?? "no version") -> \(summary.to)")
            + (summary.isDryRun ? " (nothing was written)" : "") + "\n"
    }
}
