import HouseholdAgent
import LosslessJSON
import MergeCore
import Synchronization

/// Choices that were set apart on several devices: the fields show what stands against them, and what the player
/// decides in a field counts for every device.
extension StoreCore {
    func conflicts(_ link: AgentTie.Link, _ profile: String) async throws -> [ConflictReport] {
        let reply = try await link.ask(.conflicts(profile: profile))
        guard case .conflicts(let reports) = reply else { throw refusal(reply) }
        return reports
    }

    /// Has the agent decide what the player decided in fields. Returns whether something was decided. To be called in
    /// turn.
    func decideInTurn(_ link: AgentTie.Link, _ profile: String) async throws -> Bool {
        let decided = state.withLock { $0.decided }
        guard !decided.isEmpty, let document = desk.document else { return false }
        let places = try await conflicts(link, profile)
        var waiting: [String] = []
        for pointer in decided {
            guard let place = places.first(where: { $0.place == pointer }),
                let node = (try? JSONPointer(parsing: pointer)).flatMap({ document.node(at: $0) })
            else { continue }
            let text = String(decoding: document.value(node).jsonBytes, as: UTF8.self)
            guard let index = place.candidates.firstIndex(where: { $0.value == text }) else {
                // The agent has not taken it up yet, as while sync is paused.
                waiting.append(pointer)
                continue
            }
            _ = try answered(await link.ask(.resolve(profile: profile, pointer: pointer, choice: index + 1)))
        }
        let still = waiting
        guard still.count < decided.count else { return false }
        let untold = state.withLock { state in
            state.decided.removeAll { decided.contains($0) && !still.contains($0) }
            return state.decided
        }
        try? await DiskQueue.shared.run { [book, place] in try book.note(decided: untold, of: place.name) }
        return true
    }

    /// Shows in the fields what stands against them. To be called in turn.
    func showChoices(_ link: AgentTie.Link, _ report: AttachmentReport) async throws {
        let shown = state.withLock { $0.shownChoices }
        guard report.choices > 0 || shown, let profile = report.profile, let document = desk.document else { return }
        var open: [DocumentPath: [OpenAlternative]] = [:]
        let conflicts = report.choices > 0 ? try await conflicts(link, profile) : []
        for conflict in conflicts where conflict.candidates.count > 1 {
            guard let pointer = try? JSONPointer(parsing: conflict.place),
                let path = DocumentPath(pointer, in: document, rules: desk.codec.rules)
            else { continue }
            open[path] = conflict.candidates.sorted { $0.time > $1.time }.compactMap { candidate in
                guard candidate.device != report.device,
                    let value = try? JSONValue(parsing: Array(candidate.value.utf8))
                else { return nil }
                return OpenAlternative(value, device: candidate.device, time: candidate.time)
            }
        }
        let alternatives = open
        try await DiskQueue.shared.run { [desk] in try desk.setOpen(alternatives) }
        state.withLock { $0.shownChoices = !alternatives.isEmpty }
    }
}
