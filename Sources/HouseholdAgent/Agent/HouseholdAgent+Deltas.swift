import MergeCore
import ProfileKeeping
import SyncProtocol

/// What flows over links: deltas out, deltas in, and whose writes are taken.
extension HouseholdAgent {
    mutating func answer(_ request: DeltaRequest, on id: ConnectionID, _ live: LiveLink, now: Int64) {
        guard let profile = keeper.profiles[request.profile] else { return }
        let known = certificates
        let next = live.link.sendDelta(
            answering: request, atoms: profile.state.delta(beyond: request.beyond), to: profile.state.vector
        ) { known[$0] }
        perform(next, on: id, now: now)
    }

    mutating func take(_ delta: IncomingDelta, from id: ConnectionID, _ live: LiveLink, now: Int64) {
        for certificate in delta.certificates where certificates[certificate.replica] == nil {
            guard certificate.isValid, household.roster.wasMember(certificate.device) else {
                return perform(
                    live.link.goodbye("a delta holds writes of a replica that no device of the household certified"),
                    on: id,
                    now: now
                )
            }
            certificates[certificate.replica] = certificate
            commit(notes: Self.note(certificate))
        }
        let known = certificates
        guard delta.to.entries.keys.allSatisfy({ known[$0] != nil }) else {
            return perform(live.link.goodbye("a delta holds writes of an uncertified replica"), on: id, now: now)
        }
        do {
            let outcome = try keeper.join(
                delta.profile,
                atoms: delta.atoms,
                from: delta.from,
                to: delta.to,
                sender: live.link.peerVector(delta.profile),
                freshReplica: freshReplica(),
                now: now
            )
            let vector = keeper.profiles[delta.profile]?.state.vector ?? VersionVector()
            if outcome == .gap { return perform(live.link.offer(delta.profile, vector: vector), on: id, now: now) }
            recordTrouble = nil
            if outcome == .joinedAsNewReplica {
                log(.warning, Self.newReplica)
            }
            // The file first, so that the word that this device has it means the file as well.
            settle(now: now)
            perform(
                live.link.acknowledge(
                    delta.profile, vector: keeper.profiles[delta.profile]?.state.vector ?? vector,
                    isFileBehind: isFileBehind(delta.profile)),
                on: id, now: now)
            if live.link.isSettled(delta.profile) { lastSync[delta.profile] = now }
        } catch {
            // Nothing is stored, nothing acknowledged: the peer offers it again on the next link.
            note(error)
            perform(live.link.goodbye("the record cannot be written"), on: id, now: now)
        }
    }

    mutating func meet(_ id: ProfileID, _ vector: VersionVector, now: Int64) {
        do {
            guard try keeper.meet(id, stated: vector, freshReplica: freshReplica(), now: now) else { return }
            log(.warning, Self.newReplica)
        } catch {
            note(error)
        }
    }

    static var newReplica: String {
        "this device's record was rolled back or copied; it writes as a new replica from now on"
    }

    // MARK: Certificates

    /// Certifies our replica of a profile where it is new.
    mutating func certify(_ id: ProfileID) {
        guard let replica = keeper.profiles[id]?.replica, certificates[replica] == nil else { return }
        let certificate = ReplicaCertificate(replica: replica, by: signer)
        certificates[replica] = certificate
        commit(notes: Self.note(certificate))
    }

    mutating func commit(notes: [String: [UInt8]?]) {
        if notes.isEmpty { return }
        do { try store(notes: notes) } catch { note(error) }
    }

    func store(notes: [String: [UInt8]?]) throws(StorageFault) {
        var change = RecordChange()
        change.notes = notes
        try keeper.store.commit(change)
    }

    static func note(_ certificate: ReplicaCertificate) -> [String: [UInt8]?] {
        ["replica/\(certificate.replica.hex)": certificate.signature + certificate.device.bytes]
    }

    static func certificates(_ notes: [String: [UInt8]]) throws(StorageFault) -> [ReplicaID: ReplicaCertificate] {
        var result: [ReplicaID: ReplicaCertificate] = [:]
        for (key, value) in notes {
            guard let replica = ReplicaID(hex: String(key.dropFirst("replica/".count))), value.count > 64,
                let device = DeviceKey(value[64...])
            else {
                throw StorageFault(
                    .record,
                    "the record holds an unreadable certificate (\(key)); restore it from a backup"
                )
            }
            result[replica] = ReplicaCertificate(replica: replica, device: device, signature: Array(value[..<64]))
        }
        return result
    }
}
