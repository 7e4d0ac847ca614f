import LosslessJSON
import MergeCore
import ProfileKeeping
import RuleProposals

/// The rules of a profile, one by one.
extension HouseholdAgent {
    /// The largest number of places that a report about other rules lists.
    static var movesShown: Int { 12 }

    mutating func listRules(_ call: Call<RulesRequest>, _ name: String, guess: Bool) {
        guard let held = withRules(name, for: call.id) else { return }
        var report = rulesReport(held, held.rules)
        if guess { report.guesses = guesses(for: held) }
        answer(call) { [report] _ in report }
    }

    /// The rules that the save suggests, whatever rules are in force.
    private func guesses(for held: KeptProfile) -> [RulesReport.Guess] {
        guard let document = merged(held).flatMap({ try? JSONDocument(parsing: $0) }) else { return [] }
        let proposal = RuleProposal(for: document)
        return zip(RuleLine.lines(of: proposal.rules), proposal.guesses).map {
            RulesReport.Guess(rule: $0, reason: $1.reason)
        }
    }

    /// The profile of a name, if this version can read its rules. Otherwise the request has been answered.
    mutating func withRules(_ name: String, for id: RequestID) -> KeptProfile? {
        guard let profile = one(named: name, for: id), let held = engine.profiles[profile] else { return nil }
        if let why = held.rulesHeld {
            let what = "the rules of \(held.name) come from a newer Hearth (\(why)); update Hearth on this device"
            fail(id, .tooOld, what)
            return nil
        }
        return held
    }

    /// The rules with what they do to the save here.
    func rulesReport(_ held: KeptProfile, _ rules: RuleSet) -> RulesReport {
        let document = merged(held).flatMap { try? JSONDocument(parsing: $0) }
        let findings = document.map { rules.findings(in: $0, lookingAt: 50_000) } ?? []
        let reach = document.map { RuleReach(of: rules, in: $0) }
        let rows = RuleLine.lines(of: rules).enumerated().map { index, line in
            RulesReport.Row(
                rule: line, places: reach?.counts[index] ?? 0,
                finding: findings.first { $0.rule == index }?.message)
        }
        var moves: [RulesReport.Move] = []
        if let document, let reach, rules != held.rules {
            moves = Self.moves(from: RuleReach(of: held.rules, in: document), to: reach)
        }
        return RulesReport(
            profile: held.name, id: "\(held.id)", rules: rows, others: reach?.others ?? 0,
            scopes: Self.some(rules.resets.map(\.name)), isWhole: reach?.isWhole ?? true,
            hasText: held.rules.source != nil,
            moves: Array(moves.prefix(Self.movesShown)), moreMoves: max(0, moves.count - Self.movesShown), changes: [],
            more: 0)
    }

    /// The places at which other rules decide, in the order of their spelling.
    private static func moves(from old: RuleReach, to new: RuleReach) -> [RulesReport.Move] {
        let places = Set(old.places.keys).union(new.places.keys)
        return places.sorted().compactMap { place in
            let (before, after) = (old.places[place], new.places[place])
            guard before != after else { return nil }
            return RulesReport.Move(place: place, old: before.map(RuleLine.words), new: after.map(RuleLine.words))
        }
    }
}
