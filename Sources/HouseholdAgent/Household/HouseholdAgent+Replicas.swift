import MergeCore
import ProfileKeeping
import SyncProtocol

/// This device's own replicas, and the proofs with which other devices accept the writes that this device sends, its
/// own and those of others.
extension HouseholdAgent {
    // MARK: Own replicas

    /// A replica id for this device in a profile, one that it has not used there as far as is known. It is chosen at
    /// random, so that two copies of one record hardly ever choose the same. If none is left, or the profile has no
    /// room for one, it is the present id: then this device goes on after the writes under that id.
    ///
    /// - Parameter others: Writes that another device knows.
    mutating func freshReplica(for profile: ProfileID, besides others: VersionVector = VersionVector()) -> ReplicaID {
        freshOrigin(for: profile, besides: others).replica
    }

    /// As ``freshReplica(for:besides:)``, with the origin: the device, profile and slot of which the id is the hash.
    mutating func freshOrigin(for profile: ProfileID, besides others: VersionVector) -> ReplicaOrigin {
        let held = engine.profiles[profile]
        let vector = held?.vector ?? VersionVector()
        let own = ReplicaOrigin.all(of: signer.key, in: profile)
        var free = own.filter {
            vector.entries[$0.replica] == nil && others.entries[$0.replica] == nil && $0.replica != held?.replica
        }
        var room = ReplicaRoom(profile, vector, origins)
        if free.isEmpty || !room.takes(free[0]) {
            if let held, let present = own.first(where: { $0.replica == held.replica }) { return present }
            free = own
        }
        return free[Int(random.next() % UInt64(free.count))]
    }

    /// The replica as which this device may have to write after it joins a delta.
    mutating func replica(joining delta: IncomingDelta) -> ReplicaID {
        guard let held = engine.profiles[delta.profile], delta.to.entries[held.replica] == nil else {
            return freshReplica(for: delta.profile, besides: delta.to)
        }
        return held.replica
    }

    /// Notes which device owns the replica as which this device writes in a profile. If it is another device, as after
    /// this one got a new key, this device takes a replica of its own, because it could not sign for the other.
    mutating func knowOwnReplica(of id: ProfileID, now: Moment) {
        guard let replica = engine.profiles[id]?.replica, origins[replica]?.device != signer.key else { return }
        let places = [id] + engine.profiles.joined(into: id)
        let own = places.lazy.flatMap { [key = signer.key] in ReplicaOrigin.all(of: key, in: $0) }
        if let origin = own.first(where: { $0.replica == replica }) {
            return origins.addOwn(origin)
        }
        do {
            try engine.writeAsNewReplica(id, freshReplica: freshReplica(for: id), now: now)
        } catch {
            note(error)
        }
    }

    /// Goes on as another replica where the present one may begin no more epochs, so that the player can still reset,
    /// restore and undo.
    mutating func makeRoomForEpochs(of id: ProfileID) {
        guard let held = engine.profiles[id], !held.hasRoomForEpoch else { return }
        let fresh = freshReplica(for: id)
        guard fresh != held.replica, held.state.hasRoomForEpoch(of: fresh) else { return }
        do { try engine.switchReplica(of: id, to: fresh) } catch { note(error) }
    }

    // MARK: Proofs

    /// The signatures that this device can show for entries of a vector. It signs for its own replicas; for others it
    /// has the signatures that came with their writes.
    mutating func proofs(of vector: VersionVector, in profile: ProfileID) -> [ReplicaID: WriteProof] {
        var proofs: [ReplicaID: WriteProof] = [:]
        for (replica, entry) in vector.entries {
            guard let origin = origins[replica] else { continue }
            var signature = heads.signature(for: entry, of: origin, in: profile)
            if signature == nil, origin.device == signer.key {
                let new = ReplicaHead.signature(of: replica, at: entry, by: signer)
                heads.add([replica: SignedHeads.Head(entry: entry, signature: new)], in: profile)
                signature = new
            }
            guard let signature else { continue }
            // Nothing of a former member comes in here without that word, so it can be given for all that is here.
            let isGone = household.roster.isGone(origin.device)
            proofs[replica] = WriteProof(origin: origin, signature: signature, isWithinCut: isGone)
        }
        return proofs
    }

    /// The notes that are stored in one transaction with a delta: which device owns each replica, and the signatures.
    func notes(of admission: DeltaAdmission) -> NoteChange {
        var change = ReplicaOrigins.notes(of: admission.origins)
        change.add(SignedHeads.notes(of: admission.heads, in: admission.delta.profile))
        if let relay = admission.relay {
            change.add(hearsay.notes(adding: admission.hearsay, through: [relay.id], in: admission.delta.profile))
        }
        return change
    }

    /// Takes into memory what became durable with a delta.
    mutating func stored(_ admission: DeltaAdmission) {
        for origin in admission.origins { origins.add(origin) }
        heads.add(admission.heads, in: admission.delta.profile)
        if let relay = admission.relay, !admission.hearsay.isEmpty {
            hearsay.add(admission.hearsay, through: [relay.id], in: admission.delta.profile) {
                admission.owner(of: $0)?.device.id
            }
            hearsayChecks.wake()
        }
        if let vector = engine.profiles[admission.delta.profile]?.vector {
            leftOut.taken(upTo: vector, of: admission.delta.profile)
        }
    }

    /// Keeps, for a profile into which others were joined, the signatures of their replicas: what these replicas wrote
    /// is in both profiles now.
    mutating func keepHeads(of id: ProfileID) {
        let joined = engine.profiles.joined(into: id)
        guard !joined.isEmpty, let vector = engine.profiles[id]?.vector else { return }
        var new: [ReplicaID: SignedHeads.Head] = [:]
        for (replica, entry) in vector.entries {
            guard let origin = origins[replica], origin.device != signer.key, origin.profile != id,
                heads[replica, in: id]?.entry != entry,
                let signature = heads.signature(for: entry, of: origin, in: id, or: joined)
            else { continue }
            new[replica] = SignedHeads.Head(entry: entry, signature: signature)
        }
        if !new.isEmpty { heads.keep(new, in: id) }
    }
}
