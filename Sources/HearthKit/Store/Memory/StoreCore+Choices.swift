import HouseholdAgent
import LosslessJSON
import MergeCore
import Synchronization

/// Choices that several devices set apart from each other: fields show the alternatives, and what the player decides in
/// a field counts for every device.
extension StoreCore {
    func conflicts(_ link: AgentConnection.Link, _ profile: String) async throws -> [ConflictReport] {
        try await link.ask(ConflictsRequest(profile: profile)).conflicts
    }

    /// Tells the agent the player's decisions. Returns whether there is something new to pull. Call it only while
    /// holding ``mutex``.
    func decideLocked(_ link: AgentConnection.Link, _ profile: String) async throws -> Bool {
        let decided = state.withLock { $0.decided }
        guard !decided.isEmpty, let document = saveSession.document else { return false }
        let places = try await conflicts(link, profile)
        var waiting: [Decision] = []
        for decision in decided where decision.isKept(in: document) {
            guard let place = places.first(where: { $0.place == decision.place }) else { continue }
            guard let index = place.candidates.firstIndex(where: { $0.value == decision.value }) else {
                // The agent has not read this value yet, for example while sync is paused.
                waiting.append(decision)
                continue
            }
            // There is an alternative that the player has not seen, so the choice stays open.
            guard decision.covers(place) else { continue }
            _ = try await link.ask(ResolveRequest(profile: profile, pointer: decision.place, choice: index + 1))
        }
        let still = waiting
        guard still.count < decided.count else { return false }
        let unannounced = state.withLock { state in
            state.decided.removeAll { decided.contains($0) && !still.contains($0) }
            return state.decided
        }
        try? await DiskQueue.shared.run { [slotIndex, place] in
            try slotIndex.note(decided: unannounced, of: place.name)
        }
        return true
    }

    /// Shows the alternatives of open choices in the fields. Call it only while holding ``mutex``.
    func showChoices(_ link: AgentConnection.Link, _ report: SubscriptionReport) async throws {
        let shown = state.withLock { $0.shownChoices }
        guard report.choices > 0 || shown, let profile = report.profile, let document = saveSession.document else {
            return
        }
        var open: [DocumentPath: [OpenAlternative]] = [:]
        let conflicts = report.choices > 0 ? try await conflicts(link, profile) : []
        let decided = state.withLock { $0.decided }
        for conflict in conflicts where conflict.candidates.count > 1 {
            // The player has decided this one, whether or not the agent knows.
            if decided.contains(where: { $0.covers(conflict) && $0.isKept(in: document) }) { continue }
            guard let pointer = try? JSONPointer(parsing: conflict.place),
                let path = DocumentPath(pointer, in: document, rules: saveSession.codec.rules)
            else { continue }
            open[path] = conflict.candidates.sorted { $0.time > $1.time }.compactMap { candidate in
                guard candidate.device != report.device,
                    let value = try? JSONValue(parsing: Array(candidate.value.utf8))
                else { return nil }
                return OpenAlternative(value, device: candidate.device, time: candidate.time)
            }
        }
        let alternatives = open
        try await DiskQueue.shared.run { [saveSession] in try saveSession.setOpen(alternatives) }
        state.withLock { $0.shownChoices = !alternatives.isEmpty }
    }
}
