import LosslessJSON
import MergeCore
import ProfileKeeping

/// The results of comparing rules with the saves on this device, so that a save is compared once and not at every
/// request for the status.
struct RuleComparisons {
    /// A comparison: which text of the file (by its number in the history and its writes) was compared with which rules.
    private struct Compared: Equatable {
        let snapshot: Int64
        let vector: VersionVector
        let rules: RuleSet
    }

    private var known: [ProfileID: (compared: Compared, findings: [RuleFinding])] = [:]

    /// The findings about the rules of a profile. O(save), and bounded as ``RuleSet/findings(in:lookingAt:)`` is, where
    /// the save or the rules are new; else from memory.
    mutating func findings(_ held: KeptProfile) -> [RuleFinding] {
        guard !held.rules.entries.isEmpty, held.rulesHeld == nil, held.file.versionStatus == .current,
            let newest = held.newestSnapshot
        else {
            known[held.id] = nil
            return []
        }
        let compared = Compared(snapshot: newest.number, vector: newest.vector, rules: held.rules)
        if let former = known[held.id], former.compared == compared { return former.findings }
        guard let save = held.newestDocument else { return [] }
        var findings = held.rules.findings(in: save)
        if !findings.isEmpty, let played = Self.lastPlayed(held) {
            // After a reset a place may be gone until the game writes it again. A rule that matched it in the game's last
            // save is right.
            let idle = Set(held.rules.findings(in: played).map(\.rule))
            findings = findings.filter { idle.contains($0.rule) }
        }
        known[held.id] = (compared, findings)
        return findings
    }

    /// The last save of the game here; `nil` where the file still holds it, or no game has saved.
    private static func lastPlayed(_ held: KeptProfile) -> JSONDocument? {
        let history = held.baseHistory
        guard history.newest?.kind != .game, let save = history.candidates.last(where: { $0.kind == .game }) else {
            return nil
        }
        return try? JSONDocument(parsing: save.bytes)
    }

    /// Forgets every profile but the given ones.
    mutating func keep(_ ids: [ProfileID]) {
        let ids = Set(ids)
        known = known.filter { ids.contains($0.key) }
    }
}
