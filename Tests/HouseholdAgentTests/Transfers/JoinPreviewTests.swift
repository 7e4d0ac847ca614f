import MergeCore
import Testing

@testable import HouseholdAgent
@testable import HouseholdSimulation

/// Before a save on this machine and one of the household become one, the player sees what is replaced on either side; and
/// afterwards the history knows what was.
@Suite struct JoinPreviewTests {
    private let path = "/saves/player.json"
    private let elder = #"{"coins":7,"items":["bow","axe"],"level":50,"name":"Bea"}"#
    private let newer = #"{"coins":9,"items":["sword"],"level":3,"name":"Ada","seen":true}"#

    /// The deck has a save, which is kept already or only a file; that of the household, on the laptop, was played later or
    /// before.
    private func household(
        _ deck: String, _ laptop: String, isKept: Bool, isDeckFirst: Bool
    ) throws -> (home: Home, laptop: SimulatedDevice, deck: SimulatedDevice) {
        let home = Home(seed: 31)
        let (first, second) = (try home.device("laptop"), try home.device("deck"))
        let rules = try home.rules([("/coins", MergeRule(.counter))])
        func begin(_ device: SimulatedDevice, _ text: String, isKept: Bool) throws {
            if isKept {
                try home.add(path, text, rules: rules, on: device)
            } else {
                home.household.save(text, to: path, on: device)
            }
            home.household.run(milliseconds: 5_000)
        }
        if isDeckFirst { try begin(second, deck, isKept: isKept) }
        try begin(first, laptop, isKept: true)
        if !isDeckFirst { try begin(second, deck, isKept: isKept) }
        try home.pair(first, second)
        home.household.run(milliseconds: 5_000)
        return (home, first, second)
    }

    private func request(_ home: Home, _ device: SimulatedDevice) throws -> RestoreRequest {
        guard let status = try home.reply(to: StatusRequest(), on: device).message(StatusReport.self),
            let profile = status.profiles.first(where: { $0.file == nil })
        else { throw Home.Failure("the other's profile is not here") }
        return RestoreRequest(profile: profile.id, path: path)
    }

    private func words(_ changes: [ChangeReport]?) -> [String] {
        (changes ?? []).map { "\($0.place) \($0.old ?? "nothing") → \($0.new ?? "nothing")" }
    }

    @Test(arguments: [false, true]) func whatOfTheFileIsReplacedIsShownAndKept(isKept: Bool) throws {
        let (home, laptop, deck) = try household(elder, newer, isKept: isKept, isDeckFirst: true)
        let request = try request(home, deck)
        let preview = try #require(
            try home.reply(to: PreviewRequest(request), on: deck).message(PreviewReport.self))
        let replaced = [#"/items ["bow","axe"] → ["sword"]"#, "/level 50 → 3", #"/name "Bea" → "Ada""#]
        #expect(words(preview.replaced) == replaced && preview.moreReplaced == nil && preview.isUnlike == nil)
        #expect(preview.changes.isEmpty, "the household's save was played later")
        #expect(preview.sums?.map(\.place) == ["/coins"])
        #expect(home.household.text(of: path, on: deck) == elder, "nothing is done before the answer")
        _ = try home.reply(to: request, on: deck)
        home.expect(newer, at: path, on: [laptop, deck])
        let asked = HistoryRequest(profile: request.profile, limit: 20)
        let steps = try home.reply(to: asked, on: deck).message(HistoryList.self)?.history ?? []
        #expect(
            steps.contains { Set(words($0.changes)).isSuperset(of: replaced) }, "\(steps.map { words($0.changes) })")
        // An undo of that step brings back what the machine had.
        let step = try #require(steps.first { words($0.changes).contains("/level 50 → 3") })
        _ = try home.reply(to: UndoRequest(profile: request.profile, step: Int(step.number)), on: deck)
        home.household.run(milliseconds: 10_000)
        for device in [laptop, deck] {
            let text = home.household.text(of: path, on: device) ?? ""
            #expect(text.contains(#""level":50"#) && text.contains("Bea") && text.contains("axe"), "\(text)")
        }
    }

    @Test(arguments: [false, true]) func whatTheOthersWouldLoseIsShown(isKept: Bool) throws {
        let (home, laptop, deck) = try household(newer, elder, isKept: isKept, isDeckFirst: false)
        let request = try request(home, deck)
        let preview = try #require(
            try home.reply(to: PreviewRequest(request), on: deck).message(PreviewReport.self))
        #expect(preview.replaced == nil)
        #expect(
            words(preview.changes) == [
                #"/items ["bow","axe"] → ["sword"]"#, "/level 50 → 3", #"/name "Bea" → "Ada""#, "/seen nothing → true",
            ])
        _ = try home.reply(to: request, on: deck)
        home.expect(newer, at: path, on: [laptop, deck])
    }

    /// The later rules of two saves count for both, so whoever joins them sees which of the household's would end.
    @Test func rulesThatWouldChangeAreShown() throws {
        let home = Home(seed: 32)
        let (laptop, deck) = (try home.device("laptop"), try home.device("deck"))
        try home.add(
            path, newer, rules: home.rules([("/coins", MergeRule(.counter)), ("/level", MergeRule(.max))]), on: laptop)
        home.household.run(milliseconds: 5_000)
        try home.add(path, elder, rules: home.rules([("/coins", MergeRule(.latest))]), on: deck)
        try home.pair(laptop, deck)
        home.household.run(milliseconds: 5_000)
        let request = try request(home, deck)
        let preview = try #require(
            try home.reply(to: PreviewRequest(request), on: deck).message(PreviewReport.self))
        _ = try home.reply(to: request, on: deck)
        home.household.run(milliseconds: 5_000)
        let after = try #require(
            try home.reply(to: RulesRequest(profile: request.profile), on: deck).message(RulesReport.self))
        let ends = after.rules.contains { $0.rule.place == "/coins" && $0.rule.merge == "latest" }
        #expect(preview.rules?.contains("/coins: counter → latest") == ends, "\(preview.rules ?? []), \(after.rules)")
        #expect(ends, "the later rules are the deck's")
    }

    @Test(arguments: [false, true]) func savesOfTwoGamesAreTold(isKept: Bool) throws {
        let (home, _, deck) = try household(#"{"towers":3,"wave":9}"#, newer, isKept: isKept, isDeckFirst: true)
        let preview = try #require(
            try home.reply(to: PreviewRequest(request(home, deck)), on: deck).message(PreviewReport.self))
        #expect(preview.isUnlike == true && preview.replaced == nil)
        #expect(words(preview.changes) == ["/towers nothing → 3", "/wave nothing → 9"])
    }
}
