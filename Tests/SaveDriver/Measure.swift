import HearthKit
import Libc

/// What opening and updating a save of 10 KB costs, beside one write + fsync + rename of the same bytes in the same
/// run.
enum Measure {
    struct Level: ProfilePart {
        @Highest var stars = 0
        @Lowest var moves: Int?
        @Counter var tries = 0
    }

    struct Hero: Profile {
        @Counter var coins = 0
        @Highest var level = 1
        var levels: [String: Level] = [:]
    }

    private static let rounds = 60

    static func run(_ options: StoreOptions) async throws {
        var options = options
        options.autoSave = .manual
        let saves = try await ProfileStore<Hero>.open(game: "rpg", slot: "big", options)
        try await saves.update { hero in
            for number in 0..<160 {
                var level = Level()
                (level.stars, level.moves, level.tries) = (number % 3 + 1, number * 7 + 3, number)
                hero.levels["level-\(number)"] = level
            }
        }
        let bytes = try contents(saves.path)
        var (floors, updates, entries, opens, edits) = (Times(), Times(), Times(), Times(), Times())
        for round in 0..<rounds + 3 {
            let floor = try time { try durable(bytes, saves.path + ".floor") }
            let update = try await timed { try await saves.update { $0.coins += 1 } }
            let entry = try await timed { try await saves.update { $0.levels["level-\(round)"]?.tries += 1 } }
            let open = try await timed {
                _ = try await ProfileStore<Hero>.open(game: "rpg", slot: "big", options)
            }
            let edit = time { saves.edit { $0.level += 1 } }
            try await saves.save()
            guard round >= 3 else { continue }
            floors.append(floor)
            updates.append(update)
            entries.append(entry)
            opens.append(open)
            edits.append(edit)
        }
        let burst = try await timed {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<1_000 { group.addTask { try await saves.update { $0.coins += 1 } } }
                try await group.waitForAll()
            }
        }
        print("a save of \(bytes.count) bytes, \(rounds) rounds, ms: median (least, p95)")
        print("  write + fsync + rename     \(floors)")
        print("  update of a field          \(updates), \(updates.over(floors)) times that (goal 3)")
        print("  update of one of 160 parts \(entries), \(entries.over(floors)) times that (goal 3)")
        print("  open                       \(opens) (goal 20)")
        print("  edit                       \(edits)")
        print("  1,000 updates at once      \(Times.rounded(burst))")
    }

    private struct Times: CustomStringConvertible {
        private var values: [Double] = []

        mutating func append(_ value: Double) { values.append(value) }

        var median: Double { sorted[values.count / 2] }
        private var sorted: [Double] { values.sorted() }

        /// The medians' ratio, and between which the ratios of single rounds lie.
        func over(_ floor: Times) -> String {
            var ratios = Times()
            for (value, floor) in zip(values, floor.values) { ratios.append(value / floor) }
            let ends = "\(Self.rounded(ratios.sorted[0])), \(Self.rounded(ratios.sorted[values.count * 95 / 100]))"
            return "\(Self.rounded(median / floor.median)) (\(ends))"
        }

        var description: String {
            "\(Self.rounded(median)) (\(Self.rounded(sorted[0])), \(Self.rounded(sorted[values.count * 95 / 100])))"
        }

        static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
    }

    private static func durable(_ bytes: [UInt8], _ path: String) throws {
        let file = open(path + ".new", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0, close(file) == 0,
            rename(path + ".new", path) == 0
        else { throw Trouble() }
    }

    private struct Trouble: Error {}

    private static func contents(_ path: String) throws -> [UInt8] {
        let file = open(path, O_RDONLY)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = read(file, &bytes, bytes.count)
        guard count > 0 else { throw Trouble() }
        return Array(bytes[..<count])
    }

    private static func time(_ body: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try body()
        return milliseconds(start)
    }

    private static func timed(_ body: () async throws -> Void) async rethrows -> Double {
        let start = ContinuousClock.now
        try await body()
        return milliseconds(start)
    }

    private static func milliseconds(_ start: ContinuousClock.Instant) -> Double {
        (ContinuousClock.now - start) / .milliseconds(1)
    }
}
