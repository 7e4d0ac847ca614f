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
            whole, from: live.peerKey, covered: held?.state.vector ?? VersionVector(), known: origins,
            roster: household.roster, leftOut: leftOut, asksAgain: leftOut.isDue(whole.profile, now: now.monotonic))
        switch admission.verdict {
        case .gap: return tell(id, now: now) { $0.offer(whole.profile, vector: held?.state.vector ?? VersionVector()) }
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
        do {
            let outcome = try engine.join(
                delta.profile,
                atoms: delta.atoms,
                from: delta.from,
                to: delta.to,
                sender: live.link.peerVector(delta.profile),
                freshReplica: replica(joining: delta),
                notes: notes(of: admission),
                overfull: overfull(by: admission),
                now: now
            )
            let vector = engine.profiles[delta.profile]?.state.vector ?? VersionVector()
            switch outcome {
            case .gap: return tell(id, now: now) { $0.offer(delta.profile, vector: vector) }
            case .refused(let reason): return refuse(delta, reason, id, live, now: now)
            case .undeclared(let reason):
                // This device may have been told less of the epoch than the peer: what a writer took back here, or never
                // said here. The whole of what the peer has says who declared it.
                guard !delta.isWhole, hearsayChecks.asksWhoDeclared(in: delta.profile, on: id) else {
                    return refuse(delta, reason, id, live, now: now)
                }
                return tell(id, now: now) { $0.askForAll(of: delta.profile, vector: vector) }
            case .full(let replicas):
                leaveOut(replicas, .full, by: admission, id, live, now: now)
                return take(admission.without(replicas), from: id, live, now: now)
            case .joined, .joinedAsNewReplica: break
            }
            stored(admission)
            recordWorks()
            if outcome == .joinedAsNewReplica {
                log(.warning, Self.newReplica)
            }
            // The file is written before the ack, so that the ack describes the file correctly as well.
            afterSettling { $0.acknowledge(delta.profile, on: id, now: now) }
        } catch {
            // Nothing is stored and nothing is acknowledged, so the peer offers the delta again on the next link.
            note(error)
            tell(id, now: now) { $0.goodbye("the record cannot be written") }
        }
    }

    private mutating func acknowledge(_ profile: ProfileID, on id: ConnectionID, now: Moment) {
        guard let vector = engine.profiles[profile]?.state.vector else { return }
        let isBehind = isFileBehind(profile)
        tell(id, now: now) { $0.acknowledge(profile, vector: vector, isFileBehind: isBehind) }
        if let live = links[id] { noteInStep(profile, with: live, now: now) }
    }

    /// Goes on without the writes of some replicas.
    private mutating func leaveOut(
        _ replicas: Set<ReplicaID>, _ reason: LeftOutReplicas.Reason, by admission: DeltaAdmission, _ id: ConnectionID,
        _ live: LiveLink, now: Moment
    ) {
        if replicas.isEmpty { return }
        let profile = admission.delta.profile
        noteLeftOut(replicas, reason, by: admission, from: live.peerKey, now: now)
        tell(id, now: now) { link in
            link.leftOut(replicas, of: profile)
            return []
        }
    }

    /// Asks a device again for writes of former members that were left out. It may have sent them before it learned of
    /// a removal, and says only from now on that it had them by then.
    mutating func askAgainForFormerMembers(on id: ConnectionID, now: Moment) {
        for profile in leftOut.lackingFormerMembers {
            guard let vector = engine.profiles[profile]?.state.vector else { continue }
            tell(id, now: now) { $0.offer(profile, vector: vector) }
        }
    }

    /// Notes that a profile is kept without the writes of some replicas, so that `status` and `sync` say so.
    ///
    /// - Parameter sender: The device that sent them, or signed the file with them.
    mutating func noteLeftOut(
        _ replicas: Set<ReplicaID>, _ reason: LeftOutReplicas.Reason, by admission: DeltaAdmission,
        from sender: DeviceKey, now: Moment
    ) {
        if replicas.isEmpty { return }
        let profile = admission.delta.profile
        let announced = replicas.reduce(into: [ReplicaID: ReplicaOrigin]()) { announced, replica in
            announced[replica] = admission.owner(of: replica) ?? origins[replica]
        }
        let writers = replicas.reduce(into: [ReplicaID: LeftOutReplicas.Writer]()) { writers, replica in
            writers[replica] = LeftOutReplicas.Writer(device: announced[replica]?.device.id, reason: reason)
        }
        guard leftOut.add(writers, from: announced, upTo: admission.offered, of: profile, now: now.monotonic) else {
            return
        }
        let names = Set(writers.values.compactMap(\.device)).sorted().map { name(of: $0) }
        log(
            .warning, "writes of a save are left out here", about: sender,
            [
                "save": engine.profiles[profile]?.name ?? "\(profile)", "why": reason.rawValue,
                "written by": names.joined(separator: ", "), "replicas": "\(replicas.count)",
            ], now: now)
    }

    /// A sentence for each device of the household whose writes a profile lacks here.
    func leftOutSentences(_ id: ProfileID) -> [String] {
        leftOut.writers(of: id).compactMap { writer in
            guard otherMembers.contains(where: { $0.id == writer.device }) else { return nil }
            let name = name(of: writer.device)
            let unpair = "go on without that device: hearth unpair \(ShellWord.quoted(name))"
            switch writer.reason {
            // Of a member nothing is left out for that.
            case .noMember: return nil
            case .full:
                return "what \(name) plays is left out here, because it fills the save with more than a save may hold; "
                    + "make the save smaller there, or \(unpair)"
            case .tooManyReplicas:
                return
                    "some of what \(name) plays is left out here, because the save has no room for one more writer of "
                    + "that device; if you do not trust it, \(unpair)"
            }
        }
    }

    /// A sentence for each device of the household that has more saves than are kept here.
    func begunTroubles() -> [String] {
        otherMembers.filter { begun.excessive.contains($0.id) }.map { member in
            let name = name(of: member.id)
            return "\(name) has more saves than the \(settings.begunProfiles) that are kept here without a file; the "
                + "others are left out on this machine until some are restored here or forgotten there; if you do not "
                + "trust it, hearth unpair \(ShellWord.quoted(name))"
        }
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
