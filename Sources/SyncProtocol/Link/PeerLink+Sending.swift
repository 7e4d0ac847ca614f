package import MergeCore

/// What this device tells a link.
extension PeerLink {
    /// This device covers more of a profile than before, from whatever source.
    package mutating func changed(_ profile: ProfileID, vector: VersionVector) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in
            session.ledgers[profile, default: ProfileLedger()].note(vector)
            session.ledgers[profile]?.ours = vector
            return session.request(profile)
        }
    }

    /// This device has forgotten a profile: it sends nothing of it any more.
    package mutating func removed(_ profile: ProfileID) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in
            session.ledgers[profile]?.ours = VersionVector()
            session.ledgers[profile]?.request = nil
            return []
        }
    }

    /// Answers ``LinkAction/needsDelta(_:)``. An answer to an outdated request is dropped; the newer request was made
    /// already. Frames have about 256 KiB; a delta waits for no ack.
    ///
    /// - Parameters:
    ///   - atoms: all atoms that `request.beyond` does not cover.
    ///   - vector: what the profile covers, as of the same moment.
    ///   - certificates: asked once for each replica whose certificate the peer may lack.
    package mutating func sendDelta(
        answering request: DeltaRequest,
        atoms: [KeyedAtom],
        to vector: VersionVector,
        certificates: (ReplicaID) -> ReplicaCertificate?
    ) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in
            session.sendDelta(answering: request, atoms: atoms, to: vector, certificates: certificates)
        }
    }

    /// This device has committed what it received, and now covers `vector`. Implies ``changed(_:vector:)``.
    ///
    /// - Parameter isFileBehind: Whether this device's file of the profile does not show all of that.
    package mutating func acknowledge(
        _ profile: ProfileID, vector: VersionVector, isFileBehind: Bool = false
    ) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in
            session.acknowledge(profile, vector: vector, isFileBehind: isFileBehind)
        }
    }

    /// Tells whether this device's file of a profile shows all that this device covers, where that was said otherwise
    /// last.
    package mutating func say(_ profile: ProfileID, isFileBehind: Bool) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in session.say(profile, isFileBehind: isFileBehind) }
    }

    /// Asks whether the peer is there, now; see ``awaitsAnswer``.
    package mutating func ask(now: Int64) -> [LinkAction] {
        guard greeting != nil else { return [] }
        return withSession { session throws(ProtocolFault) in
            session.keepAlive.ask(at: now) ? [.send(WireFrame.bytes(.ping(WirePing())))] : []
        }
    }

    /// States anew what this device covers, be it less than it said before; the peer answers from that, and deltas
    /// under way are dropped.
    package mutating func offer(_ profile: ProfileID, vector: VersionVector) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in try session.offer(profile, vector: vector) }
    }

    /// Sends the roster again because it has grown.
    package mutating func sendRoster(_ statements: [RosterStatement]) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in [.send(Self.frame(statements))] }
    }

    /// Ends the link, telling the peer why in one sentence.
    package mutating func goodbye(_ reason: String) -> [LinkAction] {
        close(reason, blame: .us)
    }
}
