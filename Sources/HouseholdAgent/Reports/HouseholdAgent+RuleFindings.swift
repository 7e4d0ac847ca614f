import LosslessJSON
import MergeCore
import ProfileKeeping

/// Findings about rules that match nothing in the save, or do not do what their author meant. They are reported until
/// the rules match.
extension HouseholdAgent {
    /// The largest save, in bytes, that is compared with its rules at every request for the status.
    private static var comparedLimit: Int { 4 << 20 }

    /// Findings from comparing a profile's rules with the save here; `nil` where there are none.
    func ruleFindings(_ id: ProfileID) -> [String]? {
        guard let held = engine.profiles[id], !held.state.rules.entries.isEmpty, held.state.rulesHeld == nil,
            held.file.versionStatus == .current, let newest = held.baseHistory.newest,
            newest.bytes.count <= Self.comparedLimit,
            let save = try? JSONDocument(parsing: newest.bytes)
        else { return nil }
        let findings = held.state.rules.findings(in: save).map(\.message)
        return findings.isEmpty ? nil : findings
    }
}
