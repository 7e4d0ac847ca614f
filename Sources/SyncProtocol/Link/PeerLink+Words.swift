package import MergeCore

/// Words of members that this device, or the peer, has no link to; see Sync.proto.
///
/// A word is another member's own, never a guess of whoever passes it on. But it is passed on unsigned, so a hostile
/// member can pass on what was never said. It gains nothing but untrue sentences, for deltas follow from what each
/// device says on its own link alone. Signed statements of what a device has (issue 14) will mend that as well.
extension PeerLink {
    /// The peer's own word about a profile; `nil` before it has listed what it has.
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

    /// Whose words the peer wants.
    package var peerWantsWords: Set<DeviceID> {
        switch phase {
        case .open(let open): open.session.words.peerWants
        default: []
        }
    }

    /// This device wants the words of these members, and of nobody else: at most ``Limits/words``.
    package mutating func wantWords(of devices: Set<DeviceID>) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in session.wantWords(of: devices) }
    }

    /// Passes on the word of another member, or that there is none, where the peer wants it and was told otherwise.
    package mutating func pass(_ word: PeerWord?, about profile: ProfileID, of device: DeviceID) -> [LinkAction] {
        withSession { session throws(ProtocolFault) in session.pass(word, about: profile, of: device) }
    }
}
