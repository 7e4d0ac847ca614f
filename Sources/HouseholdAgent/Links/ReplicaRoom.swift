import MergeCore
import SyncProtocol

/// How many replicas a profile may have. A vector that is too long for a link could never be sent again, so replicas
/// that would make it too long are left out before they are stored.
///
/// The ids of replicas (``ReplicaOrigin``) limit how many replicas a device begins in a profile, and all devices agree
/// on that. This type limits the other replicas: those that came with joined profiles, and those of any number of
/// devices.
struct ReplicaRoom {
    /// The number of replicas of one device that always find room, even in a profile that has half of the replicas that
    /// it may have. A household has at most ``Limits/statements`` devices, so there is room for so many of each.
    static let reserved = 2

    private var total = 0
    private var counts: [DeviceKey: (all: Int, joined: Int)] = [:]
    private let profile: ProfileID

    init(_ profile: ProfileID, _ vector: VersionVector, _ origins: ReplicaOrigins) {
        self.profile = profile
        for replica in vector.entries.keys {
            total += 1
            if let origin = origins[replica] { count(origin) }
        }
    }

    /// Whether there is room for one more replica. If so, it is counted.
    mutating func takes(_ origin: ReplicaOrigin) -> Bool {
        let (all, joined) = counts[origin.device] ?? (0, 0)
        guard total < Limits.vectorEntries, total < Limits.vectorEntries / 2 || all < Self.reserved,
            origin.profile == profile || joined < Limits.joinedReplicas
        else { return false }
        total += 1
        count(origin)
        return true
    }

    private mutating func count(_ origin: ReplicaOrigin) {
        counts[origin.device, default: (0, 0)].all += 1
        if origin.profile != profile { counts[origin.device]?.joined += 1 }
    }
}
