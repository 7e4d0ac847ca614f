import MergeCore
import ProfileKeeping
import SyncProtocol

/// Deltas over links: sending, receiving, and deciding whose writes are accepted.
extension HouseholdAgent {
    mutating func answer(_ request: DeltaRequest, on id: ConnectionID, now: Moment) {
        guard let profile = engine.profiles[request.profile] else { return }
        let known = certificates
        let atoms = profile.state.delta(beyond: request.beyond)
        tell(id, now: now) { link in
            link.sendDelta(answering: request, atoms: atoms, to: profile.state.vector) { known[$0] }
        }
    }

    mutating func take(_ delta: IncomingDelta, from id: ConnectionID, _ live: LiveLink, now: Moment) {
        for certificate in delta.certificates where certificates[certificate.replica] == nil {
            guard certificate.isValid, household.roster.wasMember(certificate.device) else {
                return tell(id, now: now) {
                    $0.goodbye("a delta holds writes of a replica that no device of the household certified")
                }
            }
            do {
                try store(notes: Certificates.notes(of: certificate))
            } catch {
                note(error)
                return tell(id, now: now) { $0.goodbye("the record cannot be written") }
            }
            certificates.add(certificate)
        }
        let known = certificates
        guard delta.to.entries.keys.allSatisfy({ known[$0] != nil }) else {
            return tell(id, now: now) { $0.goodbye("a delta holds writes of an uncertified replica") }
        }
        do {
            let outcome = try engine.join(
                delta.profile,
                atoms: delta.atoms,
                from: delta.from,
                to: delta.to,
                sender: live.link.peerVector(delta.profile),
                freshReplica: freshReplica(),
                now: now
            )
            let vector = engine.profiles[delta.profile]?.state.vector ?? VersionVector()
            switch outcome {
            case .gap: return tell(id, now: now) { $0.offer(delta.profile, vector: vector) }
            case .refused(let reason): return refuse(delta, reason, id, live, now: now)
            case .joined, .joinedAsNewReplica: break
            }
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

    mutating func detectReplicaReuse(_ id: ProfileID, _ vector: VersionVector, now: Moment) {
        do {
            guard try engine.detectReplicaReuse(id, stated: vector, freshReplica: freshReplica(), now: now) else {
                return
            }
            log(.warning, Self.newReplica)
        } catch {
            note(error)
        }
    }

    static var newReplica: String {
        "this device's record was rolled back or copied; it writes as a new replica from now on"
    }

    // MARK: Certificates

    /// Certifies this device's replica of a profile where it has no certificate yet.
    mutating func certify(_ id: ProfileID) {
        guard let replica = engine.profiles[id]?.replica, certificates[replica] == nil else { return }
        // A certificate of this device that cannot be stored now is made again at the next start.
        let certificate = ReplicaCertificate(replica: replica, by: signer)
        certificates.add(certificate)
        commit(notes: Certificates.notes(of: certificate))
    }

    mutating func commit(notes: NoteChange) {
        if notes.isEmpty { return }
        do { try store(notes: notes) } catch { note(error) }
    }

    func store(notes: NoteChange) throws(StorageFault) {
        try engine.store.commit(RecordChange(notes: notes))
    }
}
