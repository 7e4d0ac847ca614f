import HouseholdSimulation
import MergeCore
import ProfileKeeping

/// An engine over a disk and a record in memory, driven by hand as the agent does it.
struct CrashDevice {
    var engine: ProfileEngine<MemoryFiles, MemoryRecord>
    /// Makes this device's replicas and temporaries its own.
    let number: UInt64
    var now: Moment
    private var tag: UInt64 = 0

    init(_ files: MemoryFiles, _ record: MemoryRecord, number: UInt64, now: Moment) throws {
        engine = try ProfileEngine(files: files, store: record)
        self.number = number
        self.now = now
    }

    var files: MemoryFiles { engine.files }

    mutating func add(_ path: String, _ kind: TallySave.Kind, profile: ProfileID) throws -> ProfileID {
        let ids = FreshIDs(profile: profile, replica: freshReplica())
        return try engine.add(file: path, name: "test", rules: TallySave.rules(kind), ids: ids, now: now)
    }

    /// What an agent does at its start.
    mutating func start() throws {
        _ = engine.recover(now: now)
        try settle()
    }

    /// Takes up and writes back until nothing is left to do, then lets the displaced files go.
    mutating func settle() throws {
        for _ in 0..<4 {
            for id in engine.ids { try settleFile(id) }
            now += 10_000
            for id in engine.ids { try engine.clearDisplaced(id, now: now) }
            guard engine.ids.contains(where: { engine.wantsProjection($0) && isUsable($0) }) else { return }
        }
    }

    private mutating func settleFile(_ id: ProfileID) throws {
        for _ in 0..<10 {
            now += 1
            let seen = try engine.ingest(id, now: now)
            if seen == .unusable, engine.profiles[id]?.file.status != .missing { return }
            let outcome = project(id)
            if outcome == .nothingToDo || outcome == .postponed { return }
        }
    }

    private func isUsable(_ id: ProfileID) -> Bool {
        if case .bad? = engine.profiles[id]?.file.status { false } else { true }
    }

    private mutating func nextTag() -> UInt64 {
        tag += 1
        return number << 48 | UInt64(now.wall.milliseconds) << 8 | tag
    }

    private mutating func freshReplica() -> ReplicaID {
        tag += 1
        return ReplicaID(high: number, low: UInt64(now.wall.milliseconds) << 8 | tag)
    }

    mutating func project(_ id: ProfileID) -> ProjectOutcome {
        let tag = nextTag()
        return engine.project(id, tag: tag, now: now)
    }

    /// Takes up what another device has that this one does not.
    ///
    /// - Parameter writes: Whether it is written into the file in one go.
    mutating func join(_ id: ProfileID, from other: CrashDevice, writes: Bool = false) throws {
        guard let theirs = other.engine.profiles[id]?.state else { return }
        let known = engine.profiles[id]?.state.vector ?? VersionVector()
        let replica = freshReplica()
        let write = writes ? nextTag() : nil
        let (outcome, _) = try engine.join(
            id, atoms: theirs.delta(beyond: known), from: known, to: theirs.vector,
            freshReplica: replica, writing: write,
            now: now)
        // A device whose record is an older one goes on as a new replica.
        guard outcome == .joined || outcome == .joinedAsNewReplica else {
            throw Unexpected(what: "\(outcome) when joining")
        }
    }
}

struct Unexpected: Error { var what: String }
