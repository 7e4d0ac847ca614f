import LosslessJSON
import MergeCore
import ProfileKeeping

/// Rules that do nothing, or not what was meant: said until they match.
extension HouseholdAgent {
    /// Most bytes of a save that is compared with its rules whenever somebody asks how things are.
    private static var comparedLimit: Int { 4 << 20 }

    /// What the rules of a profile and the save here say of each other; `nil` where they agree.
    func ruleFindings(_ id: ProfileID) -> [String]? {
        guard let held = keeper.profiles[id], !held.state.rules.entries.isEmpty, held.state.rulesHeld == nil,
            held.standing == .current, let newest = held.lineage.newest, newest.bytes.count <= Self.comparedLimit,
            let save = try? JSONDocument(parsing: newest.bytes)
        else { return nil }
        let findings = held.state.rules.findings(in: save).map(\.message)
        return findings.isEmpty ? nil : findings
    }
}
