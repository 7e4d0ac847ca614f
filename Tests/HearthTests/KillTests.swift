import HouseholdSimulation
import LosslessJSON
import TestSupport
import Testing

import enum TestSupport.TestDepth

extension LiveAgents {
    /// No save is lost and no counter counts twice, whichever process is killed at whatever moment.
    @Suite struct KillTests {
        /// Kills in all, and those of them that fell between intent and end of a projection.
        private static let kills = TestDepth.count(quick: 20, usual: 50, all: 200)
        private static let inTheMiddle = TestDepth.count(quick: 1, usual: 4, all: 10)

        /// Both agents are killed again and again while they work and both games save.
        @Test(.timeLimit(.minutes(8)), arguments: Seeds.chosen)
        func killsInABusySync_loseNothingAndCountNothingTwice(_ seed: UInt64) async throws {
            let couple = try await Couple.sharing()
            defer { couple.clear() }
            let games = [try Game(couple.a, seed: seed), try Game(couple.b, seed: seed + 1)]
            let end = Flag()
            var killer = Killer(couple, seed: seed + 2)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for game in games {
                    group.addTask {
                        try await game.play(until: end, limit: 2_000, pause: 40...160, stale: 30)
                    }
                }
                defer { end.set() }
                try await killer.killAgainAndAgain(
                    atLeast: Self.kills, inTheMiddle: Self.inTheMiddle, atMost: 2 * Self.kills)
            }
            var ledger = Ledger()
            for game in games {
                await ledger.add(game.ledger)
                #expect(await game.trouble == nil)
            }
            let whole = ledger
            let agreed = try await couple.agree { whole.difference(to: $0).isEmpty }
            print(
                "seed \(seed): \(killer.kills) kills, \(killer.inTheMiddle) between intent and finish; "
                    + "\(whole.saves) saves, \(whole.stale) of them from memory")
            #expect(killer.kills >= Self.kills && killer.inTheMiddle >= Self.inTheMiddle, "the kills did not hit")
            if agreed == nil {
                for machine in [couple.a, couple.b] {
                    let save = GameSave(at: machine.save)
                    Issue.record("\(machine.name): \(save.map(whole.difference(to:)) ?? ["no save"])")
                }
            }
            for machine in [couple.a, couple.b] {
                // Wait until no process has a displaced file open any more.
                let isClean = try await poll {
                    Disk.names(in: machine.folder + "/game") == ["save.json"] ? true : nil
                }
                #expect(isClean != nil, "left behind: \(Disk.names(in: machine.folder + "/game"))")
            }
        }
    }
}

/// Kills agents at random moments.
struct Killer {
    private let couple: Couple
    private var random: SeededRandom
    private(set) var kills = 0
    /// The number of kills after which the next start found an unfinished projection.
    private(set) var inTheMiddle = 0

    init(_ couple: Couple, seed: UInt64) {
        self.couple = couple
        random = SeededRandom(seed: seed)
    }

    mutating func killAgainAndAgain(atLeast least: Int, inTheMiddle wanted: Int, atMost most: Int) async throws {
        while kills < least || inTheMiddle < wanted, kills < most {
            let isFirst = Bool.random(using: &random)
            let (victim, other) = isFirst ? (couple.a, couple.b) : (couple.b, couple.a)
            if Bool.random(using: &random) {
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...400, using: &random)))
            } else {
                try await waitForTemporary(of: victim)
            }
            victim.kill()
            kills += 1
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...50, using: &random)))
            try victim.launch(peers: [other])
            if Int.random(in: 0..<8, using: &random) == 0 {
                // Kill it again while it starts, perhaps during recovery.
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...60, using: &random)))
                victim.kill()
                kills += 1
                try victim.launch(peers: [other])
            }
            guard let ready = try await victim.ready() else { throw Failure("\(victim.name) does not start again") }
            if ready["recovered"]?.elements.isEmpty == false { inTheMiddle += 1 }
        }
    }

    /// Waits until a projection has started, for at most 400 milliseconds.
    private func waitForTemporary(of machine: Machine) async throws {
        let folder = machine.folder + "/game"
        let known = Set(Disk.names(in: folder))
        let end = ContinuousClock.now + .milliseconds(400)
        while ContinuousClock.now < end {
            if Disk.names(in: folder).contains(where: { $0.hasPrefix(".hearth-") && !known.contains($0) }) { return }
            try await Task.sleep(for: .microseconds(300))
        }
    }
}
