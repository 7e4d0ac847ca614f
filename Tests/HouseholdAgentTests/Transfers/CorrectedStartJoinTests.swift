import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// Two saves become one, of which one had a counter that was something else meanwhile, so that its start was corrected: the sums
/// are those of any two saves, as the preview shows them.
@Suite struct CorrectedStartJoinTests {
    private let path = "/saves/player.json"
    private let coins = RuleLine(place: "/coins", merge: "counter")

    private func purse(_ coins: Int) -> String { #"{"coins":\#(coins)}"# }

    /// A save that earned from a start, and has an amount that a game wrote while the counter was one value.
    private func corrected(
        _ home: Home, _ start: Int, earning: Int, then amount: Int, on device: SimulatedDevice
    ) throws {
        try home.add(path, purse(start), rules: home.rules([("/coins", MergeRule(.counter))]), on: device)
        home.household.save(purse(start + earning), to: path, on: device)
        home.household.run(milliseconds: 5_000)
        for (from, to) in [([coins], []), ([], [coins])] {
            let reply = try home.reply(to: ChangeRulesRequest(profile: "game", from: from, to: to), on: device)
            guard case .response = reply else { throw Home.Failure("\(reply)") }
            home.household.run(milliseconds: 3_000)
            home.household.save(purse(amount), to: path, on: device)
            home.household.run(milliseconds: 5_000)
        }
    }

    /// Starts below zero, above it, and corrected by nothing to lose; beside starts that are less, more, and far more.
    @Test(
        arguments: [(0, 10, 4), (10, 10, 15), (40, 10, 41)], [(7, 0), (12, 4), (1_000, 0)])
    func theSumsAreThoseOfAnyTwoSaves(
        one: (start: Int, earned: Int, amount: Int), other: (start: Int, played: Int)
    ) throws {
        for (isApart, joinsCorrected) in [(false, false), (false, true), (true, false), (true, true)] {
            let home = Home(seed: 91)
            let (a, b) = (try home.device("laptop"), try home.device("deck"))
            try corrected(home, one.start, earning: one.earned, then: one.amount, on: a)
            try home.add(path, purse(other.start), rules: home.rules([("/coins", MergeRule(.counter))]), on: b)
            if other.played > 0 {
                home.household.save(purse(other.start + other.played), to: path, on: b)
                home.household.run(milliseconds: 5_000)
            }
            try home.pair(a, b)
            home.household.run(milliseconds: 5_000)
            let first = joinsCorrected ? a : b
            let profiles = try home.status(on: first).profiles
            let gone = try #require(profiles.first { $0.file == nil })
            let request = RestoreRequest(profile: gone.id, path: path, apart: isApart)
            let preview = try home.reply(to: PreviewRequest(request), on: first).message(PreviewReport.self)
            let reply = try home.reply(to: request, on: first)
            guard case .response(is ProfileAnswer) = reply else { throw Home.Failure("not joined: \(reply)") }
            home.household.run(milliseconds: 60_000)
            let (mine, theirs) = (one.amount, other.start + other.played)
            let shown = try #require(home.household.text(of: path, on: first))
            let sum = try #require(Int(shown.filter(\.isNumber)))
            #expect(sum <= mine + theirs + one.earned && sum >= max(mine, theirs), "\(one) \(other) \(shown)")
            if isApart { #expect(sum == mine + theirs, "\(one) \(other) \(shown)") }
            if !isApart, other.played == 0 { #expect(sum == max(mine, theirs), "\(one) \(other) \(shown)") }
            let previewed = preview?.sums?.map { isApart ? $0.apart : $0.together }
            #expect(previewed == ["\(sum)"], "\(one) \(other) \(isApart) \(joinsCorrected)")
            home.household.save(purse(sum + 5), to: path, on: first)
            home.household.run(milliseconds: 20_000)
            #expect(home.household.text(of: path, on: first) == purse(sum + 5))
        }
    }
}
