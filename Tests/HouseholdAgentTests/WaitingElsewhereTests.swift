import HouseholdSimulation
import MergeCore
import Testing

@testable import HouseholdAgent

/// A save that waits for the player on one machine: the others do not call all well.
@Suite struct WaitingElsewhereTests {
    private let path = "/games/save.json"

    @Test func theOthersNameTheMachineWhereAQuestionWaits() throws {
        let text = #"{"coins":100,"level":3,"name":"Ada","bag":[1,2,3]}"#
        let (home, a, b) = try Home.sharing(text, at: path, rules: [("/coins", MergeRule(.counter))], seed: 5)
        #expect(try home.profile(on: a).behind == nil)
        home.play(#"{"coins":0,"level":1,"name":"","bag":[]}"#, at: path, on: b)
        #expect(try home.profile(on: b).decisions != nil)
        #expect(try home.profile(on: a).behind == ["deck"])
        #expect(home.household.text(of: path, on: a) == text)

        _ = try home.reply(to: KeepRequest(profile: "game"), on: b)
        home.household.run(milliseconds: 5_000)
        #expect(try home.profile(on: a).behind == nil)
    }
}
