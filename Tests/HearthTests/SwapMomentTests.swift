import HouseholdSimulation
import LosslessJSON
import MergeCore
import ProfileKeeping
import Testing

/// Saves in the microseconds between the last read of a file and its swap. Live processes rarely hit this moment, so it
/// is chosen here.
struct SwapMomentTests {
    private let path = "/saves/save.json"
    private let files = MemoryFiles()

    /// A game saves a state from memory that is older than the last merge. The merged progress is not lost.
    @Test func aSaveFromMemory_swappedAwayUnseen_countsFromWhatTheGameHadRead() throws {
        var (engine, other, id) = try household()
        try merge(&other, into: &engine, id, coins: 140, level: 5)
        #expect(coins == 140)
        files.power.restart()
        files.power.setHook { [files, path] step throws(StorageFault) in
            if case .exchange = step { files.saveByRename(Self.save(coins: 110, level: 2), at: path) }
        }
        try join(&other, into: &engine, id, coins: 150, level: 6)
        _ = engine.project(id, tag: 50, now: 50_000)
        files.power.restart()
        try settle(&engine, id, now: 60_000)
        #expect(coins == 160, "100, and 40 and 10 from the other device, and 10 from this one")
    }

    /// A game writes in place; its half-written save is swapped away, and then it writes the rest.
    @Test func aHalfSave_swappedAway_isTakenUpOnceItIsWhole() throws {
        var (engine, other, id) = try household()
        let handle = try #require(files.holdOpen(path))
        let whole = Self.save(coins: 110, level: 2)
        files.power.restart()
        files.power.setHook { [files] step throws(StorageFault) in
            if case .exchange = step { files.write(Array(whole.prefix(9)), into: handle) }
        }
        try join(&other, into: &engine, id, coins: 140, level: 5)
        _ = engine.project(id, tag: 50, now: 50_000)
        files.power.restart()
        files.write(whole, into: handle)
        try engine.clearDisplaced(id, now: 60_000)
        files.release(handle)
        try settle(&engine, id, now: 70_000)
        #expect(coins == 150, "100, and 40 from the other device, and 10 from this one")
        #expect(files.paths == [path])
    }

    // MARK: Two devices

    private typealias MemoryEngine = ProfileEngine<MemoryFiles, MemoryRecord>

    private static func save(coins: Int, level: Int) -> [UInt8] {
        Array("{\"name\": \"Ada\", \"coins\": \(coins), \"level\": \(level), \"lap\": 3}\n".utf8)
    }

    private var coins: Int? {
        guard let bytes = files.bytes(at: path), let value = try? JSONValue(parsing: bytes),
            case .number(let number)? = value["coins"]
        else { return nil }
        return Int(number.text)
    }

    private func household() throws -> (MemoryEngine, MemoryEngine, ProfileID) {
        var engine = try MemoryEngine(files: files, store: MemoryRecord(power: files.power))
        files.saveByRename(Self.save(coins: 100, level: 1), at: path)
        let rules = try RuleSet([
            RuleSet.Entry(try RulePattern(parsing: "/coins"), MergeRule(.counter)),
            RuleSet.Entry(try RulePattern(parsing: "/level"), MergeRule(.max)),
        ])
        let ids = FreshIDs(profile: ProfileID(random: 1, 2), replica: ReplicaID(high: 1, low: 1))
        let id = try engine.add(file: path, name: "test", rules: rules, ids: ids, now: 1_000)
        var other = try MemoryEngine(files: MemoryFiles(), store: MemoryRecord())
        try pass(from: engine, to: &other, id, fresh: ReplicaID(high: 2, low: 1), now: 2_000)
        try other.bind(id, to: path, now: 3_000)
        _ = other.project(id, tag: 1, now: 4_000)
        return (engine, other, id)
    }

    private func pass(
        from sender: MemoryEngine, to receiver: inout MemoryEngine, _ id: ProfileID, fresh: ReplicaID, now: Moment
    ) throws {
        let state = try #require(sender.profiles[id]).state
        let known = receiver.profiles[id]?.state.vector ?? VersionVector()
        _ = try receiver.join(
            id, atoms: state.delta(beyond: known), from: known, to: state.vector, freshReplica: fresh, now: now)
    }

    /// The other device's game saves, and the first device joins it.
    private func join(
        _ other: inout MemoryEngine, into engine: inout MemoryEngine, _ id: ProfileID, coins: Int, level: Int
    ) throws {
        other.files.saveByRename(Self.save(coins: coins, level: level), at: path)
        _ = try other.ingest(id, now: 10_000 + Int64(level))
        try pass(from: other, to: &engine, id, fresh: ReplicaID(high: 1, low: 2), now: 20_000 + Int64(level))
    }

    private func merge(
        _ other: inout MemoryEngine, into engine: inout MemoryEngine, _ id: ProfileID, coins: Int, level: Int
    ) throws {
        try join(&other, into: &engine, id, coins: coins, level: level)
        try settle(&engine, id, now: 30_000)
    }

    private func settle(_ engine: inout MemoryEngine, _ id: ProfileID, now: Moment) throws {
        for round in 0..<4 {
            let now = now + 5_000 * Int64(round)
            _ = try engine.ingest(id, now: now)
            _ = engine.project(id, tag: UInt64(now.wall.milliseconds), now: now)
            try engine.clearDisplaced(id, now: now + 4_000)
        }
    }
}
