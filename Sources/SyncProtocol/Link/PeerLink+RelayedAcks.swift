package import MergeCore

/// Acknowledgements of members that this device, or the peer, has no link to; see Sync.proto. An acknowledgement says
/// what a member covers of a profile, and whether its file shows all of that.
///
/// An acknowledgement always comes from that member itself; the devices that pass it on never guess. But it is passed
/// on unsigned, so a hostile member can pass on an acknowledgement that was never given. This gains it nothing but
/// untrue sentences: deltas follow only from what each device says on its own link. Signed statements of what a device
/// has (issue 14) will solve that as well.
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
        case .open(let open): open.session.acks.heard[device]?[profile]
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

    /// Asks the peer for the acknowledgements of these members and of nobody else: at most ``Limits/relayedAcks``.
    package mutating func wantAcks(of devices: Set<DeviceID>) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in session.wantAcks(of: devices) }
    }

    /// Passes on the acknowledgement of another member; `nil` says that there is none. Nothing is sent where the peer
    /// does not want it, or was told the same before.
    package mutating func pass(_ ack: PeerAck?, about profile: ProfileID, of device: DeviceID) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in session.pass(ack, about: profile, of: device) }
    }
}
