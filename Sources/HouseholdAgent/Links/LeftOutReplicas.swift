import MergeCore

/// The replicas whose writes are left out of a profile, since the agent started. Whose they are is not kept, so a bad
/// device cannot fill the record with them.
struct LeftOutReplicas {
    /// Most replicas that are remembered, of all profiles together.
    private static let limit = 65_536

    private var replicas: [ProfileID: Set<ReplicaID>] = [:]
    private var count = 0

    subscript(profile: ProfileID) -> Set<ReplicaID> { replicas[profile] ?? [] }

    /// Notes replicas; returns whether any of them is new.
    mutating func add(_ others: Set<ReplicaID>, of profile: ProfileID) -> Bool {
        let new = others.subtracting(self[profile])
        guard !new.isEmpty, count + new.count <= Self.limit else { return false }
        count += new.count
        replicas[profile, default: []].formUnion(new)
        return true
    }
}
