import HouseholdSimulation
import MergeCore
import ProfileKeeping
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

    /// A folder that can only be read, also where the agent begins like that: the others know that the file is behind, and
    /// nobody else is called so.
    @Test(arguments: [false, true]) func theOthersNameTheMachineThatCannotWrite(startsAnew: Bool) throws {
        let (home, a, b) = try Home.sharing(
            #"{"coins":100}"#, at: path, rules: [("/coins", MergeRule(.counter))], seed: 6)
        b.files.power.setHook { operation throws(StorageFault) in
            switch operation {
            case .exchange, .place, .remove, .rename, .link:
                throw StorageFault(.other, "the file system is read-only; mount it writable")
            default: return
            }
        }
        home.play(#"{"coins":150}"#, at: path, on: a)
        if startsAnew {
            home.household.kill(b)
            try home.household.start(b)
        }
        for _ in 0..<2 {
            home.household.run(milliseconds: 20_000)
            #expect(home.household.text(of: path, on: b) == #"{"coins":100}"#)
            #expect(try home.profile(on: a).behind == ["deck"])
            #expect(try home.profile(on: b).behind == nil)
            #expect(try home.profile(on: b).reason?.contains("read-only") == true)
            home.play(#"{"coins":200}"#, at: path, on: a)
        }
        b.files.power.setHook(nil)
        home.household.run(milliseconds: 60_000)
        #expect(home.household.text(of: path, on: b) == #"{"coins":200}"#)
        #expect(try home.profile(on: a).behind == nil)
        #expect(try home.profile(on: b).reason == nil)
    }
}
