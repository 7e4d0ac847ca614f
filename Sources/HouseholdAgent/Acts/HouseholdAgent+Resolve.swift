import LosslessJSON
import MergeCore
import ProfileKeeping

/// Choices that wait for the player: what they are, and their decision.
extension HouseholdAgent {
    /// Lists every choice that waits for the player, and every counter below zero because several devices spent it at
    /// once.
    mutating func conflicts(_ call: Call<ConflictsRequest>, _ name: String?) {
        var wanted = engine.ids
        if let name {
            guard let profile = one(named: name, for: call.id) else { return }
            wanted = [profile]
        }
        answer(call) { agent in
            var found: [ConflictReport] = []
            for profile in wanted { found += agent.conflicts(of: profile) }
            return ConflictList(conflicts: found)
        }
    }

    func conflicts(of id: ProfileID) -> [ConflictReport] {
        guard let held = engine.profiles[id], engine.profiles.isOffered(id) else { return [] }
        let choices = held.state.openChoices.map { path in
            ConflictReport(
                profile: held.name, id: id.description, place: path.description,
                candidates: Self.listed(held.state.openChoice(path)).compactMap { candidate in
                    candidate.value.map {
                        ConflictReport.Candidate(
                            value: String(decoding: $0.jsonBytes, as: UTF8.self),
                            device: deviceName(candidate.dot.replica), time: candidate.stamp.time.milliseconds)
                    }
                }, handle: otherHandle(id))
        }
        return choices
            + held.state.shortfalls.map { shortfall in
                ConflictReport(
                    profile: held.name, id: id.description, place: shortfall.path.description, candidates: [],
                    information: words(shortfall))
            }
    }

    /// The values of a choice in the order in which they are listed: by the machines that wrote them. So a machine's number
    /// stays while a game goes on there, and the player who has read the list takes no value of another machine.
    private static func listed(_ candidates: [Candidate]) -> [Candidate] {
        candidates.sorted { $0.dot.replica < $1.dot.replica }
    }

    /// The sentence about a counter below zero. The safe default is in force already: what was bought stays, and the
    /// save shows 0.
    private func words(_ shortfall: Shortfall) -> String {
        let spent = shortfall.spent.map { "\(deviceName($0.replica)) spent \($0.amount.text)" }.joined(separator: ", ")
        let missing = shortfall.amount.text.drop { $0 == "-" }
        return
            "is −\(missing), because it was spent on several devices at once (\(spent)); the save shows 0 "
            + "until \(missing) are earned, and everything bought stays"
    }

    /// Decides a choice for every device. `choice` counts from 1, in the order that conflicts are listed in; `seen` is the
    /// value that the player saw there, because values of other devices may have come in since.
    mutating func resolve(
        _ call: Call<ResolveRequest>, _ name: String, _ pointer: String, _ choice: Int, seen: String?, now: Moment
    ) {
        guard let profile = one(named: name, for: call.id), let held = engine.profiles[profile],
            let path = place(call.id, pointer, in: held)
        else { return }
        let candidates = Self.listed(held.state.openChoice(path))
        guard !candidates.isEmpty else {
            return fail(
                call.id, .failed, "nothing waits for a decision at \(pointer); 'hearth conflicts' lists what does")
        }
        guard candidates.indices.contains(choice - 1), let value = candidates[choice - 1].value else {
            return fail(call.id, .usage, "there are \(candidates.count) values to choose from, not \(choice)")
        }
        guard seen == nil || seen == String(decoding: value.jsonBytes, as: UTF8.self) else {
            let why = "value \(choice) at \(pointer) is another one by now; 'hearth conflicts' lists what there is"
            return fail(call.id, .failed, why)
        }
        do {
            try engine.perform(.decide(path, value), on: profile, now: now)
            // The values may have moved since they were listed.
            let taken = String(decoding: value.jsonBytes, as: UTF8.self).prefix(200)
            answer(call) { ProfileAnswer(profile: $0.report(profile), note: "\(path) is \(taken) now") }
        } catch {
            fail(call.id, .failed, error.message)
        }
    }
}
