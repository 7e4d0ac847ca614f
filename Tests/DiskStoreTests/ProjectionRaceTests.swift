import DiskStore
import Dispatch
import Glibc
import HouseholdSimulation
import LosslessJSON
import MergeCore
import Synchronization
import TestSupport
import Testing

@testable import ProfileKeeping

/// A game that saves as fast as it can, while what another device plays is written into the same file thousands of times.
///
/// Every save adds one coin, and every merge two: a save lost, or counted twice, is a wrong sum. The game knows nothing
/// of Hearth: it saves in bursts from memory, now and then starts again from what the file holds, and pauses at random,
/// so that its saves fall anywhere between the steps of a projection.
@Suite struct ProjectionRaceTests {
    private static let projections = TestDepth.count(quick: 1_000, usual: 2_500, all: 5_000)

    @Test(.timeLimit(.minutes(5)), arguments: [RacingWay.rename, .inPlace])
    func noSaveIsLost(_ way: RacingWay) async throws {
        let folder = TemporaryFolder(in: access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")
        let (path, home) = (folder["save.json"], folder["home"])
        try HomeFolder.create(home)
        Disk.write(RacingSave(coins: 1_000, level: 1, gems: 0).bytes, path)
        let record = try SQLiteRecord(home: home)
        var device = try TestDevice(DiskFiles(home: home), record, path: path, number: 1)
        let id = try device.engine.add(
            file: path, name: "test", rules: RacingSave.rules,
            ids: FreshIDs(profile: ProfileID(random: 1, 2), replica: ReplicaID(high: 1, low: 1)), now: device.now)
        let memory = MemoryFiles()
        var other = try TestDevice(memory, MemoryRecord(), path: "/b/save.json", number: 2)
        try other.restore(id, from: device)
        var theirs = try #require(memory.bytes(at: other.path).flatMap { RacingSave($0) })

        let game = RacingGame(path, way)
        game.start()
        var (written, changed, swappedAway, merges) = (0, 0, 0, 0)
        while written < Self.projections, merges < 10 * Self.projections {
            merges += 1
            theirs.coins += 2
            theirs.gems += 1
            memory.saveByRename(theirs.bytes, at: other.path)
            other.now += 1
            _ = try other.engine.ingest(id, now: other.now)
            try device.join(id, from: other)
            _ = try device.engine.ingest(id, now: device.now)
            device.now += 100
            switch device.project(id) {
            case .written:
                written += 1
                // Set where what came back from the swap was a save that nobody had seen yet.
                if device.engine.profiles[id]?.file.lag == .unknown { swappedAway += 1 }
            case .fileChanged: changed += 1
            case .nothingToDo, .postponed: break
            }
            try device.engine.clearDisplaced(id, now: device.now)
        }
        let saves = await game.end()
        try device.settle(id)
        record.close()

        let end = try #require(Disk.read(path).flatMap { RacingSave($0) })
        print(
            "race, \(way): \(saves) saves against \(written) projections of \(merges) merges;",
            "\(changed) gave way, \(swappedAway) swapped away a save unseen")
        #expect(written == Self.projections)
        #expect(end.coins == 1_000 + saves + 2 * merges, "\(end.coins - 1_000 - saves - 2 * merges) too many")
        #expect(end.gems == merges)
        #expect(Disk.names(in: folder.path) == ["home", "save.json"])
        // Otherwise it was no race.
        #expect(saves > Self.projections)
        #expect(changed > 100)
    }
}

/// A game on a thread of its own.
private final class RacingGame: Sendable {
    private let path: String
    private let way: RacingWay
    private let queue = DispatchQueue(label: "game")
    private let isOver = Atomic(false)
    private let saves = Mutex(0)

    init(_ path: String, _ way: RacingWay) { (self.path, self.way) = (path, way) }

    func start() { queue.async { self.play() } }

    /// How often it saved.
    func end() async -> Int {
        isOver.store(true, ordering: .relaxed)
        return await withCheckedContinuation { done in
            queue.async { done.resume(returning: self.saves.withLock { $0 }) }
        }
    }

    private func play() {
        var random = SeededRandom(seed: 5)
        guard var memory = Disk.read(path).flatMap({ RacingSave($0) }) else { return }
        while !isOver.load(ordering: .relaxed) {
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                memory.coins += 1
                memory.level += 1
                save(memory.bytes)
                saves.withLock { $0 += 1 }
                // Started again, it knows what the file holds, whoever wrote it.
                guard Bool.random(using: &random) else { continue }
                if let found = Disk.read(path).flatMap({ RacingSave($0) }) { memory = found }
            }
            usleep(.random(in: 0..<12_000, using: &random))
        }
    }

    private func save(_ bytes: [UInt8]) {
        switch way {
        case .rename: Disk.replace(path, with: bytes)
        case .inPlace:
            let file = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
            precondition(file >= 0)
            let half = bytes.count / 2
            bytes.withUnsafeBytes { all in
                precondition(write(file, all.baseAddress!, half) == half)
                precondition(write(file, all.baseAddress! + half, all.count - half) == all.count - half)
            }
            close(file)
        }
    }
}

enum RacingWay: Sendable { case rename, inPlace }

private struct RacingSave {
    var coins: Int
    /// Raised by every save, so that a save tells how far its game had come.
    var level: Int
    /// Raised by the other device alone.
    var gems: Int

    init(coins: Int, level: Int, gems: Int) { (self.coins, self.level, self.gems) = (coins, level, gems) }

    init?(_ bytes: [UInt8]) {
        func number(_ value: JSONValue?) -> Int? {
            if case .number(let number)? = value { Int(number.text) } else { nil }
        }
        guard let save = try? JSONValue(parsing: bytes), let coins = number(save["coins"]),
            let level = number(save["level"]), let gems = number(save["gems"])
        else { return nil }
        self.init(coins: coins, level: level, gems: gems)
    }

    var bytes: [UInt8] {
        Array("{\"name\": \"Ada\", \"coins\": \(coins), \"level\": \(level), \"gems\": \(gems)}\n".utf8)
    }

    static var rules: RuleSet {
        get throws {
            try RuleSet([
                RuleSet.Entry(try RulePattern(parsing: "/coins"), MergeRule(.counter)),
                RuleSet.Entry(try RulePattern(parsing: "/level"), MergeRule(.max)),
                RuleSet.Entry(try RulePattern(parsing: "/gems"), MergeRule(.max)),
            ])
        }
    }
}
