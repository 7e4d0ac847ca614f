package import MergeCore

/// What a member said of one profile on a link of its own, as it reached this device.
package struct PeerWord: Hashable, Sendable {
    /// What the member confirmed to cover.
    package let vector: VersionVector
    /// Whether it said last that its file does not show all of that.
    package let isFileBehind: Bool
    /// Through whom the peer has it, the one who heard it first; none where the peer heard it itself.
    package let through: [DeviceID]

    package init(vector: VersionVector, isFileBehind: Bool, through: [DeviceID] = []) {
        self.vector = vector
        self.isFileBehind = isFileBehind
        self.through = through
    }
}

/// What a link knows of words of other members: whose are wanted in either direction, and what was passed on.
struct WordTalk {
    /// Whose words this side wants.
    var wanted: Set<DeviceID> = []
    /// What the peer passed on of them.
    var heard: [DeviceID: [ProfileID: PeerWord]] = [:]
    /// Vector entries in all of that.
    var entries = 0
    /// Whose words the peer wants.
    var peerWants: Set<DeviceID> = []
    /// What was passed on to it.
    var passed: [DeviceID: [ProfileID: PeerWord]] = [:]

    /// Forgets what the peer passed on of a device about a profile.
    mutating func drop(_ profile: ProfileID, of device: DeviceID) {
        guard let word = heard[device]?.removeValue(forKey: profile) else { return }
        entries -= word.vector.entries.count
    }
}
