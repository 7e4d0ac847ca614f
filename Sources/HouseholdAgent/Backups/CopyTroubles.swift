import MergeCore
import ProfileKeeping
import SyncProtocol

/// Why nothing of a device can be kept just now, and when it is tried again: after 30 s, then after twice as long each
/// time, at most an hour.
struct CopySetback {
    static let shortest: Int64 = 30_000
    static let longest: Int64 = 3_600_000

    let fault: StorageFault
    let retryAt: Int64
    private let pause: Int64

    init(_ fault: StorageFault, after last: CopySetback?, now: Int64) {
        self.fault = fault
        pause = last.map { min($0.pause * 2, Self.longest) } ?? Self.shortest
        retryAt = now + pause
    }
}

/// Copies of one device that were not what it had listed. None of them is asked for again while the agent runs.
struct WrongCopies {
    /// How many in a row, each another one, after which nothing more is taken from the device.
    static let limit = 3
    /// How many in all, after which the same holds.
    static let most = 100

    private struct Name: Hashable {
        var profile: ProfileID
        var checksum: [UInt8]
    }

    /// Whether the device listed it when it last listed the profile.
    private var listed: [Name: Bool] = [:]
    private var inRow = 0

    var isEnough: Bool { inRow >= Self.limit || listed.count >= Self.most }

    /// How many the device still lists.
    var count: Int { listed.values.count { $0 } }

    func contains(_ profile: ProfileID, _ facts: CopyFacts) -> Bool {
        listed[Name(profile: profile, checksum: facts.checksum)] != nil
    }

    /// - Returns: Whether it is the first of them.
    mutating func add(_ profile: ProfileID, _ facts: CopyFacts) -> Bool {
        listed[Name(profile: profile, checksum: facts.checksum)] = true
        inRow += 1
        return listed.count == 1
    }

    /// What the device lists of a profile now.
    mutating func list(_ list: [CopyFacts], of profile: ProfileID) {
        for name in listed.keys where name.profile == profile {
            listed[name] = list.contains { $0.checksum == name.checksum }
        }
    }

    /// A copy was what it said.
    mutating func goodOneCame() { if !isEnough { inRow = 0 } }
}
