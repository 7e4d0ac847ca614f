import LosslessJSON
package import MergeCore

/// Two profiles become one, because a player asks for it.
///
/// The player's device writes into one profile that it was joined into another, and carries its content over. The other
/// devices get that write, and any member can make one. So a device carries nothing over only because another device
/// wrote a join. If the joined profile has a file here, the player of this device is asked; the answer is a join by
/// this device.
extension ProfileEngine {
    /// The profile that the file of `id` goes to without a question; `nil` for none. Players of two devices joined the same
    /// two profiles, each the other way round, so both have said that they are one. ``ProfileTable/askedTarget(of:)`` is
    /// the same one on both devices. The other device must have kept the profile that it joined: the mere word of a member
    /// moves no file.
    package func crossedTarget(of id: ProfileID) -> ProfileID? {
        guard let kept = profiles.askedTarget(of: id), let other = profiles[kept], other.state.joinedInto == id,
            other.state.joinedBy == other.replica, let state = profiles[id]?.state, state.joinedInto == kept,
            let writer = state.joinedBy, state.vector.sequence(of: writer) > 1
        else { return nil }
        return kept
    }

    /// Hearth's own entries (`#name`, …) that are not copied into the profile that stays.
    static var ofEachProfile: Set<DocumentPath> { [.joined, .forgotten, .beginning, .name, .fileName] }

    /// Joins a profile into another one, and writes down that the player of this device wanted it.
    ///
    /// - Parameter isApart: Whether they were played independently, so that the starts of both count.
    mutating func join(
        _ gone: ProfileID, into kept: ProfileID, isApart: Bool = false, now: Moment
    ) throws(StorageFault) {
        guard var profile = profiles[gone] else { return }
        var atoms: [KeyedAtom] = []
        if profile.state.joinedInto != kept {
            let context = context(profile, now: now.wall, fileTime: now.wall, base: profile.state.vector)
            atoms = profile.state.note(.joined, .string(JSONString(kept.description)), context)
        }
        // The notes are in the same transaction, so the player's answer is not lost if the process is killed before
        // both profiles are one.
        var notes = NoteChange(Self.joiningNotes.key(gone), isApart ? Self.apart : [])
        notes.set(Self.joinedNotes.key(gone), Array(kept.hex.utf8))
        try commit(&profile, atoms: atoms, as: .adopt, at: now.wall, notes: notes)
        try carry(gone, into: kept, replica: profile.replica, now: now)
    }

    /// Takes back that a profile was joined into another one. On every device, the profile is a profile of its own
    /// again. What was carried over stays in the other profile as well.
    package mutating func stayApart(_ id: ProfileID, now: Moment) throws(StorageFault) {
        guard var profile = profiles[id], profile.state.joinedInto != nil else { return }
        let context = context(profile, now: now.wall, fileTime: now.wall, base: profile.state.vector)
        let atoms = profile.state.takeBackJoined(context)
        try commit(&profile, atoms: atoms, as: .rules, at: now.wall, notes: NoteChange(Self.joinedNotes.key(id), nil))
    }

    /// Carries over what a joined profile got from other devices since, if the player of this device joined it. Also
    /// finishes a join of this device that a crash cut short.
    mutating func followJoin(of gone: ProfileID, replica: ReplicaID? = nil, now: Moment) throws(StorageFault) {
        guard let profile = profiles[gone], let kept = try ownTarget(of: gone),
            profile.file.path != nil || profiles[kept]?.vector.covers(profile.vector) != true
        else { return }
        try carry(gone, into: kept, replica: replica ?? profile.replica, now: now)
    }

    // MARK: The player's word on this device

    /// The notes that name the profile into which the player of this device joined another one.
    static var joinedNotes: NoteSpace { NoteSpace("joined") }

    /// The profile that `gone` was joined into, if the player of this device joined these two; else `nil`.
    ///
    /// Players of two devices may join the same two profiles each way at once. Then the smaller id stays, and the
    /// player who has a file of the larger id is asked.
    private func ownTarget(of gone: ProfileID) throws(StorageFault) -> ProfileID? {
        guard let profile = profiles[gone], let kept = profile.joinedInto, kept != gone,
            kept < gone || profiles[kept]?.joinedInto != gone && profile.state.target(of: kept) != gone
        else { return nil }
        let note = try store.note(Self.joinedNotes.key(gone))
        return note.flatMap { ProfileID(hex: String(decoding: $0, as: UTF8.self)) } == kept ? kept : nil
    }

    /// Returns `id`, or the profile that replaces it if the player of this device joined it into another one.
    package func meant(by id: ProfileID) -> ProfileID {
        (try? ownTarget(of: id)) == nil ? id : profiles.canonicalID(id)
    }

    /// Carries the content of a joined profile over to the one that stays, with its file. Safe to repeat.
    private mutating func carry(
        _ gone: ProfileID, into kept: ProfileID, replica: ReplicaID, now: Moment
    ) throws(StorageFault) {
        // Memory and record must agree on the file before another profile gets it.
        try finishInterrupted(gone, now: now)
        guard var source = profiles[gone], kept != gone else { return }
        try source.read()
        try profiles[kept]?.read()
        try writeEnd(&source)
        if var target = profiles[kept] { try writeEnd(&target) }
        // This device may not know the profile that stays yet. Then the joined profile's name and rules come along
        // with its atoms.
        var target =
            profiles[kept]
            ?? KeptProfile(kept, StoredProfile(replica: replica), baseHistory: BaseHistory())
        let path = target.file.path == nil ? source.file.path : nil
        let former = target.state
        let isApart = try isJoinedApart(gone)
        let joined = target.state.join(
            source.state,
            notes: target.state.name == nil ? Self.ofEachProfile.subtracting([.name]) : Self.ofEachProfile,
            of: gone, into: kept)
        // A reset of one profile must not remove the progress of the other.
        let carried = target.state.carryOver(
            joined.overridden, context(target, now: now.wall, fileTime: now.wall, base: target.state.vector))
        // Once: a start that was settled holds the other profile's.
        let isFirst = former.knowsNothing(of: source.state)
        let settled =
            isFirst && isApart != nil
            ? target.state.settleStarts(
                of: former, source.state,
                context(target, now: now.wall, fileTime: now.wall, base: target.state.vector)) : []
        var notes = NoteChange()
        // If two profiles are joined again after a join was taken back, the amounts are counted already.
        let amounts =
            former.hasCounted(joining: gone, into: kept)
            ? [] : isApart.map { former.beside(joining: source.state, under: target.state.rules, isApart: $0) } ?? []
        let beside = target.state.count(
            amounts, besideJoining: gone, context(target, now: now.wall, fileTime: now.wall, base: target.state.vector))
        if isApart != nil { notes.delete(Self.joiningNotes.key(gone)) }
        if let path { handOverFile(at: path, from: &source, to: &target, &notes) }
        target.file.profileJoined()
        target.noteVersionStatus()
        let own: Set<ReplicaID> = [source.replica, target.replica]
        let context = context(target, now: now.wall, fileTime: now.wall, base: VersionVector())
        let shown = target.baseHistory.newest.flatMap { target.document($0) }
        let again =
            target.state.mergeRules(joined, context)
            + target.state.reissue(joined: former, document: path == nil ? shown : nil, own: own, context)
            + target.state.reissue(joined: source.state, document: path == nil ? nil : shown, own: own, context)
        let atoms = joined.atoms + carried + settled + beside + again
        // Once: what the two lost by becoming one is not said again with each write that follows.
        let rules = target.state.rules
        let whole = isFirst ? Projection.document(of: source.state).flatMap { $0.current(rules) ?? $0 } : nil
        let lost = whole.map { target.state.lost(joining: $0, context) } ?? []
        let step = try historyRow(target, atoms.map(\.key), as: .adopt, at: now.wall)
        let replaced = try historyRow(replacing: lost, after: step, at: now.wall, by: target)
        var change = Self.change(joining: source, into: target)
        change.profiles[0].atoms = atoms
        change.profiles[0].history = step
        if let replaced {
            var further = RecordChange.ProfileChange(target.id)
            further.history = replaced
            change.profiles.append(further)
        }
        target.endShown(in: &notes)
        source.endShown(in: &notes)
        change.notes = notes
        try store.commit(change)
        if let last = replaced ?? step { target.history = last.mark }
        target.noteStored()
        profiles[kept] = target
        profiles[gone] = source
        try countBeginnings(in: kept, now: now)
        try takeBackCountedTwice(in: kept, now: now)
    }

    /// Hands the file of a joined profile over to the one that stays, with its snapshots and the remarks about its
    /// saves.
    private mutating func handOverFile(
        at path: String, from source: inout KeptProfile, to target: inout KeptProfile, _ notes: inout NoteChange
    ) {
        // A backup that cannot be made does not stop the join.
        try? makePendingBackups(&source)
        source.pendingBackups = []
        notes.store([], after: profiles[source.id]?.pendingBackups ?? [])
        if let print = source.quarantinePrint {
            (target.quarantinePrint, source.quarantinePrint) = (print, nil)
            notes.set(Self.quarantineNotes.key(target.id), print)
            notes.delete(Self.quarantineNotes.key(source.id))
        }
        for item in source.displaced {
            notes.delete(Self.displacedNotes.key(source.id, item.name))
            notes.set(Self.displacedNotes.key(target.id, item.name), Fingerprint.of(item.bytes))
        }
        target.file.bind(to: path)
        target.ownSaves = source.ownSaves.handedOver(from: source.id, to: target.id, &notes)
        source.ownSaves = OwnSaves()
        target.baseHistory = source.baseHistory
        target.displaced = source.displaced
        target.notices.takeOver(source.notices)
        notes.set(Self.noticeNotes.key(target.id), target.notices.encoded)
        notes.delete(Self.noticeNotes.key(source.id))
        source.file.unbind()
        source.baseHistory = BaseHistory()
        source.displaced = []
        source.notices = SaveNotices()
    }

    /// The change of the record after a join: vector, file and snapshots of both profiles. The caller adds atoms and
    /// history.
    private static func change(joining source: KeptProfile, into target: KeptProfile) -> RecordChange {
        let snapshots = target.baseHistory.rowsForRecord
        var into = RecordChange.ProfileChange(target.id)
        into.vector = target.state.vector
        into.replica = target.replica
        into.file = .some(target.file.path)
        into.baseHistoryFrom = snapshots.first?.number
        into.baseHistory = snapshots
        var from = RecordChange.ProfileChange(source.id)
        from.file = .some(source.file.path)
        if source.file.path == nil { from.baseHistoryFrom = .max }
        var change = RecordChange()
        change.profiles = [into, from]
        return change
    }

    /// Counts what was earned in joined profiles that both began empty. The device whose player joined them counts each
    /// such amount, once it knows how both began. If several devices joined them, one of them counts.
    mutating func countBeginnings(in kept: ProfileID, now: Moment) throws(StorageFault) {
        guard var target = profiles[kept], target.state.beginning != nil else { return }
        for gone in profiles.joined(into: kept) {
            guard let source = profiles[gone], try ownTarget(of: gone) == kept else { continue }
            let context = context(target, now: now.wall, fileTime: now.wall, base: target.state.vector)
            let atoms = target.state.countBeginning(of: source.state, gone, in: kept, context)
            guard !atoms.isEmpty else { continue }
            target.file.compareAll()
            try commit(&target, atoms: atoms, as: .adopt, at: now.wall)
        }
    }
}
