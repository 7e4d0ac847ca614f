import HouseholdSimulation
import MergeCore
import ProfileKeeping

/// The other device of the household, in memory: made anew at every start, and the same every time.
struct Peer {
    static let id = ProfileID(random: 1, 2)
    static let time: Moment = 1_700_000_000_000

    private static let path = "/peer/save.json"
    private var engine: ProfileEngine<MemoryFiles, MemoryRecord>

    /// - Parameter hasPlayed: Whether it has earned 40 coins since the beginning.
    init(hasPlayed: Bool) throws {
        let files = MemoryFiles()
        engine = try ProfileEngine(files: files, store: MemoryRecord())
        files.setTime(Self.time.wall)
        files.saveByRename(Self.save(coins: 100, level: 1, "start", "new"), at: Self.path)
        let ids = FreshIDs(profile: Self.id, replica: ReplicaID(high: 2, low: 1))
        _ = try engine.add(file: Self.path, name: "RPG", rules: Self.rules, ids: ids, now: Self.time)
        guard hasPlayed else { return }
        files.setTime((Self.time + 1_000).wall)
        files.saveByRename(
            Self.save(coins: 140, level: 5, "peer\", \"start", "new\", \"peer"), at: Self.path)
        _ = try engine.ingest(Self.id, now: Self.time + 1_000)
    }

    var state: ProfileState { engine.profiles[Self.id]!.state }

    /// What its file holds once it has taken up everything from the other side.
    func file(after other: ProfileState) throws -> [UInt8] {
        var copy = self
        let known = state.vector
        _ = try copy.engine.join(
            Self.id, atoms: other.delta(beyond: known), from: known, to: other.vector,
            freshReplica: ReplicaID(high: 2, low: 2), now: Self.time + 2_000)
        _ = copy.engine.project(Self.id, tag: 1, now: Self.time + 2_000)
        return copy.engine.files.bytes(at: Self.path) ?? []
    }

    private static var rules: RuleSet {
        get throws {
            let rules: [(String, MergeRule)] = [
                ("/coins", MergeRule(.counter)), ("/level", MergeRule(.max)), ("/themes", MergeRule(.union)),
                ("/log", MergeRule(.union)), ("/note", MergeRule(.latest)), ("/settings/**", MergeRule(.local)),
            ]
            return try RuleSet(rules.map { RuleSet.Entry(try RulePattern(parsing: $0.0), $0.1) })
        }
    }

    private static func save(coins: Int, level: Int, _ themes: String, _ log: String) -> [UInt8] {
        Array(
            """
            {
              "coins": \(coins),
              "level": \(level),
              "themes": ["\(themes)"],
              "log": ["\(log)"],
              "note": "-",
              "settings": {"volume": 5}
            }

            """.utf8)
    }
}
