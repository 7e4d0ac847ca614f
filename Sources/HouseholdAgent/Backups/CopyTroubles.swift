import MergeCore
import ProfileKeeping
import SyncProtocol

/// A failure to keep copies of a device, and the time of the next try: after 30 s, then twice as long each time, at
/// most an hour.
struct CopySetback {
    static let shortest = Duration.seconds(30)
    static let longest = Duration.seconds(3_600)

    let fault: StorageFault
    let retryAt: MonotonicTime
    private let pause: Duration

    init(_ fault: StorageFault, after last: CopySetback?, now: MonotonicTime) {
        self.fault = fault
        pause = last.map { min($0.pause * 2, Self.longest) } ?? Self.shortest
        retryAt = now + pause
    }

    /// The failure as a sentence for people.
    var trouble: String { "a copy of another device's backup cannot be kept; it is tried again: \(fault.message)" }
}

/// The copies of one device that did not match their listing. None of them is asked for again while the agent runs.
struct WrongCopies {
    /// The number of different wrong copies in a row after which nothing more is taken from the device.
    static let limit = 3
    /// The number of wrong copies in all after which nothing more is taken from the device.
    static let most = 100

    private struct Name: Hashable {
        var profile: ProfileID
        var checksum: [UInt8]
    }

    /// For each wrong copy: whether the device still had it in its last list of the profile.
    private var listed: [Name: Bool] = [:]
    private var inRow = 0

    var isEnough: Bool { inRow >= Self.limit || listed.count >= Self.most }

    /// The number of wrong copies that the device still lists.
    var count: Int { listed.values.count { $0 } }

    func contains(_ profile: ProfileID, _ facts: CopyFacts) -> Bool {
        listed[Name(profile: profile, checksum: facts.checksum)] != nil
    }

    /// Adds a copy that did not match its listing.
    ///
    /// - Returns: Whether it is the first of this device.
    mutating func add(_ profile: ProfileID, _ facts: CopyFacts) -> Bool {
        listed[Name(profile: profile, checksum: facts.checksum)] = true
        inRow += 1
        return listed.count == 1
    }

    /// Takes the device's new list of a profile.
    mutating func list(_ list: [CopyFacts], of profile: ProfileID) {
        for name in listed.keys where name.profile == profile {
            listed[name] = list.contains { $0.checksum == name.checksum }
        }
    }

    /// Notes a copy that matched its listing.
    mutating func goodOneCame() { if !isEnough { inRow = 0 } }

    /// The wrong copies of a device as a sentence for people; `nil` where there is nothing to say.
    func trouble(of device: String) -> String? {
        guard count > 0 || isEnough else { return nil }
        let what = count == 1 ? "a daily backup" : "daily backups"
        let rest = isEnough ? "; nothing more is copied from there until Hearth starts anew here" : ""
        return "\(what) of \(device) came otherwise than listed and cannot be copied; its disk may be damaged" + rest
    }
}
