import MergeCore
import ProfileKeeping

/// Other rules for a profile, changed one by one. A whole rule file is put in force by ``AddRequest``.
extension HouseholdAgent {
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
                report.changes = step.changes.prefix(Self.movesShown).map(ChangeReport.init)
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
}
