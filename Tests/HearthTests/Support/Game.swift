import HouseholdSimulation
import Libc
import Synchronization
import TestSupport

/// The game on one machine: it reads its save, plays, and saves by rename, without knowing of Hearth.
actor Game {
    private let machine: Machine
    private var random: SeededRandom
    private var memory: GameSave
    private(set) var ledger = Ledger()
    private(set) var trouble: String?

    init(_ machine: Machine, seed: UInt64) throws {
        self.machine = machine
        random = SeededRandom(seed: seed)
        guard let save = GameSave(at: machine.save) else { throw Failure("no save at \(machine.save)") }
        memory = save
    }

    /// Saves again and again until `end` is set.
    ///
    /// - Parameters:
    ///   - limit: The most saves.
    ///   - pause: The pause between two saves, in milliseconds.
    ///   - stale: How many of a hundred saves are made from memory, without reading the file first.
    func play(until end: Flag, limit: Int, pause: ClosedRange<Int>, stale: Int) async throws {
        var saves = 0
        while !end.isSet, saves < limit {
            let isStale = Int.random(in: 0..<100, using: &random) < stale
            if !isStale {
                guard let save = GameSave(at: machine.save) else {
                    trouble = "the save on \(machine.name) cannot be read any more"
                    return
                }
                memory = save
                // Leave time for a merge between reading and saving.
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...8, using: &random)))
            }
            save(isStale: isStale)
            saves += 1
            if pause.upperBound > 0 {
                try await Task.sleep(for: .milliseconds(Int.random(in: pause, using: &random)))
            } else {
                await Task.yield()
            }
        }
    }

    private func save(isStale: Bool) {
        let number = ledger.saves + 1
        // Earn more often than spend, and never more than there is, so that the purse is never negative.
        let earned =
            Int.random(in: 0..<3, using: &random) > 0
            ? Int.random(in: 1...40, using: &random)
            : -min(memory.coins, Int.random(in: 1...15, using: &random))
        var next = memory
        next.coins += earned
        next.level += Int.random(in: 0...2, using: &random)
        let play = Play(
            earned: earned, level: next.level, theme: "\(machine.name)t\(number)", entry: "\(machine.name)\(number)",
            isStale: isStale)
        next.themes.insert(play.theme)
        next.log.insert(play.entry)
        if number % 5 == 0 { next.note = "\(machine.name) \(number)" }
        next.volume = Int.random(in: 0...9, using: &random)
        Disk.replace(machine.save, with: next.bytes)
        memory = next
        ledger.note(play)
    }
}

/// Set once to stop others.
final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .relaxed) }

    func set() { value.store(true, ordering: .relaxed) }
}

/// The seeds of the random tests: those in `HEARTH_TEST_SEEDS` (such as `3,17`), or else always the same one.
enum Seeds {
    static var chosen: [UInt64] {
        guard let wanted = getenv("HEARTH_TEST_SEEDS") else { return [11] }
        return String(cString: wanted).split(separator: ",").compactMap { UInt64($0) }
    }
}
