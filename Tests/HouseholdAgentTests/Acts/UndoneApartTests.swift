import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// The same step is taken back on both machines before these hear of each other: it is taken back once.
@Suite struct UndoneApartTests {
    private let path = "/saves/player.json"

    private func text(_ coins: Int, _ potions: Int = 5) -> String {
        #"{"coins":\#(coins),"inv":[{"id":"potion","count":\#(potions)}]}"#
    }

    /// Played from 300 coins to others on the first machine, and in step. Which replica id is the smaller one goes by the
    /// seed.
    private func household(_ coins: Int, _ potions: Int, seed: UInt64) throws -> (
        home: Home, a: SimulatedDevice, b: SimulatedDevice
    ) {
        let (home, a, b) = try Home.sharing(
            text(300), at: path, rules: [("/coins", MergeRule(.counter)), ("/inv[id]/count", MergeRule(.counter))],
            seed: seed)
        home.household.save(text(coins, potions), to: path, on: a)
        home.expect(text(coins, potions), at: path, on: [a, b])
        return (home, a, b)
    }

    /// Takes the newest step between two numbers of coins back on both machines, apart.
    private func undoApart(_ old: Int, _ new: Int, _ home: Home, _ a: SimulatedDevice, _ b: SimulatedDevice) throws {
        home.household.part(a, b)
        home.household.run(milliseconds: 60_000)
        for device in [a, b] { try undo(old, new, home, device) }
    }

    private func undo(_ old: Int, _ new: Int, _ home: Home, _ device: SimulatedDevice) throws {
        let list = try home.reply(to: HistoryRequest(profile: "game", pointer: nil, limit: 20), on: device)
            .message(HistoryList.self)
        let step = list?.history.first { step in
            step.changes.contains { $0.place == "/coins" && $0.old == "\(old)" && ($0.new ?? "0") == "\(new)" }
        }
        let number = try #require(step?.number, "\(list?.history ?? [])")
        _ = try home.reply(to: UndoRequest(profile: "game", step: number, force: false), on: device)
        home.household.run(milliseconds: 3_000)
    }

    private func meet(_ home: Home, _ a: SimulatedDevice, _ b: SimulatedDevice) {
        home.household.part(a, b, false)
        home.household.run(milliseconds: 60_000)
    }

    /// What was earned, and what was spent.
    @Test(arguments: [1, 2, 3, 4] as [UInt64], [(400, 8), (50, 2)]) func itCountsOnce(seed: UInt64, now: (Int, Int))
        throws
    {
        let (home, a, b) = try household(now.0, now.1, seed: seed)
        try undoApart(300, now.0, home, a, b)
        home.expect(text(300, 5), at: path, on: [a, b])
        meet(home, a, b)
        home.expect(text(300, 5), at: path, on: [a, b])
        // Nor does it after that, whoever plays.
        for (device, coins) in [(a, 310), (b, 330)] {
            home.household.save(text(coins), to: path, on: device)
            home.expect(text(coins), at: path, on: [a, b])
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func soDoesTheTakingBackOfIt(seed: UInt64) throws {
        let (home, a, b) = try household(400, 8, seed: seed)
        try undo(300, 400, home, a)
        home.expect(text(300, 5), at: path, on: [a, b])
        try undoApart(400, 300, home, a, b)
        home.expect(text(400, 8), at: path, on: [a, b])
        meet(home, a, b)
        home.expect(text(400, 8), at: path, on: [a, b])
        // And once more, when both know of it.
        try undoApart(300, 400, home, a, b)
        meet(home, a, b)
        home.expect(text(300, 5), at: path, on: [a, b])
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func soDoesAReset(seed: UInt64) throws {
        let (home, a, b) = try household(400, 8, seed: seed)
        _ = try home.reply(to: ResetRequest(profile: "game"), on: a)
        home.household.run(milliseconds: 10_000)
        try undoApart(400, 0, home, a, b)
        meet(home, a, b)
        home.expect(text(400, 8), at: path, on: [a, b])
    }

    /// Both take a reset back, by which each begins an epoch, and nobody plays: nobody has lost anything. Where one plays, it
    /// has, and is told.
    @Test(arguments: [1, 2, 3, 4] as [UInt64], [false, true]) func nothingIsSaidToBeLost(seed: UInt64, isPlayed: Bool)
        throws
    {
        let (home, a, b) = try Home.sharing(
            #"{"coins":400,"level":3,"unlocked":["cave"]}"#, at: path,
            rules: [
                ("/coins", MergeRule(.counter)), ("/level", MergeRule(.max)), ("/unlocked", MergeRule(.union)),
            ], seed: seed)
        _ = try home.reply(to: ResetRequest(profile: "game"), on: a)
        home.household.run(milliseconds: 10_000)
        try undoApart(400, 0, home, a, b)
        let played = #"{"coins":400,"unlocked":["cave","sea"],"level":5}"#
        if isPlayed { home.household.save(played, to: path, on: a) }
        home.household.run(milliseconds: 3_000)
        meet(home, a, b)
        let shown = home.household.text(of: path, on: a)
        #expect(home.household.text(of: path, on: b) == shown)
        #expect(shown == played || shown == #"{"coins":400,"unlocked":["cave"],"level":3}"#)
        let isTold = try [a, b].map { device in
            try home.reply(to: StatusRequest(), on: device).message(StatusReport.self)?.profiles[0].remark != nil
        }
        #expect(isTold == [isPlayed && shown != played, false])
    }

    /// What either machine plays after it has taken the step back counts.
    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func whatIsPlayedThenCounts(seed: UInt64) throws {
        let (home, a, b) = try household(400, 8, seed: seed)
        try undoApart(300, 400, home, a, b)
        home.household.save(text(307, 5), to: path, on: a)
        home.household.save(text(340, 6), to: path, on: b)
        home.household.run(milliseconds: 3_000)
        meet(home, a, b)
        home.expect(text(347, 6), at: path, on: [a, b])
    }

    /// One starts over before it hears of the other: its amount is gone, so there is nothing to give back.
    @Test(arguments: [1, 2, 3, 4] as [UInt64], [false, true]) func aResetThenStaysOne(seed: UInt64, onFirst: Bool)
        throws
    {
        let (home, a, b) = try household(400, 8, seed: seed)
        try undoApart(300, 400, home, a, b)
        _ = try home.reply(to: ResetRequest(profile: "game"), on: onFirst ? a : b)
        home.household.run(milliseconds: 3_000)
        let empty = home.household.text(of: path, on: onFirst ? a : b)
        meet(home, a, b)
        #expect(home.household.text(of: path, on: a) == empty && home.household.text(of: path, on: b) == empty)
    }

    /// Two steps are two.
    @Test(arguments: [1, 2] as [UInt64]) func otherStepsCountBoth(seed: UInt64) throws {
        let (home, a, b) = try household(400, 5, seed: seed)
        home.household.run(milliseconds: 60_000)
        home.household.save(text(400, 9), to: path, on: a)
        home.expect(text(400, 9), at: path, on: [a, b])
        home.household.part(a, b)
        home.household.run(milliseconds: 60_000)
        let newest = try home.reply(to: HistoryRequest(profile: "game", pointer: nil, limit: 1), on: a)
            .message(HistoryList.self)?.history.first?.number
        _ = try home.reply(to: UndoRequest(profile: "game", step: newest, force: false), on: a)
        try undo(300, 400, home, b)
        meet(home, a, b)
        home.expect(text(300, 5), at: path, on: [a, b])
    }

    /// Both take the step back, and then take that back, before they hear of each other.
    @Test(arguments: [1, 2, 3, 4] as [UInt64], [false, true]) func thereAndBackApart(seed: UInt64, onBoth: Bool) throws
    {
        let (home, a, b) = try household(400, 8, seed: seed)
        try undoApart(300, 400, home, a, b)
        for device in onBoth ? [a, b] : [a] { try undo(400, 300, home, device) }
        meet(home, a, b)
        home.expect(text(400, 8), at: path, on: [a, b])
    }

    /// Both took the step back apart. One of the two writes took the place of the other, and now both take it back, apart
    /// again.
    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func thereApartAndBackApart(seed: UInt64) throws {
        let (home, a, b) = try household(400, 8, seed: seed)
        try undoApart(300, 400, home, a, b)
        meet(home, a, b)
        try undoApart(400, 300, home, a, b)
        meet(home, a, b)
        home.expect(text(400, 8), at: path, on: [a, b])
    }

    /// Two steps, each taken back on both machines, in turn.
    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func twoStepsInTurn(seed: UInt64) throws {
        let (home, a, b) = try household(400, 8, seed: seed)
        home.household.run(milliseconds: 60_000)
        home.household.save(text(450, 9), to: path, on: b)
        home.expect(text(450, 9), at: path, on: [a, b])
        home.household.part(a, b)
        home.household.run(milliseconds: 60_000)
        for device in [a, b] {
            try undo(400, 450, home, device)
            home.expect(text(400, 8), at: path, on: [device])
            try undo(300, 400, home, device)
            home.expect(text(300, 5), at: path, on: [device])
        }
        meet(home, a, b)
        home.expect(text(300, 5), at: path, on: [a, b])
    }
}
