import HouseholdSimulation
import Libc
import LosslessJSON
import MergeCore
import RuleFile
import TestSupport
import Testing

@testable import HearthTesting

/// What one save costs a household until it is in every file, by the number of its devices. `Tests/Benchmarks/growth` draws
/// it; HEARTH_GROWTH sets the numbers of devices, with commas between.
@Suite struct GrowthTests {
    private static var counts: [Int] {
        guard let words = getenv("HEARTH_GROWTH") else { return [2, TestDepth.count(quick: 5, usual: 10, all: 20)] }
        return String(cString: words).split(separator: ",").compactMap { Int($0) }
    }

    @Test func aSaveIsEverywhereAfterAsManyRoundsHoweverManyDevicesThereAre() throws {
        for count in Self.counts {
            let cost = try Cost(devices: count)
            print(cost.line)
            print(cost.together)
            // Whoever saved sends to all that it has a link to, and those pass it on to the rest.
            #expect(cost.rounds <= 4, "\(cost.line)")
            // Each device tells each other one once at most: what it has, or that it has it.
            #expect(cost.messages <= count * (count - 1), "\(cost.line)")
            // The change of a number goes to each of the others once (127 bytes with the answer), and nobody sends it on, or
            // back; that it is there each of them tells each other one (23 bytes).
            let others = count - 1
            #expect(cost.bytes <= 130 * others + 24 * others * (others - 1), "\(cost.line)")
        }
    }

    /// What one save cost. Every message travels for a millisecond: a round.
    private struct Cost {
        let devices: Int
        /// From the first message to the last file.
        let rounds: Int64
        /// What was sent by then over all connections.
        let messages: Int, bytes: Int
        /// What was sent in half a minute, with what tells the others who has it, beside what is sent where nobody plays.
        let allMessages: Int, allBytes: Int
        /// What was sent until all devices were paired with one another and had the save, and the processor time of that.
        let together: String

        init(devices count: Int) throws {
            let rules = try RuleSet(yaml: "rules: {/coins: counter, /level: max, /themes: union}")
            let save = #"{"coins":100,"level":3,"themes":["dark"],"name":"Ada"}"#
            let game = SimulatedGame.plain(rules: rules, beginning: try JSONDocument(parsing: Array(save.utf8)))
            let names = (1...count).map { "device\($0)" }
            let began = clock()
            let quiet = try SimulatedHousehold.together(game, names, seed: 1).traffic
            let took = Int(clock() - began) * 1_000 / Int(CLOCKS_PER_SEC)
            let stage = try Stage(HouseholdBeginnings(game, devices: names), seed: 1, isTold: false)
            let home = stage.home
            home.delay = 1...1
            func sent() -> (messages: Int, bytes: Int) { home.traffic }
            together = "together \(count) \(quiet.messages) \(quiet.bytes) \(took)"
            home.run(milliseconds: 30_000)
            let before = sent()
            let played = home.now
            stage.perform(.plays(names[0], [.add("/coins", 30)]))
            var first = home.now
            var waiting = Array(stage.devices.indices)
            let isEverywhere = home.run(
                until: {
                    if sent().messages == before.messages { first = home.now }
                    while let device = waiting.last, stage.save(device)?.shared == stage.save(0)?.shared {
                        waiting.removeLast()
                    }
                    return waiting.isEmpty
                }, within: 20_000)
            try #require(isEverywhere, "\(waiting.count) of \(count) files do not hold the save")
            let then = sent()
            (devices, rounds) = (count, home.now.milliseconds - first.milliseconds)
            (messages, bytes) = (then.messages - before.messages, then.bytes - before.bytes)
            home.run(milliseconds: 30_000 - (home.now.milliseconds - played.milliseconds))
            let all = sent()
            allMessages = all.messages - before.messages - (before.messages - quiet.messages)
            allBytes = all.bytes - before.bytes - (before.bytes - quiet.bytes)
        }

        var line: String { "growth \(devices) \(rounds) \(messages) \(bytes) \(allMessages) \(allBytes)" }
    }
}
