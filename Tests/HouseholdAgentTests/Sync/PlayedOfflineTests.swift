import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// Two machines on which a game was played while their agents were off. Without a rule the later value wins everywhere, and
/// the earlier one is in the history of the machine that wrote it.
@Suite struct PlayedOfflineTests {
    private let path = "/saves/player.json"

    private func text(_ coins: Int, _ enemy: String, level: Int = 1) -> String {
        #"{"coins":\#(coins),"enemy":"\#(enemy)","level":\#(level)}"#
    }

    private func history(_ home: Home, _ device: SimulatedDevice) throws -> [HistoryReport] {
        let reply = try home.reply(to: HistoryRequest(profile: "game", pointer: nil, limit: 20), on: device)
        return try #require(reply.message(HistoryList.self)).history
    }

    private func words(_ steps: some Sequence<HistoryReport>) -> [String] {
        steps.map { step in
            let changes = step.changes.map { "\($0.place) \($0.old ?? "–") → \($0.new ?? "–")" }
            return "\(step.origin) \(step.devices.joined(separator: "+")): \(changes.joined(separator: ", "))"
        }
    }

    /// Both agents are off; the deck's game plays, and a moment later the laptop's. Then both start.
    private func playedApart(
        deck: String, laptop: String, seed: UInt64
    ) throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let (home, a, b) = try Home.sharing(text(18, "Normal"), at: path, seed: seed)
        home.household.kill(a)
        home.household.kill(b)
        home.household.run(milliseconds: 1_000)
        home.household.save(deck, to: path, on: b)
        home.household.run(milliseconds: 1_500)
        home.household.save(laptop, to: path, on: a)
        home.household.run(milliseconds: 1_000)
        // The laptop has taken its file up before the deck is there. So its values may reach the deck before the deck has
        // looked at its own file, or a moment later: the history is the same.
        try home.household.start(a)
        home.household.run(milliseconds: 5_000)
        try home.household.start(b)
        home.household.run(milliseconds: 10_000)
        return (home, a, b)
    }

    @Test(arguments: 50...54 as ClosedRange<UInt64>) func whatLostIsInTheHistoryAndComesBack(seed: UInt64) throws {
        let (home, a, b) = try playedApart(deck: text(5018, "DragonSlain"), laptop: text(19, "Rat"), seed: seed)
        home.expect(text(19, "Rat"), at: path, on: [a, b])
        let steps = try history(home, b)
        #expect(
            words(steps.prefix(2)) == [
                #"merge laptop: /coins 5018 → 19, /enemy "DragonSlain" → "Rat""#,
                #"save deck: /coins 18 → 5018, /enemy "Normal" → "DragonSlain""#,
            ])
        // It is a step of the record, and a start later the same.
        home.household.kill(b)
        try home.household.start(b)
        home.household.run(milliseconds: 10_000)
        #expect(try history(home, b) == steps)
        let merge = steps[0].number
        _ = try home.reply(to: UndoRequest(profile: "game", step: merge, force: false), on: b)
        home.expect(text(5018, "DragonSlain"), at: path, on: [a, b])
        // And back again: an undo is a step like any other.
        _ = try home.reply(to: UndoRequest(profile: "game", step: nil, force: false), on: b)
        home.expect(text(19, "Rat"), at: path, on: [a, b])
    }

    /// What only the deck changed counts, and is in the one step of its save.
    @Test func whatWonIsInTheSameStep() throws {
        let (home, a, b) = try playedApart(
            deck: text(5018, "Normal", level: 7), laptop: text(19, "Normal"), seed: 55)
        home.expect(text(19, "Normal", level: 7), at: path, on: [a, b])
        #expect(
            try words(history(home, b).prefix(2)) == [
                "merge laptop: /coins 5018 → 19", "save deck: /coins 18 → 5018, /level 1 → 7",
            ])
        #expect(try words(history(home, a).prefix(1)) == ["merge deck: /level 1 → 7"])
    }
}
