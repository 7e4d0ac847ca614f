public import LosslessJSON

extension Migration {
    /// Takes a save back to an earlier version, on this device: applies the inverse of every step, the last one first.
    ///
    /// With the save from before the migration (a backup), the result has the backup's text wherever the values are the
    /// same. So a save without any play since comes back byte for byte. With the backup, the values that the steps made
    /// can also be distinguished from the values before. Without it, every match of a step is taken for the step's
    /// work, and values that a `default` added stay.
    ///
    /// - Parameters:
    ///   - document: The save.
    ///   - rules: The rules with their migrations.
    ///   - target: The wanted version, one that the rules list.
    ///   - former: The save from before the migration; `nil` where there is none. One that cannot be upcast is ignored.
    ///   - dryRun: Whether to return only the report, without a text.
    /// - Returns: The new text, and what was done. If a step has no inverse, there is only a report, with one error for
    ///   each such step. Then only the backup from before the migration can be restored.
    /// - Complexity: O(steps · document).
    public static func rollBack(
        _ document: JSONDocument,
        rules: RuleSet,
        to target: String,
        former: JSONDocument? = nil,
        dryRun: Bool = false
    ) -> MigrationResult {
        let order = VersionOrder(rules)
        let found = SaveVersion.detect(document, rules, target: target)
        var report = MigrationReport(
            from: found.text ?? (found == .same ? target : nil),
            to: target,
            size: document.bytes.count
        )
        guard order.index(of: target) != nil else {
            report.errors = ["the rules know no version \"\(target)\"; they know \(order.list)"]
            return MigrationResult(text: nil, report: report)
        }
        if found == .same { return unchanged(document, report, dryRun) }
        guard case .newer(let version) = found, order.index(of: version) != nil else {
            report.errors = ["the save is of no later version than \"\(target)\" that the rules know"]
            return MigrationResult(text: nil, report: report)
        }
        let steps = chain(rules, order, from: target, to: version)
        let start = former.flatMap { Start($0, rules, target, steps) }
        report.errors = irreversible(steps, start?.traces)
        guard report.errors.isEmpty else { return MigrationResult(text: nil, report: report) }
        var run = StepRun(document, report)
        guard run.takeBack(steps, start?.traces), run.write(target, rules) else {
            return MigrationResult(text: nil, report: run.report)
        }
        let text = start.flatMap { Rearrangement(run.document, like: $0.document).text } ?? run.document.bytes
        return run.finished(document, text, dryRun)
    }

    /// The save from before the migration, at the wanted version, and what the steps did from there.
    private struct Start {
        let document: JSONDocument
        let traces: [StepTrace]

        init?(_ former: JSONDocument, _ rules: RuleSet, _ target: String, _ steps: [Migration]) {
            guard let text = Migration.run(former, rules: rules, to: target).text,
                let document = try? JSONDocument(parsing: text)
            else { return nil }
            var run = StepRun(document, MigrationReport(from: nil, to: target, size: 0))
            guard run.take(steps) else { return nil }
            self.document = document
            traces = run.traces
        }
    }

    /// One sentence for each step that cannot be taken back. With traces, a step without an inverse can be taken back
    /// if it changed nothing on the way forward, or if it is a `compensate`.
    private static func irreversible(_ migrations: [Migration], _ traces: [StepTrace]?) -> [String] {
        var errors: [String] = []
        var index = 0
        for migration in migrations {
            for step in migration.steps {
                defer { index += 1 }
                if step.hasInverse { continue }
                if let traces, traces[index].changed == 0 || step.word == "compensate" { continue }
                errors.append(
                    "\(step.name(from: migration.from, to: migration.to)) stands in the way: it has no inverse; "
                        + "restore the backup from before the migration"
                )
            }
        }
        return errors.reversed()
    }
}
