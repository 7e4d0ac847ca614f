import MergeCore
import ProfileKeeping

/// Findings about rules that match nothing in the save, or do not do what their author meant. They are reported until
/// the rules match.
extension HouseholdAgent {
    /// Findings from comparing a profile's rules with the save here; `nil` where there are none. A rule that could not
    /// be compared with all of a large save is among them, with the command that compares it. A rule for what each device
    /// has for itself is not where no place is like it: a save that came from another device begins without.
    mutating func ruleFindings(_ id: ProfileID) -> [String]? {
        guard let held = engine.profiles[id] else { return nil }
        let findings = ruleComparisons.findings(held).filter { finding in
            !finding.isOfNoPlace || held.rules.entries[finding.rule].rule.merge != .local
        }.map { finding in
            guard !finding.isCertain, let path = held.file.path else { return finding.message }
            return "\(finding.message); to compare it: hearth check \(ShellWord.quoted(path)) --rules FILE"
        }
        return findings.isEmpty ? nil : findings
    }
}
