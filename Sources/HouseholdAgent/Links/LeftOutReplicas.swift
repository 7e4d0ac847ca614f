import MergeCore

/// The replicas whose writes are left out of a profile, since the agent started. Whose they are is not kept, so a bad
/// device cannot fill the record with them.
struct LeftOutReplicas {
    /// Most replicas that are remembered, of all profiles together.
    private static let limit = 65_536
    /// The time after which it is looked at once more whether they can be taken.
    static let pause = Duration.seconds(60)

    private var replicas: [ProfileID: Set<ReplicaID>] = [:]
    private var last: [ProfileID: MonotonicTime] = [:]
    private var count = 0

    subscript(profile: ProfileID) -> Set<ReplicaID> { replicas[profile] ?? [] }

    /// Notes replicas; returns whether any of them is new.
    mutating func add(_ others: Set<ReplicaID>, of profile: ProfileID, now: MonotonicTime) -> Bool {
        let new = others.subtracting(self[profile])
        guard count + new.count <= Self.limit else { return false }
        if isDue(profile, now: now) { last[profile] = now }
        guard !new.isEmpty else { return false }
        count += new.count
        replicas[profile, default: []].formUnion(new)
        return true
    }

    /// Notes that the writes of replicas were taken.
    mutating func remove(_ others: some Sequence<ReplicaID>, of profile: ProfileID) {
        guard replicas[profile] != nil else { return }
        for replica in others where replicas[profile]?.remove(replica) != nil { count -= 1 }
    }

    func isDue(_ profile: ProfileID, now: MonotonicTime) -> Bool {
        last[profile].map { now - $0 >= Self.pause } ?? true
    }
}
