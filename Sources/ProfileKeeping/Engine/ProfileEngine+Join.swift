import LosslessJSON
package import MergeCore

/// The result of joining a delta.
package enum JoinOutcome: Hashable, Sendable {
    /// The delta is stored.
    case joined
    /// The delta begins beyond what is known here. The caller asks again, from this device's own vector.
    case gap
    /// The delta holds dots of this device's replica that this device never wrote: its record was rolled back or
    /// cloned. It writes under a new replica id from now on, and none of its writes was lost.
    case joinedAsNewReplica
    /// The delta breaks a rule that no correct device breaks, and nothing of it is stored. The text is the end of a
    /// sentence that says which.
    case refused(String)
    /// The same for atoms of an epoch that no device declared, as far as this device was told. The caller asks once for
    /// everything that the sender has: that says who declared it.
    case undeclared(String)
    /// These replicas wrote of other writes that are neither here nor in the delta, and nothing of it is stored. The caller
    /// asks once for everything that the sender has, and then leaves those replicas out.
    case unread(Set<ReplicaID>)
    /// With what is held of them here these replicas declare more epochs than one may, and nothing of the delta is
    /// stored: this device or the sender was told untruths of them, or their device told untruths. The text is the end of
    /// a sentence that says which limit it is.
    case crowded(Set<ReplicaID>, String)
    /// With these replicas' writes the profile would hold more than it may, and nothing of the delta is stored.
    case full(Set<ReplicaID>)
}

extension ProfileEngine {
    /// Joins what another device wrote. Durable when it returns. The caller has checked that `to` says of no replica more
    /// than the device said that writes as it.
    ///
    /// - Parameters:
    ///   - from: The vector that the sender assumed to be known here.
    ///   - to: The vector that is covered after the join.
    ///   - freshReplica: The replica id to write under, if the profile is new here or its own replica has another
    ///     history elsewhere. It may be the profile's own: then this device goes on beyond that other history.
    ///   - notes: What becomes durable in the same transaction.
    ///   - leftOut: How far a named replica has written whose writes are left out of the profile here, where a writer may
    ///     have read them.
    ///   - overfull: Told the state before and after the join: the replicas whose writes make it hold too much.
    package mutating func join(
        _ id: ProfileID, atoms: [KeyedAtom], from: VersionVector, to: VersionVector, sender: VersionVector? = nil,
        freshReplica: ReplicaID, notes others: NoteChange = NoteChange(),
        leftOut: (_ named: ReplicaID, _ writer: ReplicaID) -> UInt64 = { _, _ in 0 },
        overfull: (_ former: ProfileState, _ new: ProfileState) -> Set<ReplicaID> = { _, _ in [] }, now: Moment
    ) throws(StorageFault) -> JoinOutcome {
        try join(
            id, atoms: atoms, from: from, to: to, sender: sender, freshReplica: freshReplica, notes: others,
            leftOut: leftOut, overfull: overfull, writing: nil, now: now
        ).outcome
    }

    /// The same, and writes what came in into the file at once, where nothing stands against it: what is joined and the
    /// intent to write it become durable in one transaction.
    ///
    /// - Parameter tag: Makes the name of the temporary file unique; `nil` where the file may not be written now.
    /// - Returns: Also what came of the file; `nil` where it was not to be written, and ``project(_:tag:like:now:)`` has
    ///   to look.
    package mutating func join(
        _ id: ProfileID, atoms: [KeyedAtom], from: VersionVector, to: VersionVector, sender: VersionVector? = nil,
        freshReplica: ReplicaID, notes others: NoteChange = NoteChange(),
        leftOut: (_ named: ReplicaID, _ writer: ReplicaID) -> UInt64 = { _, _ in 0 },
        overfull: (_ former: ProfileState, _ new: ProfileState) -> Set<ReplicaID> = { _, _ in [] },
        writing tag: UInt64?, now: Moment
    ) throws(StorageFault) -> (outcome: JoinOutcome, file: ProjectOutcome?) {
        var profile = profiles[id] ?? KeptProfile(id, StoredProfile(replica: freshReplica), baseHistory: BaseHistory())
        guard profile.state.vector.covers(from) else { return (.gap, nil) }
        if let reason = profile.state.refusal(of: atoms) {
            let crowded = profile.state.crowded(by: atoms)
            guard crowded.isEmpty else { return (.crowded(crowded, reason), nil) }
            return (profile.state.lacksDeclaration(of: atoms) ? .undeclared(reason) : .refused(reason), nil)
        }
        let unread = profile.state.writersBeyondReads(in: atoms, upTo: to, leftOut: leftOut)
        guard unread.isEmpty else { return (.unread(Set(unread.keys)), nil) }
        let own = profile.replica
        let isReused = isReplicaReused(to, profile)
        let written = isReused ? profile.writtenByOwnReplica : []
        // A sender of a whole state may include an epoch that this device's vector covers, though its declaration is
        // not stored here.
        let known = atoms.filter { $0.key.kind == .epoch && profile.state.vector.covers($0.atom.dot) }
        var joined = profile.state.join(atoms, vector: to)
        let full = overfull(profiles[id]?.state ?? ProfileState(), profile.state)
        guard full.isEmpty else { return (.full(full), nil) }
        var news = joined.atoms
        if isReused {
            profile.replica = freshReplica
            let context = context(profile, now: now.wall, fileTime: now.wall, base: profile.state.vector)
            news += profile.state.reissue(written, from: own, context)
        }
        if !known.isEmpty {
            news += profile.state.declareAgain(known, as: profile.replica, &joined)
            // Atoms that are covered here were dropped, so their epochs need no declaration.
            if let reason = profile.state.refusal(of: joined.atoms) { return (.refused(reason), nil) }
        }
        news += try answer(joined, from: sender, own: own, &profile, now: now)
        askWhatWasSavedTwice(atoms, from: sender, own: own, &profile, now: now)
        let write = tag.flatMap { planWrite(&profile, tag: $0, now: now) }
        try store(
            &profile, news: news, notes: others, replica: freshReplica, intent: write.map { .set($0.intent) } ?? .keep,
            now: now)
        return (isReused ? .joinedAsNewReplica : .joined, write.map { carryOut($0, of: id, now: now) })
    }

    /// Writes as another replica from now on, and writes the former replica's atoms again under it. Called if this
    /// device can no longer sign for the writes of its former replica.
    package mutating func writeAsNewReplica(
        _ id: ProfileID, freshReplica: ReplicaID, now: Moment
    ) throws(StorageFault) {
        guard var profile = profiles[id] else { return }
        let (own, atoms) = (profile.replica, profile.writtenByOwnReplica)
        profile.replica = freshReplica
        let context = context(profile, now: now.wall, fileTime: now.wall, base: profile.state.vector)
        try commit(&profile, atoms: profile.state.reissue(atoms, from: own, context), as: .merge, at: now.wall)
    }

    /// Writes as another replica from now on. What the former one wrote stays as it is.
    package mutating func switchReplica(of id: ProfileID, to replica: ReplicaID) throws(StorageFault) {
        guard var profile = profiles[id] else { return }
        profile.replica = replica
        try commit(&profile)
    }

    /// Whether another device wrote under this device's replica id: more writes than this device made, or as many with
    /// another history.
    private func isReplicaReused(_ other: VersionVector, _ profile: KeptProfile) -> Bool {
        guard let theirs = other.entries[profile.replica] else { return false }
        let ours = profile.state.vector.entries[profile.replica]
        guard let ours, theirs.sequence <= ours.sequence else { return true }
        return theirs.sequence == ours.sequence && theirs.history != ours.history
    }

    /// Puts other rules in force for the whole household, also in place of rules that this version cannot use. Rules of
    /// an earlier version are refused, and so are rules under which the save here cannot be used.
    package mutating func changeRules(_ id: ProfileID, to rules: RuleSet, now: Moment) throws(AdoptFault) {
        guard var profile = profiles[id], profile.state.rules != rules || profile.state.rulesHeld != nil else { return }
        let former = profile.state.rules
        var document = profile.merged
        var baseHistory: BaseHistory.Change?
        let versionChange = rules.versionChange(from: former)
        switch versionChange {
        case .none: break
        case .earlier:
            throw AdoptFault(
                "these rules are of version \(rules.version ?? ""), older than those in force (\(former.version ?? "")); "
                    + "nothing was changed: add the rules of the later version")
        case .later:
            guard let merged = document, case .refused(let why, _) = VersionStatus(merged, rules) else { break }
            // The game may have taken its file to the new version by itself, in a way that no rules describe.
            guard let upcasted = presentDocument(profile), VersionStatus(upcasted, rules) == .current else {
                throw AdoptFault("\(profile.file.path ?? profile.name) \(why); nothing was changed")
            }
            document = upcasted
            // The save is taken up with the rules, in one transaction. As a later edit it would count a second time.
            scheduleBackupOfFormer(&profile, now: now)
            baseHistory = profile.baseHistory.appendGame(upcasted.bytes, vector: profile.state.vector)
        }
        let context = context(profile, now: now.wall, fileTime: now.wall, base: profile.state.vector)
        let written = profile.state.changeRules(to: rules, document: document, context)
        if versionChange == .none { try refuseOtherElements(profile, beside: document, since: former) }
        profile.file.rulesChanged()
        profile.notices.forget(rulesInForce: Set(profile.state.rules.words))
        remark(madeLocalSince: nil, &profile)
        profile.noteVersionStatus()
        do {
            try commit(&profile, atoms: written.atoms, as: .rules, at: now.wall, baseHistory: baseHistory)
        } catch {
            throw AdoptFault(error.message)
        }
    }

    /// Refuses rules that tell the elements of an array apart by another member than before, where they would be there
    /// twice or be taken for one another.
    private func refuseOtherElements(
        _ profile: KeptProfile, beside document: JSONDocument?, since former: RuleSet
    ) throws(AdoptFault) {
        guard let document, let place = profile.state.arrayOfOthers(beside: document, since: former) else { return }
        let array = place.inOneLine
        throw AdoptFault(
            "by these rules \(profile.name) would hold elements twice, or one in the place of another: those at \(array) "
                + "were told apart by another member before; nothing was changed: keep that member, or put rules in force "
                + "first that have no line below \(array), wait until each machine has them, and then these")
    }

    /// What other rules of the same version would change in what the profile shows; `nil` where no such profile
    /// is known. Changes nothing.
    package func preview(
        _ rules: RuleSet, of id: ProfileID, now: Moment
    ) throws(AdoptFault) -> HistoryEntry? {
        guard var profile = profiles[id] else { return nil }
        let former = profile.state
        let context = context(profile, now: now.wall, fileTime: now.wall, base: former.vector)
        let document = profile.merged
        let written = profile.state.changeRules(to: rules, document: document, context)
        try refuseOtherElements(profile, beside: document, since: former.rules)
        return profile.state.history(since: former, touching: written.atoms.map(\.key), at: now.wall, as: .rules)
    }

    /// The content of the profile's file now; `nil` where it is no save.
    private func presentDocument(_ profile: KeptProfile) -> JSONDocument? {
        guard let path = profile.file.path, let content = try? files.read(path, limit: Self.fileLimit) else {
            return nil
        }
        return try? profile.parse(content.bytes)
    }

    /// Gives the profile another name on all devices.
    package mutating func rename(_ id: ProfileID, to name: String, now: Moment) throws(StorageFault) {
        guard var profile = profiles[id], profile.state.name != name else { return }
        let context = context(profile, now: now.wall, fileTime: now.wall, base: profile.state.vector)
        let atoms = profile.state.note(.name, .string(JSONString(name)), context)
        try commit(&profile, atoms: atoms, as: .rules, at: now.wall)
    }

    /// Writes this device's own values again after rules came from another device. Of amounts that are not counted again,
    /// since that could be twice, the save goes to the backups, and the player is told.
    mutating func reissue(
        _ profile: inout KeptProfile, since before: ProfileState, own: Set<ReplicaID>, now: Moment
    ) throws(StorageFault) -> [KeyedAtom] {
        guard before.rules != profile.state.rules, let newest = profile.baseHistory.newest,
            let document = profile.document(newest)
        else { return [] }
        let context = context(profile, now: now.wall, fileTime: now.wall, base: VersionVector())
        let written = profile.state.reissue(since: before, document: document, own: own, context)
        if !written.overridden.isEmpty {
            try keepBackup(newest.bytes, of: &profile, .putAside, now: now.wall)
            remark(uncounted: written.overridden, &profile)
        }
        return written.atoms
    }
}

extension KeptProfile {
    /// The atoms that this device wrote as its present replica and that are in the state.
    fileprivate var writtenByOwnReplica: [KeyedAtom] {
        state.delta(beyond: VersionVector()).filter { $0.atom.dot.replica == replica }
    }
}
