import MergeCore

/// What follows from atoms of other devices, whether a delta or a repair brought them.
extension ProfileEngine {
    /// Writes what this device has to say about atoms that came in: its edits beside removals, its values under other
    /// rules, and what lost to a step. Progress that a reset hides goes to the backups, and the player is told.
    ///
    /// - Parameters:
    ///   - joined: What the atoms changed.
    ///   - sender: The full vector of their sender, see ``MergeCore/ProfileState/markEdits(by:since:_:from:_:)``.
    ///   - own: The replica that wrote for this device before they came.
    ///   - profile: The profile with the atoms; ``profiles`` still holds it without them.
    /// - Returns: What was written.
    mutating func answer(
        _ joined: JoinResult, from sender: VersionVector?, own: ReplicaID, _ profile: inout KeptProfile, now: Moment
    ) throws(StorageFault) -> [KeyedAtom] {
        var news: [KeyedAtom] = []
        let before = profiles[profile.id]?.state
        profile.file.stateChanged(at: joined.changed)
        if let before {
            let context = context(profile, now: now.wall, fileTime: now.wall, base: profile.state.vector)
            let marks = profile.state.markEdits(by: own, since: before, joined, from: sender, context)
            news += marks
            profile.file.stateChanged(at: marks.map(\.key))
        }
        let former = before?.rules ?? .empty
        let writer = context(profile, now: now.wall, fileTime: now.wall, base: profile.state.vector)
        news += profile.state.mergeRules(joined, writer)
        if former != profile.state.rules {
            if let before {
                remark(lost: profile.state.lostRules(since: before, of: [own, profile.replica]), &profile)
                remark(madeLocalSince: former, &profile)
                news += try reissue(&profile, since: before, own: [own, profile.replica], now: now)
            }
            profile.file.rulesChanged()
            profile.noteVersionStatus()
        }
        if joined.changed.contains(where: { $0.path == .epochs }) { profile.file.compareAll() }
        guard !joined.overridden.isEmpty else { return news }
        let (again, aside) = profile.state.carryOverBelowSteps(
            joined.overridden, context(profile, now: now.wall, fileTime: now.wall, base: profile.state.vector))
        news += again
        profile.file.stateChanged(at: again.map(\.key))
        if !aside.isEmpty, let newest = profile.baseHistory.newest {
            try keepBackup(newest.bytes, of: &profile, .putAside, now: now.wall)
            remark(overridden: profile.state.placesThatLost(aside, since: before ?? ProfileState()), &profile)
        }
        return news
    }

    /// Makes what came in durable, and does what other profiles and counters ask for after that.
    ///
    /// - Parameters:
    ///   - news: All atoms that are new, those of ``answer(_:from:own:_:now:)`` included.
    ///   - removed: The keys that have no atom any more.
    ///   - replica: The replica id with which a joined profile is carried over, if that needs one.
    ///   - intent: What is about to be done with the file, in the same transaction.
    mutating func store(
        _ profile: inout KeptProfile, news: [KeyedAtom], removed: [AtomKey] = [], notes others: NoteChange,
        replica: ReplicaID? = nil, intent: RecordChange.IntentChange = .keep, now: Moment
    ) throws(StorageFault) {
        let id = profile.id
        // The note of this player's join is deleted once another join replaces it.
        var notes = others
        if let own = profiles[id]?.state.joinedInto, own != profile.state.joinedInto {
            notes.delete(Self.joinedNotes.key(id))
        }
        try commit(&profile, atoms: news, removed: removed, as: .merge, at: now.wall, intent: intent, notes: notes)
        if profile.state.joinedInto != nil { try followJoin(of: id, replica: replica, now: now) }
        try countBeginnings(in: id, now: now)
        try takeBackCountedTwice(in: id, now: now)
        if let kept = profile.state.joinedInto { try takeBackContainedTwice(in: kept, now: now) }
    }
}
