import MergeCore
import ProfileKeeping
import SyncProtocol

/// Taking the saves that are new here and came in one piece: the first sync of many.
extension HouseholdAgent {
    /// A delta of a profile that is new here, and what of it may be joined.
    private struct Arrival {
        let delta: IncomingDelta
        let admission: DeltaAdmission
        let writers: Set<DeviceKey>
        /// The replica as which this device is going to write.
        let own: ReplicaOrigin
    }

    /// Takes the first of a link's actions in one transaction, as far as they are deltas of profiles that are new here and
    /// nothing is out of the ordinary. All that is said of them waits for that transaction.
    ///
    /// - Returns: How many were taken; the next one is to be taken alone. `nil` where the transaction failed: then each is
    ///   to be taken alone, so that the fault stops no other profile.
    mutating func takeNew(
        _ linkActions: ArraySlice<LinkAction>, from id: ConnectionID, _ live: LiveLink, now: Moment
    ) -> Int? {
        // A single profile needs one transaction with or without a batch.
        guard linkActions.prefix(2).allSatisfy({ if case .delta = $0 { true } else { false } }), linkActions.count > 1
        else { return 0 }
        var arrivals: [Arrival] = []
        var room = begun
        engine.beginNew()
        for action in linkActions {
            guard case .delta(let delta) = action, let arrival = join(delta, live, room, now: now) else { break }
            room.began(arrival.writers)
            arrivals.append(arrival)
        }
        do {
            try engine.commitNew()
        } catch {
            return nil
        }
        if !arrivals.isEmpty { recordWorks() }
        begun = room
        for arrival in arrivals {
            let profile = arrival.delta.profile
            stored(arrival.admission)
            origins.add(arrival.own)
            relayedAcks.changed(profile)
            afterSettling { $0.acknowledge(profile, on: id, now: now) }
            compareHearsay(by: arrival.delta, from: live, on: id, now: now)
        }
        return arrivals.count
    }

    /// Joins a profile that is new here, and stores nothing yet. `nil` where it is not new, or something is out of the
    /// ordinary; then nothing was done.
    private mutating func join(
        _ whole: IncomingDelta, _ live: LiveLink, _ room: BegunProfiles, now: Moment
    ) -> Arrival? {
        guard engine.profiles[whole.profile] == nil else { return nil }
        let admission = DeltaAdmission(
            whole, from: live.peerKey, covered: VersionVector(), known: origins, roster: household.roster,
            leftOut: leftOut, asksAgain: leftOut.isDue(whole.profile, now: now.monotonic))
        let delta = admission.delta
        guard admission.verdict == .taken, admission.leftOut.isEmpty, admission.beyondCut.isEmpty,
            !delta.to.entries.isEmpty
        else { return nil }
        let writers = Set(delta.to.entries.keys.compactMap { admission.owner(of: $0)?.device })
        guard room.surelyTakes(writers, me: signer.key, limit: settings.begunProfiles) else { return nil }
        let own = freshOrigin(for: delta.profile, besides: delta.to)
        var notes = notes(of: admission)
        notes.add(ReplicaOrigins.notes(of: [own]))
        let isJoined = engine.joinNew(
            delta.profile, atoms: delta.atoms, from: delta.from, to: delta.to,
            sender: live.link.peerVector(delta.profile), freshReplica: own.replica, notes: notes,
            overfull: overfull(by: admission), now: now)
        return isJoined ? Arrival(delta: whole, admission: admission, writers: writers, own: own) : nil
    }
}
