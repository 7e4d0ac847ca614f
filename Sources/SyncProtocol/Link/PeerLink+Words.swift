package import MergeCore

/// Words of members that this device, or the peer, has no link to; see Sync.proto. A word says what a member covers of
/// a profile, and whether its file shows all of that.
///
/// A word always comes from that member itself; the devices that pass it on never guess. But it is passed on unsigned,
/// so a hostile member can pass on a word that was never said. This gains it nothing but untrue sentences: deltas
/// follow only from what each device says on its own link. Signed statements of what a device has (issue 14) will solve
/// that as well.
extension PeerLink {
    /// The peer's own word about a profile; `nil` before the peer has listed all its profiles.
    package func word(_ profile: ProfileID) -> PeerWord? {
        switch phase {
        case .open(let open):
            guard open.session.isPeerListed, let ledger = open.session.ledgers[profile] else { return nil }
            return PeerWord(vector: ledger.confirmed, isFileBehind: ledger.isPeersFileBehind)
        default: return nil
        }
    }

    /// The word of another member about a profile, as the peer passed it on last.
    package func word(_ profile: ProfileID, of device: DeviceID) -> PeerWord? {
        switch phase {
        case .open(let open): open.session.words.heard[device]?[profile]
        default: nil
        }
    }

    /// The devices whose words the peer wants.
    package var peerWantsWords: Set<DeviceID> {
        switch phase {
        case .open(let open): open.session.words.peerWants
        default: []
        }
    }

    /// Asks the peer for the words of these members and of nobody else: at most ``Limits/words``.
    package mutating func wantWords(of devices: Set<DeviceID>) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in session.wantWords(of: devices) }
    }

    /// Passes on the word of another member; `nil` says that there is none. Nothing is sent where the peer does not
    /// want it, or was told the same before.
    package mutating func pass(_ word: PeerWord?, about profile: ProfileID, of device: DeviceID) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in session.pass(word, about: profile, of: device) }
    }
}
