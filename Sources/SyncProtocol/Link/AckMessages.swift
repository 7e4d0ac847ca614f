package import MergeCore

/// A member's acknowledgement of one profile, as it reached this device. The member sent it on a link of its own.
package struct PeerAck: Hashable, Sendable {
    /// The vector that the member confirmed to cover.
    package let vector: VersionVector
    /// Whether the member's file does not show all of that, by its last message.
    package let isFileBehind: Bool
    /// The devices that passed the acknowledgement on to the peer, the one that got it from the member first. Empty if
    /// the peer got it from the member itself.
    package let through: [DeviceID]

    package init(vector: VersionVector, isFileBehind: Bool, through: [DeviceID] = []) {
        self.vector = vector
        self.isFileBehind = isFileBehind
        self.through = through
    }
}

/// The state of a link about acknowledgements of other members: which members' acknowledgements are wanted in each
/// direction, and which were passed on.
struct AckExchange {
    /// The devices whose acknowledgements this side wants.
    var wanted: Set<DeviceID> = []
    /// The acknowledgements of those devices that the peer has passed on.
    var received: [DeviceID: [ProfileID: PeerAck]] = [:]
    /// The number of vector entries in all those acknowledgements.
    var entries = 0
    /// The devices whose acknowledgements the peer wants.
    var peerWants: Set<DeviceID> = []
    /// The acknowledgements that were passed on to the peer.
    var passed: [DeviceID: [ProfileID: PeerAck]] = [:]

    /// Forgets the acknowledgement of a device about a profile.
    mutating func drop(_ profile: ProfileID, of device: DeviceID) {
        guard let ack = received[device]?.removeValue(forKey: profile) else { return }
        entries -= ack.vector.entries.count
    }
}
