package import LosslessJSON

extension Migration {
    /// A save as the steps make it, for measuring it against another one of the same version: what they grant and what
    /// they ask for is left out. A grant that hangs on something the player has sold since would otherwise be spent.
    ///
    /// - Returns: `nil` where the save cannot be lifted.
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
