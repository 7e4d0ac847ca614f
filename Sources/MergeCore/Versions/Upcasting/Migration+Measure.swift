package import LosslessJSON

extension Migration {
    /// A save upcast to the version of the rules without its `compensate` and `require` steps, to compare it with
    /// another save of that version. A grant may depend on something that the player has sold since; with it, the
    /// difference would look like spending.
    /// - Returns: `nil` where the save cannot be upcast.
    package static func measured(_ document: JSONDocument, rules: RuleSet) -> JSONDocument? {
        let order = VersionOrder(rules)
        guard let wanted = rules.version else { return document }
        var steps: [Migration]
        switch SaveVersion.detect(document, rules) {
        case .same: return document
        case .newer: return nil
        case .older(let version): steps = chain(rules, order, from: version, to: wanted)
        case .unversioned, .unknown:
            guard let legacy = rules.legacy else { return nil }
            steps = [legacy] + chain(rules, order, from: legacy.to, to: wanted)
        }
        for index in steps.indices {
            steps[index].steps.removeAll { step in
                switch step {
                case .compensate, .require: true
                default: false
                }
            }
        }
        var run = StepRun(document, MigrationReport(from: nil, to: wanted, size: document.bytes.count))
        return run.take(steps) && run.write(wanted, rules) ? run.document : nil
    }
}
