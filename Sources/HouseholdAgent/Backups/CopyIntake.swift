import MergeCore
import SyncProtocol

/// A copy of another device's backup that is being fetched.
struct CopyIntake: Hashable {
    let profile: ProfileID
    let facts: CopyFacts
    /// The number of bytes that have arrived and are staged on the disk.
    var received = 0

    func isAnswered(by question: CopyQuestion) -> Bool {
        question.profile == profile && question.checksum == facts.checksum && question.offset == received
    }
}

/// The device at the other end of a link, as a ``CopyReceiver`` sees it.
struct CopyPeer {
    let owner: DeviceID
    var listed = ListedCopies()
    /// Whether a question for a part is open.
    var isWaiting = false
}

/// The copies that a device has listed over one link and that are not here yet, oldest first.
struct ListedCopies {
    /// The largest number of profiles with copies still to be fetched. If a device lists more, the rest waits for its
    /// next link.
    static let limit = 10_000

    private(set) var profiles: [(profile: ProfileID, copies: [CopyFacts])] = []
    /// Whether any copy was ever listed.
    private(set) var wasAnyListed = false

    var isEmpty: Bool { profiles.isEmpty }

    /// Takes a device's list of a profile's copies. It replaces the earlier list.
    mutating func list(_ copies: [CopyFacts], of profile: ProfileID) {
        let place = profiles.firstIndex { $0.profile == profile }
        if copies.isEmpty {
            if let place { profiles.remove(at: place) }
        } else if let place {
            profiles[place].copies = copies
        } else if profiles.count < Self.limit {
            profiles.append((profile, copies))
            wasAnyListed = true
        }
    }

    /// Removes a copy that has arrived or that cannot be fetched.
    mutating func done(_ intake: CopyIntake) {
        guard let place = profiles.firstIndex(where: { $0.profile == intake.profile }) else { return }
        profiles[place].copies.removeAll { $0 == intake.facts }
        if profiles[place].copies.isEmpty { profiles.remove(at: place) }
    }

    mutating func removeAll() { profiles = [] }

    /// The copies of a profile, oldest first.
    func copies(of profile: ProfileID) -> [CopyFacts] { profiles.first { $0.profile == profile }?.copies ?? [] }

    func contains(_ intake: CopyIntake) -> Bool {
        profiles.contains { $0.profile == intake.profile && $0.copies.contains(intake.facts) }
    }
}

/// The limit on copies that are begun of each device and profile within a day.
struct CopyAllowance {
    /// Copies that may be begun within ``time``: every kept day twice. A device that offers more does not make one
    /// backup a day but fills the disk.
    static let limit = 14
    /// The length of the period.
    static let time = Duration.seconds(24 * 3_600)

    private struct Key: Hashable {
        var device: DeviceID
        var profile: ProfileID
    }

    private var begun: [Key: (since: MonotonicTime, count: Int)] = [:]

    /// Whether one more copy may be begun. If so, the copy is counted.
    mutating func begin(_ device: DeviceID, _ profile: ProfileID, now: MonotonicTime) -> Bool {
        let key = Key(device: device, profile: profile)
        var count = begun[key] ?? (now, 0)
        if now - count.since >= Self.time { count = (now, 0) }
        guard count.count < Self.limit else { return false }
        begun[key] = (count.since, count.count + 1)
        return true
    }
}
