import MergeCore

extension LinkSession {
    /// Our list of profiles, as frames.
    mutating func list(_ profiles: [ProfileID: VersionVector]) -> [UInt8] {
        var bytes: [UInt8] = []
        var vectors = WireVectors()
        var size = 0
        for profile in profiles.keys.sorted() {
            let vector = profiles[profile] ?? VersionVector()
            ledgers[profile, default: ProfileLedger()].ours = vector
            ledgers[profile, default: ProfileLedger()].said = vector
            vectors.profiles.append(statement(profile, vector, restated: 0))
            size += 24 + 40 * vector.entries.count
            if size > Limits.chunk {
                bytes += WireFrame.bytes(.vectors(vectors))
                vectors = WireVectors()
                size = 0
            }
        }
        vectors.complete = true
        return bytes + WireFrame.bytes(.vectors(vectors))
    }

    /// States anew what we cover.
    mutating func offer(_ profile: ProfileID, vector: VersionVector) throws(ProtocolFault) -> [LinkAction] {
        var ledger = ledgers[profile] ?? ProfileLedger()
        guard ledger.restatedByUs < Limits.restatements else {
            throw ProtocolFault(
                "the deltas of profile \(profile) fail to build on what this device covers, without end"
            )
        }
        ledger.ours = vector
        ledger.said = vector
        ledger.received = VersionVector()
        ledger.restatedByUs += 1
        ledgers[profile] = ledger
        var vectors = WireVectors()
        vectors.profiles = [statement(profile, vector, restated: ledger.restatedByUs)]
        return [.send(WireFrame.bytes(.vectors(vectors)))] + request(profile)
    }

    mutating func acknowledge(_ profile: ProfileID, vector: VersionVector) -> [LinkAction] {
        var ledger = ledgers[profile] ?? ProfileLedger()
        let news = ledger.unsaid(of: vector)
        ledger.ours = vector
        ledger.said.join(news)
        ledgers[profile] = ledger
        var actions: [LinkAction] = []
        if !news.entries.isEmpty {
            var ack = WireAck()
            let (number, bytes) = outgoing.profile(profile)
            ack.profile = number
            if !bytes.isEmpty { ack.profileID = bytes.wire }
            ack.entries = VectorCoding.write(news, &outgoing)
            actions.append(.send(WireFrame.bytes(.ack(ack))))
        }
        return actions + request(profile)
    }

    mutating func sendDelta(
        answering request: DeltaRequest,
        atoms: [KeyedAtom],
        to vector: VersionVector,
        certificates: (ReplicaID) -> ReplicaCertificate?
    ) -> [LinkAction] {
        guard let ledger = ledgers[request.profile], ledger.request == request.number else { return [] }
        ledgers[request.profile]?.request = nil
        let to = vector.beyond(request.beyond)
        guard !to.entries.isEmpty else { return [] }
        let contents = atoms.map { $0.atom.content.encoded }
        var obstacle = DeltaWriter.obstacle(atoms, vector)
        let total = zip(atoms, contents).reduce(0) { sum, next in
            sum + next.0.key.path.encoded.count + next.0.key.sub.count + next.1.count
        }
        if total > Limits.deltaBytes { obstacle = "it has \(total) bytes to send, more than \(Limits.deltaBytes)" }
        if let obstacle {
            // The request stays open on purpose: asking again would end the same.
            ledgers[request.profile]?.request = request.number
            return [.unsendable(request.profile, reason: "Profile \(request.profile) cannot be sent: \(obstacle).")]
        }
        let order = to.sortedReplicas
        let head = head(of: request, to, order, ledger, certificates)
        var writer = DeltaWriter(head: head, order: order)
        for index in Self.dotOrder(atoms) { writer.add(atoms[index], content: contents[index]) }
        ledgers[request.profile]?.believed.join(to)
        ledgers[request.profile]?.said.join(to)
        return writer.finish().map { .send($0) } + self.request(request.profile)
    }

    private mutating func head(
        of request: DeltaRequest,
        _ to: VersionVector,
        _ order: [ReplicaID],
        _ ledger: ProfileLedger,
        _ certificates: (ReplicaID) -> ReplicaCertificate?
    ) -> WireDelta {
        var head = WireDelta()
        let (number, bytes) = outgoing.profile(request.profile)
        head.profile = number
        if !bytes.isEmpty { head.profileID = bytes.wire }
        head.to = VectorCoding.write(to, &outgoing)
        head.restated = ledger.restatedByPeer
        for (position, replica) in order.enumerated() {
            head.to[position].before = to.sequence(of: replica) - 1 - request.beyond.sequence(of: replica)
            // Who covers a write of the replica has its certificate.
            guard ledger.confirmed.sequence(of: replica) == 0, !certified.contains(replica),
                let certificate = certificates(replica)
            else { continue }
            if certified.count < Limits.names { certified.insert(replica) }
            let (number, bytes) = outgoing.device(certificate.device)
            var wire = WireCertificate()
            wire.position = UInt32(position)
            wire.device = number
            if !bytes.isEmpty { wire.deviceKey = bytes.wire }
            wire.signature = certificate.signature.wire
            head.certificates.append(wire)
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

    /// The positions of the atoms in ascending order of their dots; they usually have it already.
    private static func dotOrder(_ atoms: [KeyedAtom]) -> [Int] {
        let inOrder = zip(atoms, atoms.dropFirst()).allSatisfy { !($1.atom.dot < $0.atom.dot) }
        guard !inOrder else { return Array(atoms.indices) }
        return atoms.indices.sorted { (atoms[$0].atom.dot, $0) < (atoms[$1].atom.dot, $1) }
    }
}
