import HearthTesting
import MergeCore
import ProfileKeeping

/// A keeper over a disk and a record in memory, driven by hand as the agent does it.
struct CrashDevice {
    var keeper: Keeper<MemoryFiles, MemoryRecord>
    /// Makes this device's replicas and temporaries its own.
    let number: UInt64
    var now: Int64
    private var tag: UInt64 = 0

    init(_ files: MemoryFiles, _ record: MemoryRecord, number: UInt64, now: Int64) throws {
        keeper = try Keeper(files: files, store: record)
        self.number = number
        self.now = now
    }

    var files: MemoryFiles { keeper.files }

    mutating func add(_ path: String, _ kind: TallySave.Kind, profile: ProfileID) throws -> ProfileID {
        let ids = FreshIDs(profile: profile, replica: freshReplica())
        return try keeper.add(file: path, name: "test", rules: TallySave.rules(kind), ids: ids, now: now)
    }

    /// What an agent does at its start.
    mutating func start() throws {
        _ = keeper.recover(now: now)
        try settle()
    }

    /// Takes up and writes back until nothing is left to do, then lets the displaced files go.
    mutating func settle() throws {
        for _ in 0..<4 {
            for id in keeper.ids { try settleFile(id) }
            now += 10_000
            for id in keeper.ids { try keeper.clearDisplaced(id, now: now) }
            guard keeper.ids.contains(where: { keeper.wantsProjection($0) && isUsable($0) }) else { return }
        }
    }

    private mutating func settleFile(_ id: ProfileID) throws {
        for _ in 0..<10 {
            now += 1
            let seen = try keeper.ingest(id, now: now)
            if seen == .unusable, keeper.profiles[id]?.status != .missing { return }
            let outcome = project(id)
            if outcome == .nothingToDo || outcome == .postponed { return }
        }
    }

    private func isUsable(_ id: ProfileID) -> Bool {
        if case .bad? = keeper.profiles[id]?.status { false } else { true }
    }

    private mutating func freshReplica() -> ReplicaID {
        tag += 1
        return ReplicaID(high: number, low: UInt64(now) << 8 | tag)
    }

    mutating func project(_ id: ProfileID) -> ProjectOutcome {
        tag += 1
        return keeper.project(id, tag: number << 48 | UInt64(now) << 8 | tag, now: now)
    }

    /// Takes up what another device has that this one does not.
    mutating func join(_ id: ProfileID, from other: CrashDevice) throws {
        guard let theirs = other.keeper.profiles[id]?.state else { return }
        let known = keeper.profiles[id]?.state.vector ?? VersionVector()
        let replica = freshReplica()
        let outcome = try keeper.join(
            id, atoms: theirs.delta(beyond: known), from: known, to: theirs.vector,
            freshReplica: replica, now: now)
        // A device whose record is an older one goes on as a new replica.
        guard outcome == .joined || outcome == .joinedAsNewReplica else {
            throw Unexpected(what: "\(outcome) when joining")
        }
    }
}

struct Unexpected: Error { var what: String }
