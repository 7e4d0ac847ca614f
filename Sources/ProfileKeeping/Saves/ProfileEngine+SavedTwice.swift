import LosslessJSON
import MergeCore

/// The question whether a file was carried from one machine to another by hand, so that what was played once counts twice.
extension ProfileEngine {
    /// The most steps among which this device's saves are looked for, and how many are read at once.
    private static var stepsOfSaves: Int { 200 }
    private static var stepsAtOnce: Int { 10 }

    /// Asks the player where what came in is what this device's own saves hold. Both count, since two players may have played
    /// the same; a person is asked because a file carried over by hand looks no different.
    ///
    /// - Parameters:
    ///   - sender: What the sender knows. Saves of this device that it knows are no question: who wrote what came in may
    ///     have read them.
    ///   - own: The replica that wrote for this device before the atoms came.
    ///   - profile: The profile with the atoms; ``profiles`` still holds it without them.
    func askWhatWasSavedTwice(
        _ arriving: [KeyedAtom], from sender: VersionVector?, own: ReplicaID, _ profile: inout KeptProfile, now: Moment
    ) {
        guard let sender, let former = profiles[profile.id]?.state, former.rules == profile.state.rules,
            sender.sequence(of: own) < former.vector.sequence(of: own),
            arriving.contains(where: { $0.key.kind.base == .counter && !former.vector.covers($0.atom.dot) }),
            let saves = saves(of: profile, by: own, beyond: sender.sequence(of: own))
        else { return }
        ask(former.savedTwice(saves, by: own, arriving, joined: profile.state), &profile, now: now)
    }

    /// The amounts of a save that had come in already, and that its file did not show yet. To be asked for before the save
    /// is written, and to be handed to ``askWhatWasSavedTwice(_:_:now:)`` afterwards.
    func savedBefore(_ save: JSONDocument, _ profile: KeptProfile) -> [SavedBefore] {
        guard let newest = profile.baseHistory.newest, !newest.vector.covers(profile.state.vector),
            let shown = profile.document(newest), let current = save.current(profile.state.rules)
        else { return [] }
        return profile.state.savedBefore(current, since: shown, reading: newest.vector, by: profile.replica)
    }

    /// Asks the player about such amounts, once the save is written.
    func askWhatWasSavedTwice(_ before: [SavedBefore], _ profile: inout KeptProfile, now: Moment) {
        if !before.isEmpty { ask(profile.state.savedTwice(before, by: profile.replica), &profile, now: now) }
    }

    private func ask(_ amounts: [SavedTwice], _ profile: inout KeptProfile, now: Moment) {
        guard !amounts.isEmpty else { return }
        var all = stillOpen(profile)
        for amount in amounts { SavedTwice.add(amount, to: &all) }
        // Another time makes it another question: an answer to the former one is none to this one.
        profile.notices.savedTwice = SaveQuestion(
            .savedTwice(all), time: now.wall, vector: profile.state.vector, lowered: [])
    }

    /// Ends the question where none of its amounts counts twice any more: another machine's player has answered, the place
    /// was reset, restored or taken back since, or it is a counter no more.
    func endAnsweredSavedTwice(_ profile: inout KeptProfile) {
        guard let question = profile.notices.savedTwice, case .savedTwice(let asked) = question.reason else { return }
        let open = stillOpen(profile)
        guard open != asked else { return }
        profile.notices.savedTwice =
            open.isEmpty
            ? nil : SaveQuestion(.savedTwice(open), time: question.time, vector: question.vector, lowered: [])
    }

    /// The amounts that are asked about and count twice still.
    private func stillOpen(_ profile: KeptProfile) -> [SavedTwice] {
        guard let question = profile.notices.savedTwice, case .savedTwice(let amounts) = question.reason else {
            return []
        }
        let former = profiles[profile.id]?.state.rules ?? profile.state.rules
        let rules = profile.state.rules
        let isSameVersion = former.version == rules.version && former.versionAt == rules.versionAt
        return amounts.filter { amount in
            isSameVersion && former.rule(for: amount.path) == rules.rule(for: amount.path)
                && profile.state.countsTwice(amount, since: question.vector)
        }
    }

    /// The steps of this device's saves after one of its writes, the oldest first; `nil` where there are none or too many,
    /// where the player did more than play, and where the history cannot be read.
    private func saves(of profile: KeptProfile, by own: ReplicaID, beyond known: UInt64) -> [HistoryEntry]? {
        var (saves, below, count) = ([] as [HistoryEntry], Int64.max, 0)
        while count < Self.stepsOfSaves {
            guard let rows = try? store.history(profile.id, below: below, limit: Self.stepsAtOnce), let last = rows.last
            else { return nil }
            for row in rows where row.writer == own {
                // With the step without changes the profile came.
                guard !row.changes.isEmpty else { return saves.isEmpty ? nil : saves.reversed() }
                guard let entry = try? HistoryEntry(time: row.time, origin: row.origin, encodedChanges: row.changes)
                else { return nil }
                let newest = entry.changes.map(\.dot).filter { $0.replica == own }.map(\.sequence).max()
                guard let newest else { continue }
                if newest <= known { return saves.isEmpty ? nil : saves.reversed() }
                guard entry.origin == .save else { return nil }
                saves.append(entry)
            }
            count += rows.count
            guard rows.count == Self.stepsAtOnce else { return saves.isEmpty ? nil : saves.reversed() }
            below = last.mark.number
        }
        return nil
    }
}
