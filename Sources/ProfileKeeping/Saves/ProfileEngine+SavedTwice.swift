import LosslessJSON
import MergeCore

/// The question whether a file was carried from one machine to another by hand, so that what was played once counts twice.
extension ProfileEngine {
    /// The newest steps in which this device's saves are looked for.
    private static var stepsOfSaves: Int { 200 }

    /// Asks the player where what came in is what this device's own saves hold. Both count, since two players may have played
    /// the same; a person is asked because a file carried over by hand looks no different.
    ///
    /// - Parameters:
    ///   - sender: What the sender knows. Saves of this device that it knows are no question: who wrote what came in may
    ///     have read them.
    ///   - own: The replica that wrote for this device before the atoms came.
    ///   - profile: The profile with the atoms; ``profiles`` still holds it without them.
    func askWhatWasSavedTwice(
        _ arriving: [KeyedAtom], from sender: VersionVector?, own: ReplicaID, _ profile: inout KeptProfile
    ) {
        if case .savedTwice(let asked)? = profile.notices.savedTwice?.reason {
            // Another machine's player has answered.
            if asked.allSatisfy(profile.state.isCountedOnce) { profile.notices.savedTwice = nil }
        }
        guard let sender, let former = profiles[profile.id]?.state,
            sender.sequence(of: own) < former.vector.sequence(of: own),
            arriving.contains(where: { $0.key.kind.base == .counter && !former.vector.covers($0.atom.dot) }),
            let saves = saves(of: profile, by: own, beyond: sender.sequence(of: own))
        else { return }
        let amounts = former.savedTwice(saves, by: own, arriving, joined: profile.state)
        ask(amounts, at: saves[0].time, &profile)
    }

    /// Asks the player where a save holds what had come in and was not in its file yet.
    ///
    /// - Parameters:
    ///   - former: The state before the save.
    ///   - profile: The profile with the save, whose snapshots are still those from before.
    func askWhatWasSavedTwice(
        _ save: JSONDocument, since former: ProfileState, _ profile: inout KeptProfile, now: Moment
    ) {
        guard let newest = profile.baseHistory.newest, let shown = profile.document(newest),
            let current = save.current(former.rules)
        else { return }
        let amounts = former.savedTwice(
            current, since: shown, reading: newest.vector, by: profile.replica, written: profile.state)
        ask(amounts, at: now.wall, &profile)
    }

    private func ask(_ amounts: [SavedTwice], at time: WallTime, _ profile: inout KeptProfile) {
        guard !amounts.isEmpty else { return }
        var all: [SavedTwice] = []
        if case .savedTwice(let asked)? = profile.notices.savedTwice?.reason { all = asked }
        for amount in amounts { SavedTwice.add(amount, to: &all) }
        profile.notices.savedTwice = SaveQuestion(
            .savedTwice(all), time: time, vector: profile.state.vector, lowered: [])
    }

    /// The steps of this device's saves after one of its writes, the oldest first; `nil` where there are none or too many,
    /// where the player did more than play, and where the history cannot be read.
    private func saves(of profile: KeptProfile, by own: ReplicaID, beyond known: UInt64) -> [HistoryEntry]? {
        guard let steps = try? history(profile.id, limit: Self.stepsOfSaves) else { return nil }
        var saves: [HistoryEntry] = []
        for step in steps where step.writer == own {
            guard let newest = step.entry.changes.map(\.dot).filter({ $0.replica == own }).map(\.sequence).max() else {
                continue
            }
            if newest <= known { return saves.isEmpty ? nil : saves.reversed() }
            guard step.entry.origin == .save else { return nil }
            saves.append(step.entry)
        }
        return saves.isEmpty || steps.count == Self.stepsOfSaves ? nil : saves.reversed()
    }
}
