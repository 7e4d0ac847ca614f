import LosslessJSON
import MergeCore
import ProfileKeeping

/// The short summary of a profile: who played it last, and how far the game has come.
extension HouseholdAgent {
    mutating func summary(_ call: Call<SummaryRequest>, _ name: String) {
        guard let profile = one(named: name, for: call.id), let report = summaryReport(profile) else { return }
        answer(call) { _ in report }
    }

    func summaryReport(_ profile: ProfileID) -> SummaryReport? {
        guard let held = engine.profiles[profile] else { return nil }
        let last = lastPlay(held)
        return SummaryReport(
            profile: held.name, id: profile.description, device: last.map { deviceName($0.replica) },
            lastPlayed: last?.time.milliseconds, fields: Self.headline(merged(held), held.rules))
    }

    /// The last play that is known: the newest write with a time, or the newest step of the history, if it changed nothing but
    /// what has none (a counter, a maximum, a union). Such a step of another machine has the time at which it came in here:
    /// when it was played, only that machine knows.
    private func lastPlay(_ held: KeptProfile) -> LastWrite? {
        let written = held.state.lastWrite
        // The first step is how the profile came, and to read it takes as long as to read the profile.
        guard engine.historyNumber(held.id) > 1, let step = try? engine.historyStep(held.id, nil),
            [.save, .merge].contains(step.entry.origin), let writer = step.entry.writers.first,
            written.map({ $0.time < step.entry.time }) ?? true,
            !step.entry.changes.contains(where: { held.rules.rule(for: $0.path).keepsTime })
        else { return written }
        return LastWrite(time: step.entry.time, replica: writer)
    }

    /// The largest number of fields in a summary.
    private static var fieldLimit: Int { 6 }

    /// The fields that show how far a player has come, as far as the rules show it: first values that only grow or are
    /// counted, then the sizes of lists, then the rest. Only fields directly in the document, in its order.
    private static func headline(_ text: [UInt8]?, _ rules: RuleSet) -> [SummaryReport.Field] {
        guard let text, let document = try? JSONDocument(parsing: text),
            case .object(let members) = document.value(document.root)
        else { return [] }
        var ranked: [(rank: Int, field: SummaryReport.Field)] = []
        for member in members {
            let path = DocumentPath([.member(member.key)])
            let rule = rules.rule(for: path).merge
            guard rule != .local else { continue }
            let value: String
            switch member.value {
            case .array(let elements): value = "\(elements.count) \(elements.count == 1 ? "entry" : "entries")"
            case .object, .null: continue
            default: value = String(decoding: member.value.jsonBytes, as: UTF8.self)
            }
            let isList = if case .array = member.value { true } else { false }
            let rank = isList ? 1 : rule == .latest || rule == .choice ? 2 : 0
            ranked.append((rank, SummaryReport.Field(place: path.description, value: String(value.prefix(200)))))
        }
        let chosen = (0...2).flatMap { rank in ranked.filter { $0.rank == rank } }.prefix(fieldLimit)
        return chosen.map(\.field)
    }
}

extension MergeRule {
    /// Whether what a game writes under this rule says when it was written.
    fileprivate var keepsTime: Bool { [.latest, .choice, .furthest].contains(merge) }
}
