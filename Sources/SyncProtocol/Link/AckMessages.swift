package import MergeCore

/// A member's acknowledgement: what it said of one profile on a link of its own, as it reached this device.
package struct PeerAck: Hashable, Sendable {
    /// The vector that the member confirmed to cover.
    package let vector: VersionVector
    /// Whether it said last that its file does not show all of that.
    package let isFileBehind: Bool
    /// The devices through which the peer has the acknowledgement, the one that heard it first in front; empty where
    /// the peer heard it itself.
    package let through: [DeviceID]

    package init(vector: VersionVector, isFileBehind: Bool, through: [DeviceID] = []) {
        self.vector = vector
        self.isFileBehind = isFileBehind
        self.through = through
    }
}

/// The state of a link about acknowledgements of other members: whose acknowledgements are wanted in each direction,
/// and what was passed on.
struct AckExchange {
    /// The devices whose acknowledgements this side wants.
    var wanted: Set<DeviceID> = []
    /// The acknowledgements of those devices that the peer has passed on.
    var heard: [DeviceID: [ProfileID: PeerAck]] = [:]
    /// The number of vector entries in all those acknowledgements.
    var entries = 0
    /// The devices whose acknowledgements the peer wants.
    var peerWants: Set<DeviceID> = []
    /// The acknowledgements that were passed on to the peer.
    var passed: [DeviceID: [ProfileID: PeerAck]] = [:]

    /// Forgets the acknowledgement of a device about a profile.
    mutating func drop(_ profile: ProfileID, of device: DeviceID) {
        guard let ack = heard[device]?.removeValue(forKey: profile) else { return }
        entries -= ack.vector.entries.count
    }
}
