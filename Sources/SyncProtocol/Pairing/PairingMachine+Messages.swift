extension PairingMachine {
    mutating func take(_ body: WirePairFrame.OneOf_Body) throws(ProtocolFault) -> [PairingAction] {
        switch (phase, body) {
        case (_, .goodbye(let goodbye)):
            phase = .closed
            let reason = DisplayName.cleaned(goodbye.reason, limit: Limits.reason, fallback: "it gave no reason.")
            return [.close(LinkClosure(reason: "The other device ended the pairing: \(reason)", blame: .nobody))]
        case (.greeting, .hello(let hello)):
            // The version is checked before any other field: a newer version may have another layout of the hello.
            guard hello.version == ProtocolVersion.pairing else {
                let name = DisplayName.cleaned(hello.name)
                return close(
                    ProtocolVersion.mismatch(peer: name, theirs: hello.version, ours: ProtocolVersion.pairing),
                    blame: .nobody
                )
            }
            return greet(try PairingHello(hello))
        case (.proving(let transcript, let household), .proof(let proof)):
            return role == .responder
                ? try judge(proof, transcript, household) : try accept(proof, transcript, household)
        case (.waitingForDone, .done(let done)):
            let statements = try RosterCoding.read(done.statements)
            phase = .closed
            return [
                .finished(statements), .close(LinkClosure(reason: "The devices are paired.", blame: .nobody)),
            ]
        default: throw ProtocolFault("a message of the pairing came out of turn")
        }
    }

    private mutating func greet(_ other: PairingHello) -> [PairingAction] {
        let (responder, initiator) = role == .responder ? (hello, other) : (other, hello)
        let (responderKey, initiatorKey) = role == .responder ? (roster.me, peer) : (peer, roster.me)
        guard let household = PairingHousehold(responder: responder, initiator: initiator) else {
            return close(
                "“\(responder.name)” and “\(initiator.name)” belong to different households that each have other "
                    + "devices: "
                    + "remove one of the two from its household first.",
                blame: .nobody
            )
        }
        let transcript = PairingTranscript(
            responderKey: responderKey,
            initiatorKey: initiatorKey,
            responder: responder,
            initiator: initiator,
            code: code
        )
        decoder.limit = Limits.pairingFrame
        phase = .proving(transcript, household)
        guard role == .initiator else { return [] }
        var secrets = WirePairSecrets()
        if household.host == .initiator {
            (secrets.householdSecret, secrets.secretSerial) = (secret.wire, secretSerial)
        }
        if household.host == .initiator || household.isShared {
            secrets.statements = RosterCoding.write(roster.statements)
        }
        var proof = WirePairProof()
        proof.proof = transcript.proof(.initiatorProves).wire
        proof.sealed = transcript.seal(secrets.wireBytes, .initiatorSeals).wire
        return [.send(WirePairFrame.bytes(.proof(proof)))]
    }

    /// Checks the initiator's proof, at the responder. A valid proof gives the result to store; a wrong one ends the
    /// pairing.
    private mutating func judge(
        _ proof: WirePairProof,
        _ transcript: PairingTranscript,
        _ household: PairingHousehold
    ) throws(ProtocolFault) -> [PairingAction] {
        guard transcript.isValid(proof.proof.array, .initiatorProves) else {
            phase = .closed
            var goodbye = WireGoodbye()
            goodbye.reason = "The pairing was refused: compare the code, or have a new one shown."
            return [
                .wrongProof, .send(WirePairFrame.bytes(.goodbye(goodbye))),
                .close(LinkClosure(reason: "“\(transcript.initiator.name)” gave a wrong pairing code.", blame: .peer)),
            ]
        }
        guard let plain = transcript.open(proof.sealed.array, .initiatorSeals) else {
            throw ProtocolFault("its sealed message cannot be opened")
        }
        let secrets = try WirePairSecrets(wire: plain)
        let statements = try RosterCoding.read(secrets.statements)
        if household.host == .initiator || household.isShared {
            guard RosterDigest.of(statements) == transcript.initiator.rosterDigest else {
                throw ProtocolFault("its roster is not the one it announced")
            }
        }
        guard let result = try result(transcript.initiator, household, secrets, statements) else { return refuseFull() }
        var answer = WirePairSecrets()
        if household.host == .responder {
            (answer.householdSecret, answer.secretSerial) = (secret.wire, secretSerial)
        }
        answer.statements = RosterCoding.write(result.statements)
        var reply = WirePairProof()
        reply.proof = transcript.proof(.responderProves).wire
        reply.sealed = transcript.seal(answer.wireBytes, .responderSeals).wire
        phase = .storing(answer: WirePairFrame.bytes(.proof(reply)))
        return [.paired(result)]
    }

    /// Checks the responder's answer, at the initiator. A valid answer gives the result to store.
    private mutating func accept(
        _ proof: WirePairProof,
        _ transcript: PairingTranscript,
        _ household: PairingHousehold
    ) throws(ProtocolFault) -> [PairingAction] {
        guard transcript.isValid(proof.proof.array, .responderProves),
            let plain = transcript.open(proof.sealed.array, .responderSeals)
        else { throw ProtocolFault("it does not know the code it is said to show") }
        let secrets = try WirePairSecrets(wire: plain)
        let statements = try RosterCoding.read(secrets.statements)
        guard let result = try result(transcript.responder, household, secrets, statements) else { return refuseFull() }
        var done = WirePairDone()
        let known = Set(statements)
        done.statements = RosterCoding.write(result.statements.filter { !known.contains($0) })
        phase = .storing(answer: WirePairFrame.bytes(.done(done)))
        return [.paired(result)]
    }

    /// Makes this device's result: the shared household, its secret, and the roster with the peer added. `nil` where
    /// the household is full.
    private func result(
        _ other: PairingHello,
        _ household: PairingHousehold,
        _ secrets: WirePairSecrets,
        _ statements: [RosterStatement]
    ) throws(ProtocolFault) -> PairingResult? {
        let isHost = household.host == role
        guard isHost || secrets.householdSecret.count == HouseholdSecret.size, secrets.secretSerial <= Limits.serial
        else { throw ProtocolFault("it sends no secret of its household") }
        var next = roster
        if household.id != roster.household { next = Roster(me: roster.me, name: roster.name, household: household.id) }
        next = next.merging(statements).roster
        guard let added = try? next.adding(peer, name: other.name, by: signer) else { return nil }
        next = added.roster.vouching(by: signer).roster
        guard next.contains(peer), !next.isRemoved(roster.me) || role == .responder else {
            throw ProtocolFault("its roster leaves no place for the two devices")
        }
        return PairingResult(
            peer: peer,
            peerName: other.name,
            household: household.id,
            secret: isHost ? secret : secrets.householdSecret.array,
            secretSerial: isHost ? secretSerial : secrets.secretSerial,
            roster: next
        )
    }

    private mutating func refuseFull() -> [PairingAction] {
        close("The household has as many devices as it can have: remove one first.", blame: .nobody)
    }
}
