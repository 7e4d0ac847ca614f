import MergeCore
import ProfileKeeping
import SyncProtocol

/// Deltas over links: sending, receiving, and deciding whose writes are accepted.
extension HouseholdAgent {
    mutating func answer(_ request: DeltaRequest, on id: ConnectionID, now: Moment) {
        guard let profile = engine.profiles[request.profile] else { return }
        let proofs = proofs(of: profile.state.vector.beyond(request.beyond), in: request.profile)
        let atoms = profile.state.delta(beyond: request.beyond)
        tell(id, now: now) { link in
            link.sendDelta(answering: request, atoms: atoms, to: profile.state.vector) { replica, _ in proofs[replica] }
        }
    }

    mutating func take(_ whole: IncomingDelta, from id: ConnectionID, _ live: LiveLink, now: Moment) {
        let held = engine.profiles[whole.profile]
        let admission = DeltaAdmission(
            whole, covered: held?.state.vector ?? VersionVector(), known: origins, roster: household.roster,
            leftOut: leftOut[whole.profile])
        switch admission.verdict {
        case .gap: return tell(id, now: now) { $0.offer(whole.profile, vector: held?.state.vector ?? VersionVector()) }
        case .refused(let reason): return tell(id, now: now) { $0.goodbye(reason) }
        case .taken: break
        }
        leaveOut(admission.leftOut, of: whole.profile, id, live, now: now)
        let delta = admission.delta
        if delta.to.entries.isEmpty { return }
        do {
            let outcome = try engine.join(
                delta.profile,
                atoms: delta.atoms,
                from: delta.from,
                to: delta.to,
                sender: live.link.peerVector(delta.profile),
                freshReplica: replica(joining: delta),
                notes: notes(of: admission),
                now: now
            )
            let vector = engine.profiles[delta.profile]?.state.vector ?? VersionVector()
            switch outcome {
            case .gap: return tell(id, now: now) { $0.offer(delta.profile, vector: vector) }
            case .refused(let reason): return refuse(delta, reason, id, live, now: now)
            case .joined, .joinedAsNewReplica: break
            }
            stored(admission)
            recordWorks()
            if outcome == .joinedAsNewReplica {
                log(.warning, Self.newReplica)
            }
            // The file is written before the ack, so that the ack says the truth about the file as well.
            settle(now: now)
            let covered = engine.profiles[delta.profile]?.state.vector ?? vector
            let isBehind = isFileBehind(delta.profile)
            tell(id, now: now) { $0.acknowledge(delta.profile, vector: covered, isFileBehind: isBehind) }
            if live.link.isSettled(delta.profile) { syncTimes.inStep(delta.profile, at: now.wall) }
        } catch {
            // Nothing is stored and nothing is acknowledged, so the peer offers the delta again on the next link.
            note(error)
            tell(id, now: now) { $0.goodbye("the record cannot be written") }
        }
    }

    /// Goes on without the writes of some replicas, for which the profile has no room.
    private mutating func leaveOut(
        _ replicas: Set<ReplicaID>, of profile: ProfileID, _ id: ConnectionID, _ live: LiveLink, now: Moment
    ) {
        if replicas.isEmpty { return }
        if leftOut.add(replicas, of: profile) {
            log(
                .warning, "a save has too many replicas; the writes of those beyond are left out", about: live.peerKey,
                ["save": engine.profiles[profile]?.name ?? "\(profile)", "count": "\(replicas.count)"], now: now)
        }
        tell(id, now: now) { link in
            link.leftOut(replicas, of: profile)
            return []
        }
    }

    /// Ends the link to a device whose delta no correct device would send. Nothing of the delta is stored.
    private mutating func refuse(
        _ delta: IncomingDelta, _ reason: String, _ id: ConnectionID, _ live: LiveLink, now: Moment
    ) {
        let name = engine.profiles[delta.profile]?.name ?? "\(delta.profile)"
        log(
            .warning, "a device sent what cannot be joined; nothing of it was stored", about: live.peerKey,
            ["save": name, "why": reason], now: now)
        tell(id, now: now) { $0.goodbye("a delta of profile \(delta.profile) was refused: \(reason)") }
    }

    static var newReplica: String {
        "this device's record was rolled back or copied; what it wrote is written again"
    }

    // MARK: Notes

    mutating func commit(notes: NoteChange) {
        if notes.isEmpty { return }
        do { try store(notes: notes) } catch { note(error) }
    }

    func store(notes: NoteChange) throws(StorageFault) {
        try engine.store.commit(RecordChange(notes: notes))
    }
}
