import HouseholdSimulation
import LosslessJSON
import MergeCore
import ProfileKeeping
import Synchronization
import TestSupport
import Testing

/// A save goes to another version of its game, and comes back, and is cut short at every step of it, with everything a
/// kill or a power cut may leave: the file is of one version or the other, whole, with all that was played, the save of
/// before is in the backups, and asked for again it is done.
@Suite struct MigrationCrashTests {
    private static let profile = ProfileID(random: 1, 2)
    private static let path = "/saves/save.json"
    private static let now: Moment = 1_700_000_000_000

    private static func former(_ coins: Int) -> [UInt8] {
        Array(#"{"version": "1.0", "hp": 3, "coins": \#(coins), "own": [1, 2.50]}"#.utf8)
    }

    private static func upcasted(_ coins: Int) -> [UInt8] {
        Array(#"{"version": "2.0", "health": 3, "coins": \#(coins), "own": [1, 2.50]}"#.utf8)
    }

    private static func rules(_ version: Int) throws -> RuleSet {
        try RuleSet(
            [RuleSet.Entry(RulePattern(parsing: "/coins"), MergeRule(.counter))], version: "\(version).0",
            versionAt: "/version",
            migrations: version == 1
                ? [] : [Migration(from: "1.0", to: "2.0", steps: [.rename(RulePattern(parsing: "/hp"), to: "health")])])
    }

    struct CrashPoint {
        var disk: MemoryDisk
        var record: MemoryRecord.Copy
        var step: String
        /// What the game had counted, durably.
        var coins: Int
    }

    @Test(arguments: MemoryFiles.Swapping.allCases, [false, true])
    func cutShortAtEveryStep(_ swapping: MemoryFiles.Swapping, goesBack: Bool) throws {
        let start = try Self.start(swapping, goesBack: goesBack)
        var random = SeededRandom(seed: 7)
        var seen: Set<Int> = []
        for save in [false, true] {
            for moment in try moments(start, swapping, goesBack: goesBack, gameSaves: save) {
                let left =
                    [moment.disk.afterKill]
                    + PowerCut(of: moment.disk, using: &random).disks(limit: 60, using: &random)
                for image in left where seen.insert(image.fingerprint() &* 31 &+ moment.record.hashValue).inserted {
                    try check(image, moment, swapping, goesBack: goesBack)
                }
            }
        }
        #expect(seen.count > 100)
        print("migration cut short, \(swapping), \(goesBack ? "back" : "up"): \(seen.count) disks")
    }

    /// A shared save of version 1 under rules of version 2; to go back, one that was upcast.
    private static func start(_ swapping: MemoryFiles.Swapping, goesBack: Bool) throws -> CrashPoint {
        let files = MemoryFiles(swapping: swapping)
        let record = MemoryRecord(power: files.power)
        files.saveByRename(former(100), at: path)
        var engine = try ProfileEngine(files: files, store: record)
        _ = try engine.add(
            file: path, name: "test", rules: rules(1),
            ids: FreshIDs(profile: profile, replica: ReplicaID(high: 1, low: 1)), now: now)
        files.saveByRename(former(110), at: path)
        _ = try engine.ingest(profile, now: now + 1_000)
        try engine.changeRules(profile, to: rules(2), now: now + 2_000)
        if goesBack { _ = try engine.migrate(profile, to: nil, tag: 1, now: now + 3_000) }
        try engine.clearDisplaced(profile, now: now + 10_000)
        return CrashPoint(disk: files.disk, record: record.copy, step: "", coins: 110)
    }

    private func moments(
        _ start: CrashPoint, _ swapping: MemoryFiles.Swapping, goesBack: Bool, gameSaves: Bool
    ) throws -> [CrashPoint] {
        let files = MemoryFiles(start.disk, swapping: swapping)
        let record = MemoryRecord(power: files.power)
        record.restore(start.record)
        let taken = Mutex<(moments: [CrashPoint], coins: Int)>(([], 110))
        let keep: @Sendable (String) -> Void = { [unowned files, unowned record] step in
            let (disk, copy) = (files.disk, record.copy)
            taken.withLock { $0.moments.append(CrashPoint(disk: disk, record: copy, step: step, coins: $0.coins)) }
        }
        var engine = try ProfileEngine(files: files, store: record)
        files.power.setHook { [unowned files] operation throws(StorageFault) in
            keep("\(operation)")
            // The game saves right before the swap, once. (Between a look at the file and the rename over it nothing
            // can be done where there is no exchange.)
            switch operation {
            case .exchange where swapping != .links, .syncAside: break
            default: return
            }
            guard gameSaves, taken.withLock({ $0.coins }) == 110 else { return }
            files.saveByRename(goesBack ? Self.upcasted(115) : Self.former(115), at: Self.path, syncing: .all)
            taken.withLock { $0.coins = 115 }
        }
        _ = try? engine.migrate(Self.profile, to: goesBack ? "1.0" : nil, tag: 20, now: Self.now + 20_000)
        try engine.clearDisplaced(Self.profile, now: Self.now + 30_000)
        keep("the end")
        files.power.restart()
        return taken.withLock { $0.moments }
    }

    private func check(
        _ image: MemoryDisk, _ moment: CrashPoint, _ swapping: MemoryFiles.Swapping, goesBack: Bool
    ) throws {
        let files = MemoryFiles(image, swapping: swapping)
        let record = MemoryRecord(power: files.power)
        record.restore(moment.record)
        var engine = try ProfileEngine(files: files, store: record)
        var now = Self.now + 100_000
        _ = engine.recover(Self.profile, now: now)
        try settle(&engine, &now)
        let found = files.bytes(at: Self.path).map { String(decoding: $0, as: UTF8.self) }
        let plays = goesBack ? [110, moment.coins] : [moment.coins]
        let whole = plays.flatMap { [Self.former($0), Self.upcasted($0)] }.map { String(decoding: $0, as: UTF8.self) }
        #expect(found.map(whole.contains) == true, "before \(moment.step): \(found ?? "nothing")")

        // Asked for again.
        let target = goesBack ? "1.0" : nil
        let report = try engine.migrate(Self.profile, to: target, tag: 40, now: now).report
        #expect(report.errors.isEmpty, "before \(moment.step): \(report.errors)")
        try settle(&engine, &now)
        if goesBack {
            // A file that went back is its game's own: a save that came in between counts for the household, and is in
            // the file again once that is upcast.
            let found = files.bytes(at: Self.path)
            #expect(plays.contains { Self.former($0) == found }, "before \(moment.step)")
            #expect(try engine.migrate(Self.profile, to: nil, tag: 60, now: now).report.errors.isEmpty)
            try settle(&engine, &now)
        }
        #expect(files.bytes(at: Self.path) == Self.upcasted(moment.coins), "before \(moment.step)")
        #expect(files.paths.filter { $0.contains("/.hearth-") } == [], "before \(moment.step)")
        let backups = try engine.backups(Self.profile)
        #expect(backups.allSatisfy { $0.condition == .good })
        let before = goesBack ? [Self.upcasted(110), Self.upcasted(115)] : [Self.former(110), Self.former(115)]
        let isKept = backups.contains { backup in
            guard case .document(let bytes) = engine.readBackup(Self.profile, backup.name) else { return false }
            return before.contains(bytes)
        }
        #expect(isKept, "before \(moment.step): the save of before is no backup")
    }

    private func settle(_ engine: inout ProfileEngine<MemoryFiles, MemoryRecord>, _ now: inout Moment) throws {
        for tag in 0..<4 {
            now += 10_000
            _ = try engine.ingest(Self.profile, now: now)
            _ = engine.project(Self.profile, tag: UInt64(now.wall.milliseconds) << 4 | UInt64(tag), now: now)
            try engine.clearDisplaced(Self.profile, now: now)
        }
    }
}
