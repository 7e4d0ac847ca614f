import MergeCore
import SyncProtocol

/// The replicas whose writes are left out of a profile, since the agent started. They are not stored, so that a bad
/// device cannot fill the record with them.
struct LeftOutReplicas {
    /// Why the writes of a device are left out.
    enum Reason: String, Comparable {
        case tooManyReplicas = "it has too many replicas"
        case full = "it holds more than a save may"
        case noMember = "it is no member any more, and nobody had this before"
        case epochs = "with what is here of it, it starts over too often; one of both may be made up by another device"
        case follows = "it may follow on writes that are left out"

        static func < (one: Reason, two: Reason) -> Bool { one.rawValue < two.rawValue }
    }

    /// The device that writes as a replica; `nil` if no device announced its origin.
    struct Writer: Hashable {
        let device: DeviceID?
        let reason: Reason
    }

    /// A replica whose writes are left out, and how far it has written at least.
    private struct Lacking {
        let writer: Writer
        /// On one link a peer announces the origin once, and it may be wanted again later.
        let origin: ReplicaOrigin?
        let sequence: UInt64
    }

    /// Most replicas that are remembered, of all profiles together.
    private static let limit = 65_536
    /// Most writers that are remembered beside them, of all profiles together.
    static let otherLimit = 4_096
    /// The time after which the agent checks again whether they can be taken.
    static let pause = Duration.seconds(60)

    private var replicas: [ProfileID: [ReplicaID: Lacking]] = [:]
    /// The writers of replicas for which there was no room here.
    private var others: [ProfileID: Set<Writer>] = [:]
    /// Whether there was no room for a writer, either: somebody's writes are left out of some profile.
    private(set) var hasMore = false
    private var last: [ProfileID: MonotonicTime] = [:]
    private var count = 0
    private var otherCount = 0

    func contains(_ replica: ReplicaID, of profile: ProfileID) -> Bool { replicas[profile]?[replica] != nil }

    /// How far a replica has written whose writes are left out because there is no room for them; 0 for any other.
    func progress(of replica: ReplicaID, in profile: ProfileID) -> UInt64 {
        guard let lacking = replicas[profile]?[replica] else { return 0 }
        return [.tooManyReplicas, .full, .epochs].contains(lacking.writer.reason) ? lacking.sequence : 0
    }

    /// The devices whose writes a profile lacks, each once with the reason. O(replicas that are left out).
    func writers(of profile: ProfileID) -> [(device: DeviceID, reason: Reason)] {
        let known = Set((replicas[profile] ?? [:]).values.map(\.writer)).union(others[profile] ?? [])
        return known.compactMap { writer in writer.device.map { ($0, writer.reason) } }.sorted { $0 < $1 }
    }

    /// The profiles that lack writes for a reason. O(replicas that are left out).
    func profiles(for reason: Reason) -> [ProfileID] { replicas.keys.filter { lacks($0, for: reason) }.sorted() }

    /// Whether a profile lacks writes for a reason.
    func lacks(_ profile: ProfileID, for reason: Reason) -> Bool {
        replicas[profile]?.values.contains { $0.writer.reason == reason } == true
    }

    /// Whether any writes of a profile are left out.
    func lacksAnything(of profile: ProfileID) -> Bool { replicas[profile] != nil || others[profile] != nil }

    /// The origin of a replica whose writes are left out, as a peer announced it.
    func origin(of replica: ReplicaID, in profile: ProfileID) -> ReplicaOrigin? {
        replicas[profile]?[replica]?.origin
    }

    /// Notes replicas, with how far each has written; returns whether any of them is new.
    mutating func add(
        _ writers: [ReplicaID: Writer], from origins: [ReplicaID: ReplicaOrigin] = [:], upTo vector: VersionVector,
        of profile: ProfileID, now: MonotonicTime
    ) -> Bool {
        if isDue(profile, now: now) { last[profile] = now }
        var isNew = false
        for (replica, writer) in writers {
            let sequence = vector.sequence(of: replica)
            if let known = replicas[profile]?[replica] {
                // What follows on writes that are left out is left out for their reason, unless its device came back.
                let keeps = [.tooManyReplicas, .follows].contains(writer.reason) && known.writer.reason != .noMember
                let reason = keeps ? known.writer.reason : writer.reason
                let writer = Writer(device: writer.device ?? known.writer.device, reason: reason)
                replicas[profile]?[replica] = Lacking(
                    writer: writer, origin: known.origin ?? origins[replica],
                    sequence: max(known.sequence, sequence))
                if known.writer != writer { isNew = true }
            } else if count < Self.limit {
                replicas[profile, default: [:]][replica] = Lacking(
                    writer: writer, origin: origins[replica], sequence: sequence)
                count += 1
                isNew = true
            } else if addOther(writer, of: profile) {
                isNew = true
            }
        }
        return isNew
    }

    /// Notes the writer of a replica for which there is no room; returns whether that is new.
    private mutating func addOther(_ writer: Writer, of profile: ProfileID) -> Bool {
        if others[profile]?.contains(writer) == true { return false }
        guard otherCount < Self.otherLimit else {
            defer { hasMore = true }
            return !hasMore
        }
        others[profile, default: []].insert(writer)
        otherCount += 1
        return true
    }

    /// Notes how far a profile has taken the writes of replicas. O(replicas that are left out of it).
    mutating func taken(upTo vector: VersionVector, of profile: ProfileID) {
        guard let lacking = replicas[profile] else { return }
        for (replica, known) in lacking where vector.sequence(of: replica) >= known.sequence {
            replicas[profile]?[replica] = nil
            count -= 1
        }
        if replicas[profile]?.isEmpty == true { replicas[profile] = nil }
    }

    func isDue(_ profile: ProfileID, now: MonotonicTime) -> Bool {
        last[profile].map { now - $0 >= Self.pause } ?? true
    }
}
