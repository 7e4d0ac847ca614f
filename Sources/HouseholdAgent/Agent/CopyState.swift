import MergeCore
import ProfileKeeping
import SyncProtocol

/// What an agent knows of copies beyond a single link.
struct CopyState {
    /// Milliseconds between two lists on one link: each may take a look at several files.
    static let pace: Int64 = 20
    /// Profiles of one device with copies that are still to be fetched; what is listed beyond is left to its next link.
    static let queueLimit = 10_000
    /// Copies of one device and profile that are begun within ``allowanceTime``: all days twice. What comes beyond is
    /// no backup a day, but somebody who fills the disk.
    static let allowance = 14
    static let allowanceTime: Int64 = 24 * 3_600_000

    /// Whether this device's own daily backups may be copied.
    var shares: Bool
    /// Whether this device keeps copies.
    var keeps: Bool
    /// The day here, once it is known.
    var today: LocalDay?

    // For others.

    /// What was found of this device's own daily backups.
    var sources: [ProfileID: [CopySource]] = [:]

    // Of others.

    /// What is being fetched of each device; it goes on over the next link.
    var intakes: [DeviceID: CopyIntake] = [:]
    /// Devices of which the last copy could not be kept.
    var setbacks: [DeviceID: CopySetback] = [:]
    /// Copies that were not what their device listed.
    var wrong: [DeviceID: WrongCopies] = [:]
    /// Bytes that the copies of a device take up at most, where that was found out.
    var held: [DeviceID: Int64] = [:]
    /// Devices that listed profiles nobody knows.
    var strange: Set<DeviceID> = []
    private var begun: [Begun: (since: Int64, count: Int)] = [:]

    private struct Begun: Hashable {
        var device: DeviceID
        var profile: ProfileID
    }

    init(shares: Bool, keeps: Bool) { (self.shares, self.keeps) = (shares, keeps) }

    /// Devices of which anything is known but how many copies were begun.
    var owners: Set<DeviceID> {
        strange.union(intakes.keys).union(setbacks.keys).union(wrong.keys).union(held.keys)
    }

    /// Forgets what comes of a device, and what is wrong with it.
    mutating func forget(_ owner: DeviceID) {
        intakes[owner] = nil
        setbacks[owner] = nil
        wrong[owner] = nil
        held[owner] = nil
        strange.remove(owner)
    }

    /// Whether one more copy may be begun; counts it where it may.
    mutating func begin(_ device: DeviceID, _ profile: ProfileID, now: Int64) -> Bool {
        let key = Begun(device: device, profile: profile)
        var count = begun[key] ?? (now, 0)
        // A clock that was set back begins anew as well.
        if now < count.since || now - count.since >= Self.allowanceTime { count = (now, 0) }
        guard count.count < Self.allowance else { return false }
        begun[key] = (count.since, count.count + 1)
        return true
    }
}

/// A copy that is being fetched.
struct CopyIntake {
    var profile: ProfileID
    var facts: CopyFacts
    /// Bytes that are staged.
    var received = 0

    func isAnswered(by question: CopyQuestion) -> Bool {
        question.profile == profile && question.checksum == facts.checksum && question.offset == received
    }
}

/// What one link has to do with copies.
struct LinkCopies {
    /// Profiles whose daily backups are still to be listed to the peer, and when the next one is.
    var toList: Set<ProfileID> = []
    var nextList: Int64 = .min
    /// What the peer asked.
    var question: CopyQuestion?
    /// What the peer listed and is not here yet, oldest first.
    var wanted: [(profile: ProfileID, copies: [CopyFacts])] = []
    /// Whether anything ever was wanted of it.
    var hasWanted = false
    /// Whether the peer was asked for a part.
    var isWaiting = false

    /// Takes a list in place of the one before.
    mutating func want(_ copies: [CopyFacts], of profile: ProfileID) {
        let place = wanted.firstIndex { $0.profile == profile }
        if copies.isEmpty {
            if let place { wanted.remove(at: place) }
        } else if let place {
            wanted[place].copies = copies
        } else if wanted.count < CopyState.queueLimit {
            wanted.append((profile, copies))
            hasWanted = true
        }
    }

    /// A copy is here, or is not to be had.
    mutating func done(_ profile: ProfileID, _ facts: CopyFacts) {
        guard let place = wanted.firstIndex(where: { $0.profile == profile }) else { return }
        wanted[place].copies.removeAll { $0 == facts }
        if wanted[place].copies.isEmpty { wanted.remove(at: place) }
    }

    func wants(_ intake: CopyIntake) -> Bool {
        wanted.contains { $0.profile == intake.profile && $0.copies.contains(intake.facts) }
    }
}
