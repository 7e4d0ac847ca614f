package import MergeCore

/// The methods by which this device tells a link about its profiles.
extension PeerLink {
    /// Notes that this device covers more of a profile than before, from whatever source.
    package mutating func changed(_ profile: ProfileID, vector: VersionVector) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in session.changed(profile, vector: vector) }
    }

    /// Answers ``LinkAction/needsDelta(_:)``. An answer to an outdated request is dropped, because a newer request was
    /// made already. Frames have about 256 KiB; the next delta need not wait for an ack.
    ///
    /// - Parameters:
    ///   - atoms: all atoms that `request.beyond` does not cover.
    ///   - vector: the profile's version vector at the same moment.
    ///   - proof: The proof for the writes of a replica up to an entry of `vector`. The writes of a replica without a
    ///     proof are left out: the peer could not accept them.
    package mutating func sendDelta(
        answering request: DeltaRequest,
        atoms: [KeyedAtom],
        to vector: VersionVector,
        proof: (ReplicaID, VersionVector.Entry) -> WriteProof?
    ) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in
            session.sendDelta(answering: request, atoms: atoms, to: vector, proof: proof)
        }
    }

    /// Notes that this device has committed what it received and now covers `vector`, and tells the peer so. Implies
    /// ``changed(_:vector:)``.
    ///
    /// - Parameters:
    ///   - isFileBehind: Whether this device's file of the profile does not yet show all that `vector` covers.
    ///   - sendsRest: Whether the peer is sent what it lacks of that. Else ``changed(_:vector:)`` does it later.
    package mutating func acknowledge(
        _ profile: ProfileID, vector: VersionVector, isFileBehind: Bool = false, sendsRest: Bool = true
    ) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in
            session.acknowledge(profile, vector: vector, isFileBehind: isFileBehind, sendsRest: sendsRest)
        }
    }

    /// Notes that this device did not join a delta's writes of some replicas: later deltas need not build on them.
    package mutating func leftOut(_ replicas: Set<ReplicaID>, of profile: ProfileID) {
        _ = withSession { session throws(ProtocolFault) in
            session.ledgers[profile]?.leaveOut(replicas)
            return []
        }
    }

    /// Tells the peer whether this device's file of a profile shows all that the device covers. Nothing is sent if the
    /// peer knows this already, nor that the file shows all while the two do not cover the same; then it is to be said once
    /// they do, see ``saysFileBehind(_:)``.
    package mutating func say(_ profile: ProfileID, isFileBehind: Bool) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in session.say(profile, isFileBehind: isFileBehind) }
    }

    /// Sends a Ping at once, unless one is under way, to find out whether the peer is there; see ``awaitsAnswer``.
    package mutating func ask(now: MonotonicTime) -> [LinkAction] {
        guard greeting != nil else { return [] }
        return withSession { session throws(ProtocolFault) in
            guard session.keepAlive.ask(at: now) else { return [] }
            return [.send(WireFrame.bytes(.ping(WirePing())))] + session.roster.tellWaiting()
        }
    }

    /// Answers a Ping, see ``LinkAction/asked``.
    package mutating func answer() -> [LinkAction] {
        withSession { _ throws(ProtocolFault) in [.send(WireFrame.bytes(.pong(WirePong())))] }
    }

    /// Restates this device's vector of a profile; it may be smaller than the one sent before. The peer answers from
    /// this vector, and deltas that are under way are dropped.
    package mutating func offer(_ profile: ProfileID, vector: VersionVector) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in try session.offer(profile, vector: vector) }
    }

    /// Notes that this device's roster has grown, or that the household's secret is another one. The peer is sent what it
    /// may lack of that: confirmations alone once a Ping passes, or with the next change.
    ///
    /// - Parameters:
    ///   - statements: All statements that this device holds.
    ///   - news: What of them it did not hold when it started the link or called this last.
    ///   - secret: Only for a peer that is a member.
    package mutating func rosterChanged(
        to statements: [RosterStatement], news: RosterNews, secret: HouseholdSecret? = nil
    ) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in
            session.roster.changed(to: statements, news: news, secret: secret)
        }
    }

    /// Ends the link to a device that was removed, which is sent the statements that it may lack, and no secret. The
    /// parameters are those of ``rosterChanged(to:news:secret:)``.
    package mutating func dismiss(
        _ statements: [RosterStatement], news: RosterNews, reason: String
    ) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in session.roster.farewell(statements, news: news) }
            + goodbye(reason)
    }

    /// The bytes of a goodbye to a device that was removed from the household. Its connection is closed after it, without a
    /// hello.
    package static func farewell(_ reason: String) -> [UInt8] {
        var goodbye = WireGoodbye()
        goodbye.reason = reason
        return WireFrame.bytes(.goodbye(goodbye))
    }

    /// Ends the link, and sends the peer the reason in one sentence.
    package mutating func goodbye(_ reason: String) -> [LinkAction] {
        close(reason, blame: .us)
    }
}
