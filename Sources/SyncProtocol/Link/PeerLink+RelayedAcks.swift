package import MergeCore

/// Acknowledgements of members to which this device, or the peer, has no link; see Sync.proto. An acknowledgement says
/// which writes of a profile a member covers, and whether its file shows all of them.
///
/// An acknowledgement always comes from that member itself; the devices that pass it on never guess. But it is passed
/// on unsigned, so a hostile member can pass on an acknowledgement that was never given. That can only make reports
/// untrue: deltas follow only from the vectors that each device sends on its own link. Signed statements of which
/// writes a device has (issue 14) will solve that as well.
extension PeerLink {
    /// The peer's own acknowledgement about a profile; `nil` before the peer has listed all its profiles.
    package func ack(_ profile: ProfileID) -> PeerAck? {
        switch phase {
        case .open(let open):
            guard open.session.isPeerListed, let ledger = open.session.ledgers[profile] else { return nil }
            return PeerAck(vector: ledger.confirmed, isFileBehind: ledger.isPeersFileBehind)
        default: return nil
        }
    }

    /// The acknowledgement of another member about a profile, as the peer passed it on last.
    package func ack(_ profile: ProfileID, of device: DeviceID) -> PeerAck? {
        switch phase {
        case .open(let open): open.session.acks.received[device]?[profile]
        default: nil
        }
    }

    /// The devices whose acknowledgements the peer wants.
    package var peerWantsAcks: Set<DeviceID> {
        switch phase {
        case .open(let open): open.session.acks.peerWants
        default: []
        }
    }

    /// Asks the peer for the acknowledgements of exactly these members: at most ``Limits/relayedAcks``.
    package mutating func wantAcks(of devices: Set<DeviceID>) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in session.wantAcks(of: devices) }
    }

    /// Passes on the acknowledgement of another member; `nil` says that there is none. Nothing is sent if the peer does
    /// not want it, or got the same one before.
    package mutating func pass(_ ack: PeerAck?, about profile: ProfileID, of device: DeviceID) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in session.pass(ack, about: profile, of: device) }
    }
}
