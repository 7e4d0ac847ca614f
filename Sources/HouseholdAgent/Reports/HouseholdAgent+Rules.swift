import LosslessJSON
import MergeCore
import ProfileKeeping
import RuleProposals

/// The rules of a profile, read and changed one by one. A whole rule file is put in force by ``AddRequest``.
extension HouseholdAgent {
    /// The largest number of listed places.
    private static var placeLimit: Int { 12 }

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

    mutating func changeRules(_ call: Call<ChangeRulesRequest>, _ request: ChangeRulesRequest, now: Moment) {
        guard let held = withRules(request.profile, for: call.id) else { return }
        guard RuleLine.lines(of: held.rules) == request.from else {
            let why = "the rules of \(held.name) were changed meanwhile; nothing was changed: look at them again"
            return fail(call.id, .failed, why)
        }
        do {
            var rules = held.rules
            if request.to != request.from { rules = try RuleLine.rules(rules, with: request.to) }
            var report = rulesReport(held, rules)
            if rules != held.rules, let step = try engine.preview(rules, of: held.id, now: now) {
                report.changes = step.changes.prefix(Self.placeLimit).map(ChangeReport.init)
                report.more = step.more + step.changes.count - report.changes.count
            }
            if !request.dryRun { try engine.changeRules(held.id, to: rules, now: now) }
            answer(call) { [report] _ in report }
        } catch let error as RuleError {
            fail(call.id, .usage, error.message)
        } catch {
            fail(call.id, .failed, "\(error)")
        }
    }

    /// The profile of a name, if this version can read its rules. Otherwise the request has been answered.
    private mutating func withRules(_ name: String, for id: RequestID) -> KeptProfile? {
        guard let profile = one(named: name, for: id), let held = engine.profiles[profile] else { return nil }
        if let why = held.rulesHeld {
            let what = "the rules of \(held.name) come from a newer Hearth (\(why)); update Hearth on this device"
            fail(id, .tooOld, what)
            return nil
        }
        return held
    }

    /// The rules with what they do to the save here.
    private func rulesReport(_ held: KeptProfile, _ rules: RuleSet) -> RulesReport {
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
            moves: Array(moves.prefix(Self.placeLimit)), moreMoves: max(0, moves.count - Self.placeLimit), changes: [],
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
