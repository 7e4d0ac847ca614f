import MergeCore

extension LinkSession {
    /// What this device covers, as frames: a list of its profiles, or the hashes of ranges where there are many. Called
    /// once, at the start.
    mutating func state(_ covered: CoveredProfiles, salt: UInt64) -> [UInt8] {
        ranges.covered = covered
        if !covered.areListed {
            ledgers.start = covered
            return WireFrame.bytes(.ranges(ranges.begin(salt: salt)))
        }
        return list([.whole]) { $0.complete = true }
    }

    /// The profiles of ranges with their vectors, as frames.
    ///
    /// - Parameter end: Completes the last frame.
    mutating func list(_ wanted: [ProfileRange], _ end: (inout WireVectors) -> Void) -> [UInt8] {
        var bytes: [UInt8] = []
        var vectors = WireVectors()
        var size = 0
        for (profile, vector) in wanted.flatMap({ ranges.covered.all(in: $0) }) {
            ledgers[profile, default: ProfileLedger()].ours = vector
            ledgers[profile, default: ProfileLedger()].announced.join(vector)
            vectors.profiles.append(statement(profile, vector, restated: 0))
            size += 24 + 40 * vector.entries.count
            if size > Limits.chunk {
                bytes += WireFrame.bytes(.vectors(vectors))
                vectors = WireVectors()
                size = 0
            }
        }
        end(&vectors)
        return bytes + WireFrame.bytes(.vectors(vectors))
    }

    /// Restates this device's vector of a profile. It replaces everything that the peer believed.
    mutating func offer(_ profile: ProfileID, vector: VersionVector) throws(ProtocolFault) -> [LinkAction] {
        guard vector.entries.count <= Limits.vectorEntries else { return [] }
        var ledger = ledgers[profile] ?? ProfileLedger()
        guard ledger.restatedByUs < Limits.restatements else {
            throw ProtocolFault(
                "the deltas of profile \(profile) fail to build on what this device covers, without end"
            )
        }
        ledger.restart(at: vector)
        ledgers[profile] = ledger
        var vectors = WireVectors()
        vectors.profiles = [statement(profile, vector, restated: ledger.restatedByUs)]
        return [.send(WireFrame.bytes(.vectors(vectors)))] + request(profile)
    }

    /// Notes that this device covers more of a profile than before.
    mutating func changed(_ profile: ProfileID, vector: VersionVector) -> [LinkAction] {
        ledgers[profile, default: ProfileLedger()].note(vector)
        ledgers[profile]?.ours = vector
        ranges.covered[profile] = vector
        return request(profile)
    }

    mutating func acknowledge(
        _ profile: ProfileID, vector: VersionVector, isFileBehind: Bool, sendsRest: Bool
    ) -> [LinkAction] {
        guard vector.entries.count <= Limits.vectorEntries else { return [] }
        var ledger = ledgers[profile] ?? ProfileLedger()
        let unannounced = ledger.unannounced(of: vector)
        ledger.note(vector)
        ledger.ours = vector
        ranges.covered[profile] = vector
        ledger.announced.join(unannounced)
        let isToBeAnnounced = !unannounced.entries.isEmpty || ledger.announcedFileBehind != isFileBehind
        ledger.announcedFileBehind = isFileBehind
        ledgers[profile] = ledger
        return (isToBeAnnounced ? [ack(profile, unannounced, isFileBehind)] : [])
            + (sendsRest ? request(profile) : [])
    }

    mutating func say(_ profile: ProfileID, isFileBehind: Bool) -> [LinkAction] {
        // The peer does not know a profile that was never stated to it, so there is nothing to correct.
        guard let ledger = ledgers[profile], ledger.announcedFileBehind != isFileBehind else { return [] }
        // Until the peer covers the same writes it is not told that the file shows all: it would take itself for in
        // step.
        if !isFileBehind, !isSettled(profile) { return [] }
        ledgers[profile]?.announcedFileBehind = isFileBehind
        return [ack(profile, VersionVector(), isFileBehind)]
    }

    mutating func ack(_ profile: ProfileID, _ unannounced: VersionVector, _ isFileBehind: Bool) -> LinkAction {
        var ack = WireAck()
        let (number, bytes) = outgoing.profile(profile)
        ack.profile = number
        if !bytes.isEmpty { ack.profileID = bytes.wire }
        ack.entries = VectorCoding.write(unannounced, &outgoing)
        ack.fileBehind = isFileBehind
        return .send(WireFrame.bytes(.ack(ack)))
    }

    mutating func sendDelta(
        answering request: DeltaRequest,
        atoms: [KeyedAtom],
        to vector: VersionVector,
        proof: (ReplicaID, VersionVector.Entry) -> WriteProof?
    ) -> [LinkAction] {
        guard let ledger = ledgers[request.profile], ledger.request == request.number else { return [] }
        ledgers[request.profile]?.request = nil
        var proofs: [ReplicaID: WriteProof] = [:]
        let beyond = vector.beyond(request.beyond).entries
        for (replica, entry) in beyond { proofs[replica] = proof(replica, entry) }
        let to = VersionVector(beyond.filter { proofs[$0.key] != nil })
        guard !to.entries.isEmpty else { return [] }
        let isProven = proofs.count == beyond.count
        let atoms = isProven ? atoms : atoms.filter { proofs[$0.atom.dot.replica] != nil }
        let obstacle = DeltaWriter.obstacle(atoms, vector)
        if let obstacle {
            // The request stays open on purpose: another request beyond the same vector would have the same result.
            ledgers[request.profile]?.request = request.number
            ledgers[request.profile]?.unsendable = request.beyond
            return [.unsendable(request.profile, reason: obstacle)] + self.request(request.profile)
        }
        let order = to.sortedReplicas
        let sorted = Self.dotOrder(atoms)
        var head = head(of: request, to, order, ledger, proofs)
        leaveOutHistories(&head, order, request.beyond, sorted)
        var writer = DeltaWriter(head: head, order: order, lead: outgoing.lead)
        for atom in sorted { writer.add(atom, &outgoing, &keys) }
        ledgers[request.profile]?.believed.join(to)
        ledgers[request.profile]?.announced.join(to)
        return writer.finish(&outgoing).map { .send($0) } + self.request(request.profile)
    }

    private mutating func head(
        of request: DeltaRequest,
        _ to: VersionVector,
        _ order: [ReplicaID],
        _ ledger: ProfileLedger,
        _ proofs: [ReplicaID: WriteProof]
    ) -> WireDelta {
        var head = WireDelta()
        let (number, bytes) = outgoing.profile(request.profile)
        head.profile = number
        if !bytes.isEmpty { head.profileID = bytes.wire }
        head.to = VectorCoding.write(to, &outgoing)
        head.restated = ledger.restatedByPeer
        for (position, replica) in order.enumerated() {
            head.to[position].before = to.sequence(of: replica) - 1 - request.beyond.sequence(of: replica)
            guard let proof = proofs[replica] else { preconditionFailure("an entry of a delta has no proof") }
            head.signatures += proof.signature.wire
            if proof.isWithinCut { head.cut.append(UInt32(position)) }
            // A peer that covers any write of the replica knows its origin already.
            guard ledger.confirmed.sequence(of: replica) == 0, !announced.contains(replica) else { continue }
            if announced.count < Limits.names { announced.insert(replica) }
            let (number, bytes) = outgoing.device(proof.origin.device)
            var wire = WireOrigin()
            wire.position = UInt32(position)
            wire.device = number
            if !bytes.isEmpty { wire.deviceKey = bytes.wire }
            wire.slot = UInt32(proof.origin.slot)
            if proof.origin.profile != request.profile {
                let (number, bytes) = outgoing.profile(proof.origin.profile)
                wire.profile = number
                if !bytes.isEmpty { wire.profileID = bytes.wire }
            }
            head.origins.append(wire)
        }
        return head
    }

    private mutating func statement(
        _ profile: ProfileID,
        _ vector: VersionVector,
        restated: UInt32
    ) -> WireProfileVector {
        var wire = WireProfileVector()
        let (number, bytes) = outgoing.profile(profile)
        wire.profile = number
        if !bytes.isEmpty { wire.profileID = bytes.wire }
        wire.entries = VectorCoding.write(vector, &outgoing)
        wire.restated = restated
        return wire
    }

    /// The atoms in ascending order of their dots. They usually are in this order already.
    private static func dotOrder(_ atoms: [KeyedAtom]) -> [KeyedAtom] {
        let inOrder = atoms.indices.dropFirst().allSatisfy { !(atoms[$0].atom.dot < atoms[$0 - 1].atom.dot) }
        guard !inOrder else { return atoms }
        let order = atoms.indices.sorted { (atoms[$0].atom.dot, $0) < (atoms[$1].atom.dot, $1) }
        return order.map { atoms[$0] }
    }

    /// Leaves out the history hashes that the peer can compute itself: see Delta in Sync.proto.
    private func leaveOutHistories(
        _ head: inout WireDelta, _ order: [ReplicaID], _ known: VersionVector, _ atoms: [KeyedAtom]
    ) {
        guard atoms.count <= Limits.hashedAtoms else { return }
        for (position, replica) in order.enumerated() where head.to[position].before == 0 {
            var hash = HistoryHash(known.entries[replica]?.history ?? 0)
            for atom in atoms where atom.atom.dot.replica == replica { hash.add(atom) }
            if hash.value == head.to[position].history { head.to[position].clearHistory() }
        }
    }
}
