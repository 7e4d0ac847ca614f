import MergeCore
import ProfileKeeping
import SyncProtocol

/// Deltas over links: sending, receiving, and deciding whose writes are accepted.
extension HouseholdAgent {
    mutating func answer(_ request: DeltaRequest, on id: ConnectionID, now: Moment) {
        guard let (atoms, vector) = engine.delta(of: request.profile, beyond: request.beyond) else { return }
        let proofs = proofs(of: vector.beyond(request.beyond), in: request.profile)
        deniedDeltas.sent(request.profile, atoms: atoms.count, upTo: vector, on: id, now: now.monotonic)
        tell(id, now: now) { link in
            link.sendDelta(answering: request, atoms: atoms, to: vector) { replica, _ in proofs[replica] }
        }
    }

    mutating func take(_ whole: IncomingDelta, from id: ConnectionID, _ live: LiveLink, now: Moment) {
        let held = engine.profiles[whole.profile]
        if held != nil, engine.readable(whole.profile) == nil {
            // Nothing can be joined into what cannot be read. The other saves of the link go on.
            return tell(id, now: now) { link in
                link.leftOut(Set(whole.to.entries.keys), of: whole.profile)
                return []
            }
        }
        let admission = DeltaAdmission(
            whole, from: live.peerKey, covered: held?.vector ?? VersionVector(), known: origins,
            roster: household.roster, leftOut: leftOut, asksAgain: leftOut.isDue(whole.profile, now: now.monotonic))
        switch admission.verdict {
        case .gap: return tell(id, now: now) { $0.offer(whole.profile, vector: held?.vector ?? VersionVector()) }
        case .refused(let reason): return tell(id, now: now) { $0.goodbye(reason) }
        case .taken: break
        }
        let writers = Set(admission.delta.to.entries.keys.compactMap { admission.owner(of: $0)?.device })
        let hasRoom = held == nil ? takesNew(writers, now: now) : true
        guard hasRoom else {
            log(
                .warning, "a save is left out here: its device has too many that nobody restored", about: live.peerKey,
                ["save": "\(whole.profile)"], now: now)
            return tell(id, now: now) { link in
                link.leftOut(Set(whole.to.entries.keys), of: whole.profile)
                return []
            }
        }
        leaveOut(admission.leftOut, .tooManyReplicas, by: admission, id, live, now: now)
        leaveOut(admission.beyondCut, .noMember, by: admission, id, live, now: now)
        take(admission, from: id, live, now: now)
        if held == nil, engine.profiles[whole.profile] != nil { begun.began(writers) }
    }

    private mutating func takesNew(_ writers: Set<DeviceKey>, now: Moment) -> Bool {
        begun.takes(
            writers, among: engine.profiles, origins, me: signer.key, limit: settings.begunProfiles, now: now.monotonic)
    }

    /// Joins the part of a delta that may be joined. If a device fills the profile, only the other devices' writes are
    /// joined.
    private mutating func take(_ admission: DeltaAdmission, from id: ConnectionID, _ live: LiveLink, now: Moment) {
        let delta = admission.delta
        if delta.to.entries.isEmpty { return }
        let former = engine.profiles[delta.profile]?.vector
        do {
            // Looked at before: a program that begins to write in between is found by the swap.
            let tag =
                engine.profiles[delta.profile]?.file.path != nil && mayWrite(delta.profile, now: now)
                ? random.next() : nil
            if tag != nil { noteOpens(delta.profile, now: now) }
            let (outcome, file) = try engine.join(
                delta.profile,
                atoms: delta.atoms,
                from: delta.from,
                to: delta.to,
                sender: live.link.peerVector(delta.profile),
                freshReplica: replica(joining: delta),
                notes: notes(of: admission),
                leftOut: leftOutReads(by: admission),
                overfull: overfull(by: admission),
                writing: tag,
                now: now
            )
            if let file { tried(delta.profile, file, now: now) }
            let vector = engine.profiles[delta.profile]?.vector ?? VersionVector()
            switch outcome {
            case .gap: return tell(id, now: now) { $0.offer(delta.profile, vector: vector) }
            case .refused(let reason): return refuse(delta, reason, id, live, now: now)
            case .crowded(let replicas, let reason):
                guard !saysTooMuch(live.peerKey, of: replicas, in: delta.profile) else {
                    return refuse(delta, reason, id, live, now: now)
                }
                leaveOut(replicas, .epochs, by: admission, id, live, now: now)
                return take(admission.without(replicas), from: id, live, now: now)
            case .undeclared where leftOut.lacksAnything(of: delta.profile):
                // Writes that are left out here may have declared it.
                return leaveOut(Set(delta.to.entries.keys), .follows, by: admission, id, live, now: now)
            case .undeclared(let reason):
                // This device may have been told less of the epoch than the peer: what a writer took back here, or never
                // said here. The whole of what the peer has says who declared it.
                guard !delta.isWhole, hearsayChecks.asksForAll(of: delta.profile, on: id) else {
                    // Where more is left out than is remembered, it may have been in this save.
                    guard leftOut.hasMore else { return refuse(delta, reason, id, live, now: now) }
                    return leaveOut(Set(delta.to.entries.keys), .follows, by: admission, id, live, now: now)
                }
                return tell(id, now: now) { $0.askForAll(of: delta.profile, vector: vector) }
            case .unread(let replicas):
                // The peer is asked for the whole save once: the writes that these replicas name may be in it. If they are
                // not, the replicas are left out and the link stays. Their device may be honest: it may have had room for
                // writes that are left out here.
                if !delta.isWhole, hearsayChecks.asksForAll(of: delta.profile, on: id) {
                    return tell(id, now: now) { $0.askForAll(of: delta.profile, vector: vector) }
                }
                leaveOut(replicas, .follows, by: admission, id, live, now: now)
                return take(admission.without(replicas), from: id, live, now: now)
            case .full(let replicas):
                leaveOut(replicas, .full, by: admission, id, live, now: now)
                return take(admission.without(replicas), from: id, live, now: now)
            case .joined, .joinedAsNewReplica: break
            }
            stored(admission)
            recordWorks()
            if let former, former.joined(delta.to) == vector {
                delayedRelays.came(delta.profile, vector, from: live.peerKey.id, now: now.monotonic)
            }
            if outcome == .joinedAsNewReplica {
                log(.warning, Self.newReplica)
            }
            // The file is written before the ack, so that the ack describes the file correctly as well.
            afterSettling { $0.acknowledge(delta.profile, on: id, now: now) }
        } catch {
            // Nothing is stored and nothing is acknowledged, so the peer offers the delta again on the next link.
            note(error)
            tell(id, now: now) { $0.goodbye(StorageEnd.reason) }
        }
    }

    /// Compares a device's own delta with what other devices had passed on of its writes, so that what they said is
    /// confirmed, or repaired. Also where the delta was not joined.
    mutating func compareHearsay(by delta: IncomingDelta, from live: LiveLink, on id: ConnectionID, now: Moment) {
        confirmHearsay(by: delta, from: live.peerKey)
        repair(by: delta, from: live, on: id, now: now)
        heard(of: delta.profile, from: live, on: id)
    }

    mutating func acknowledge(_ profile: ProfileID, on id: ConnectionID, now: Moment) {
        guard let vector = engine.profiles[profile]?.vector else { return }
        let isBehind = links[id].map { isFileBehind(profile, for: $0) } ?? false
        tell(id, now: now) { $0.acknowledge(profile, vector: vector, isFileBehind: isBehind) }
        if let live = links[id] { noteInStep(profile, with: live, now: now) }
    }

    /// Names the replicas of each device that wrote in a delta and fills the profile with it.
    func overfull(by admission: DeltaAdmission) -> (ProfileState, ProfileState) -> Set<ReplicaID> {
        let owners = admission.delta.to.entries.keys.reduce(into: [DeviceKey: Set<ReplicaID>]()) { owners, replica in
            if let origin = admission.owner(of: replica) { owners[origin.device, default: []].insert(replica) }
        }
        let (known, own, quota) = (origins, signer.key, settings.quota)
        return { former, new in
            var full: Set<ReplicaID> = []
            for (device, replicas) in owners where device != own {
                let all = replicas.union(new.vector.entries.keys.filter { known[$0]?.device == device })
                if new.isBeyond(quota, by: all), new.hasMore(of: all, than: former) { full.formUnion(replicas) }
            }
            return full
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
}
