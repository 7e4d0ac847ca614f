import HouseholdAgent

/// What a migration did, in words.
enum MigrationText {
    /// What became of each step, and what the save lost.
    static func notes(_ summary: MigrationSummary) -> [String] {
        summary.steps.map { step in
            PlainText.line("\(step.to): \(step.word) \(step.path): \(step.failure ?? "\(step.changed) changed")")
        } + summary.dropped.map { PlainText.line("dropped: \($0.place) \($0.value)") }
            + summary.unmapped.map { PlainText.line("not listed, so it stays: \($0.place) \($0.value)") }
            + (summary.backup.map { [PlainText.line("as it was before: backup \($0)")] } ?? [])
    }

    /// The outcome, on one line.
    static func line(_ summary: MigrationSummary) -> String {
        PlainText.line("\(summary.file ?? summary.profile): \(summary.from ?? "no version") -> \(summary.to)")
            + (summary.isDryRun ? " (nothing was written)" : "") + "\n"
    }
}
