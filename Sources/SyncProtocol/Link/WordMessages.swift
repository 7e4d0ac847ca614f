package import MergeCore

/// A member's word: what it said of one profile on a link of its own, as it reached this device.
package struct PeerWord: Hashable, Sendable {
    /// The vector that the member confirmed to cover.
    package let vector: VersionVector
    /// Whether it said last that its file does not show all of that.
    package let isFileBehind: Bool
    /// The devices through which the peer has the word, the one that heard it first in front; empty where the peer
    /// heard it itself.
    package let through: [DeviceID]

    package init(vector: VersionVector, isFileBehind: Bool, through: [DeviceID] = []) {
        self.vector = vector
        self.isFileBehind = isFileBehind
        self.through = through
    }
}

/// The state of a link about words of other members: whose words are wanted in each direction, and what was passed on.
struct WordTalk {
    /// The devices whose words this side wants.
    var wanted: Set<DeviceID> = []
    /// The words of those devices that the peer has passed on.
    var heard: [DeviceID: [ProfileID: PeerWord]] = [:]
    /// The number of vector entries in all those words.
    var entries = 0
    /// The devices whose words the peer wants.
    var peerWants: Set<DeviceID> = []
    /// The words that were passed on to the peer.
    var passed: [DeviceID: [ProfileID: PeerWord]] = [:]

    /// Forgets the word of a device about a profile.
    mutating func drop(_ profile: ProfileID, of device: DeviceID) {
        guard let word = heard[device]?.removeValue(forKey: profile) else { return }
        entries -= word.vector.entries.count
    }
}
