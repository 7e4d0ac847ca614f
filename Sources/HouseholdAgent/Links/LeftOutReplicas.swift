import MergeCore

/// The replicas whose writes are left out of a profile, since the agent started. They are not stored, so a bad device
/// cannot fill the record with them.
struct LeftOutReplicas {
    /// Why the writes of a device are left out.
    enum Reason: String, Comparable {
        case tooManyReplicas = "it has too many replicas"
        case full = "it holds more than a save may"

        static func < (one: Reason, two: Reason) -> Bool { one.rawValue < two.rawValue }
    }

    /// The device that writes as a replica; `nil` where nobody said whose it is.
    struct Writer: Hashable {
        let device: DeviceID?
        let reason: Reason
    }

    /// Most replicas that are remembered, of all profiles together.
    private static let limit = 65_536
    /// The time after which it is looked at once more whether they can be taken.
    static let pause = Duration.seconds(60)

    private var replicas: [ProfileID: [ReplicaID: Writer]] = [:]
    private var last: [ProfileID: MonotonicTime] = [:]
    private var count = 0

    subscript(profile: ProfileID) -> [ReplicaID: Writer] { replicas[profile] ?? [:] }

    /// The devices whose writes a profile lacks, and why, each once. O(replicas that are left out).
    func writers(of profile: ProfileID) -> [(device: DeviceID, reason: Reason)] {
        Set(self[profile].values).compactMap { writer in writer.device.map { ($0, writer.reason) } }.sorted { $0 < $1 }
    }

    /// Notes replicas; returns whether any of them is new.
    mutating func add(_ others: [ReplicaID: Writer], of profile: ProfileID, now: MonotonicTime) -> Bool {
        let new = others.filter { replicas[profile]?[$0.key] == nil }
        guard count + new.count <= Self.limit else { return false }
        if isDue(profile, now: now) { last[profile] = now }
        guard !new.isEmpty else { return false }
        count += new.count
        replicas[profile, default: [:]].merge(new) { known, _ in known }
        return true
    }

    /// Notes that the writes of replicas were taken.
    mutating func remove(_ others: some Sequence<ReplicaID>, of profile: ProfileID) {
        guard replicas[profile] != nil else { return }
        for replica in others where replicas[profile]?.removeValue(forKey: replica) != nil { count -= 1 }
    }

    func isDue(_ profile: ProfileID, now: MonotonicTime) -> Bool {
        last[profile].map { now - $0 >= Self.pause } ?? true
    }
}
