import LosslessJSON
import MergeCore
import TestSupport
import Testing

/// Steps that several devices take back, and what these take back of that, before they hear of each other.
@Suite struct UndoPartTests {
    /// A device that keeps its history, and whose game has one purse.
    private struct Player {
        var device: Device
        var history: [HistoryEntry] = []

        static func household(_ count: Int, _ coins: Int) -> [Player] {
            Device.household(count, rules(["/coins": MergeRule(.counter)]), sharing: "{\"coins\":\(coins)}").map {
                Player(device: $0)
            }
        }

        var coins: Int {
            guard case .number(let number)? = device.value["coins"] else { return .min }
            return Int(number.text) ?? .min
        }

        mutating func play(_ amount: Int) {
            let before = device.state
            device.save("{\"coins\":\(coins + amount)}")
            note(before)
        }

        mutating func pull(_ other: Player) {
            let before = device.state
            device.pull(other.device)
            device.project()
            note(before)
        }

        /// Takes a step back even if other steps came since.
        mutating func undo(_ step: HistoryEntry) throws {
            let before = device.state
            _ = try device.state.undo(step, force: true, device.context(before.vector))
            device.touched = nil
            device.project()
            note(before)
        }

        /// The newest step that moved the purse by an amount.
        func step(by amount: Int) throws -> HistoryEntry {
            try #require(history.last { $0.amount == amount })
        }

        private mutating func note(_ before: ProfileState) {
            let keys = device.state.delta(beyond: before.vector).map(\.key)
            let step = device.state.history(since: before, touching: keys, at: 5)
            // As it comes back from the record.
            let stored = try? HistoryEntry(time: step.time, origin: step.origin, encodedChanges: step.encodedChanges)
            if !step.isEmpty { history.append(stored ?? step) }
        }
    }

    private func meet(_ players: inout [Player]) {
        for _ in 0..<2 {
            for a in players.indices { for b in players.indices where a != b { players[a].pull(players[b]) } }
        }
        let (first, others) = (players[0].device.state.sortedAtoms, players.dropFirst())
        #expect(others.allSatisfy { $0.device.state.sortedAtoms == first })
    }

    /// Each device takes steps back and takes that back again, in any order, and meets others at times. The model knows of
    /// each step how often its state was turned, and of two devices the one that turned it more often counts.
    @Test(arguments: 1...40 as ClosedRange<UInt64>) func anyOrder(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let amounts = [7, 7, 7, -3, 50]
        var players = Player.household(3, 1000)
        for amount in amounts {
            players[random.below(3)].play(amount)
            meet(&players)
        }
        let steps = try players.map { player in try #require(player.history.count == 5 ? player.history : nil) }
        var turns = Array(repeating: Array(repeating: 0, count: amounts.count), count: players.count)
        var taken: [[Int]: HistoryEntry] = [:]
        for _ in 0..<30 {
            let (at, index) = (random.below(3), random.below(amounts.count))
            if random.chance(30) {
                let other = (at + 1 + random.below(2)) % 3
                players[at].pull(players[other])
                turns[at] = zip(turns[at], turns[other]).map(max)
            } else if turns[at][index] % 2 == 0 {
                try players[at].undo(steps[at][index])
                taken[[at, index]] = players[at].history.last
                turns[at][index] += 1
            } else if let step = taken[[at, index]] {
                try players[at].undo(step)
                turns[at][index] += 1
            }
            let wanted = zip(amounts, turns[at]).reduce(1000) { $0 + ($1.1 % 2 == 0 ? $1.0 : 0) }
            try #require(players[at].coins == wanted)
        }
        meet(&players)
        let last = amounts.indices.map { index in turns.map { $0[index] }.max() ?? 0 }
        let wanted = zip(amounts, last).reduce(1000) { $0 + ($1.1 % 2 == 0 ? $1.0 : 0) }
        #expect(players.map(\.coins) == [wanted, wanted, wanted])
    }

    /// A third device hears of it from both, one after the other, and takes back what it heard first.
    @Test(arguments: [false, true]) func whatCameInIsTakenBackOnce(isOtherFirst: Bool) throws {
        var players = Player.household(3, 5)
        players[0].play(2)
        meet(&players)
        for index in 0..<2 { try players[index].undo(try players[index].step(by: 2)) }
        players[2].pull(players[isOtherFirst ? 1 : 0])
        players[2].pull(players[isOtherFirst ? 0 : 1])
        players[0].pull(players[1])
        for index in [0, 2] { try players[index].undo(try players[index].step(by: -2)) }
        meet(&players)
        #expect(players.map(\.coins) == [7, 7, 7])
    }

    /// One device takes it back and puts it back. The other one takes the step back once more after it did, by which the
    /// amount comes off for itself.
    @Test(arguments: [100, -100]) func whoTakesItBackTwiceLosesNothing(amount: Int) throws {
        var players = Player.household(2, 300)
        players[0].play(amount)
        meet(&players)
        let step = try players[1].step(by: amount)
        try players[0].undo(try players[0].step(by: amount))
        meet(&players)
        try players[0].undo(try players[0].step(by: -amount))
        players[1].play(amount)
        try players[1].undo(step)
        #expect(players.map(\.coins) == [300 + amount, 300])
        meet(&players)
        #expect(players.map(\.coins) == [300 + amount, 300 + amount])
    }

    /// The record of a device was set back to a copy, and it joins the others again under another replica id, as the engine
    /// does it.
    private func setBack(_ player: Player, beside other: Player) -> [Player] {
        var player = player
        let own = player.device.replica
        let written = player.device.state.sortedAtoms.filter { $0.atom.dot.replica == own }
        let theirs = other.device.state
        player.device.state.join(theirs.sortedAtoms, vector: theirs.vector)
        let context = WriteContext(
            replica: replica(77), now: 1_800_000_000_000, fileTime: 1_800_000_000_000,
            base: player.device.state.vector)
        _ = player.device.state.reissue(written, from: own, context)
        player.device.touched = nil
        var players = [player, other]
        meet(&players)
        return players
    }

    /// What was taken back before the copy was made stays so.
    @Test(arguments: [100, -100], [0, 3]) func whatWasTakenBackStaysInACopy(amount: Int, later: Int) throws {
        var players = Player.household(2, 300)
        players[0].play(amount)
        try players[0].undo(try players[0].step(by: amount))
        meet(&players)
        var former = players[0]
        for amount in [2, 3] { players[0].play(amount) }
        players[1].pull(players[0])
        if later > 0 { former.play(later) }
        #expect(setBack(former, beside: players[1]).map(\.coins) == [305, 305])
    }

    /// Both lives do the same and take it back.
    @Test(arguments: [100, -100]) func bothLivesTakeTheSameBack(amount: Int) throws {
        var players = Player.household(2, 300)
        var former = players[0]
        players[0].play(amount)
        try players[0].undo(try players[0].step(by: amount))
        players[1].pull(players[0])
        former.play(amount)
        try former.undo(try former.step(by: amount))
        #expect(setBack(former, beside: players[1]).map(\.coins) == [300, 300])
    }

    /// Where the copy took back what it alone had played, the two show the same.
    @Test(arguments: [100, -100]) func anotherHistoryOfTheReplica(amount: Int) throws {
        var players = Player.household(2, 300)
        var former = players[0]
        for _ in 0..<3 { players[0].play(amount / 2) }
        players[1].pull(players[0])
        former.play(amount)
        try former.undo(try former.step(by: amount))
        let coins = setBack(former, beside: players[1]).map(\.coins)
        #expect(coins[0] == coins[1])
    }

    /// A device that only heard of an undo has nothing of its own to write under other rules.
    @Test(arguments: [MergeRule(.latest), MergeRule(.max)], [false, true])
    func whoHeardOfAnUndoWritesNothingUnderOtherRules(rule: MergeRule, isPlayed: Bool) throws {
        var players = Player.household(3, 300)
        players[1].play(100)
        players[0].pull(players[1])
        try players[1].undo(try players[1].step(by: 100))
        players[0].pull(players[1])
        if isPlayed { players[1].play(50) }
        players[2].device.change(to: rules(["/coins": rule]))
        players[1].pull(players[2])
        players[0].pull(players[2])
        meet(&players)
        #expect(players.map(\.coins) == Array(repeating: isPlayed ? 350 : 300, count: 3))
    }
}

extension HistoryEntry {
    /// By how much it moved the purse; `nil` where it did not.
    fileprivate var amount: Int? {
        guard let change = changes.first, case .number(let old)? = change.old, case .number(let new)? = change.new,
            let before = Int(old.text), let after = Int(new.text)
        else { return nil }
        return after - before
    }
}
