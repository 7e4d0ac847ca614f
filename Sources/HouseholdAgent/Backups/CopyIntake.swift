import MergeCore
import SyncProtocol

/// A copy that is being fetched.
struct CopyIntake {
    let profile: ProfileID
    let facts: CopyFacts
    /// Bytes that are staged.
    var received = 0

    func isAnswered(by question: CopyQuestion) -> Bool {
        question.profile == profile && question.checksum == facts.checksum && question.offset == received
    }
}

/// What a device listed over one link and is not here yet, oldest first.
struct ListedCopies {
    /// Profiles of one device with copies that are still to be fetched; what is listed beyond is left to its next link.
    static let limit = 10_000

    private(set) var profiles: [(profile: ProfileID, copies: [CopyFacts])] = []
    /// Whether any copy was ever listed.
    private(set) var wasAnyListed = false

    var isEmpty: Bool { profiles.isEmpty }

    /// Takes a list in place of the one before.
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

    /// A copy is here, or is not to be had.
    mutating func done(_ intake: CopyIntake) {
        guard let place = profiles.firstIndex(where: { $0.profile == intake.profile }) else { return }
        profiles[place].copies.removeAll { $0 == intake.facts }
        if profiles[place].copies.isEmpty { profiles.remove(at: place) }
    }

    mutating func removeAll() { profiles = [] }

    func contains(_ intake: CopyIntake) -> Bool {
        profiles.contains { $0.profile == intake.profile && $0.copies.contains(intake.facts) }
    }
}

/// How many copies of each device and profile were begun lately.
struct CopyAllowance {
    /// Copies that may be begun within ``time``: all days twice. What comes beyond is no backup a day, but somebody who
    /// fills the disk.
    static let limit = 14
    /// Milliseconds.
    static let time: Int64 = 24 * 3_600_000

    private struct Key: Hashable {
        var device: DeviceID
        var profile: ProfileID
    }

    private var begun: [Key: (since: Int64, count: Int)] = [:]

    /// Whether one more copy may be begun; counts it where it may.
    mutating func begin(_ device: DeviceID, _ profile: ProfileID, now: Int64) -> Bool {
        let key = Key(device: device, profile: profile)
        var count = begun[key] ?? (now, 0)
        // A clock that was set back begins anew as well.
        if now < count.since || now - count.since >= Self.time { count = (now, 0) }
        guard count.count < Self.limit else { return false }
        begun[key] = (count.since, count.count + 1)
        return true
    }
}
