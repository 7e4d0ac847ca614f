import HouseholdSimulation
import MergeCore
import ProfileKeeping
import Testing

@testable import HouseholdAgent

/// A game removes an element in which another machine had changed a value. The save does not say whether its game had
/// read that change.
@Suite struct RemovedElsewhereTests {
    private let path = "/saves/player.json"
    private let elm = #"{"id":"elm","xp":9,"mood":"glad"}"#

    private func save(_ crew: String...) -> String {
        #"{"crew":[\#(crew.joined(separator: ","))],"a":1,"b":2,"c":3,"d":4,"e":5}"#
    }

    private func oak(_ mood: String) -> String { #"{"id":"oak","xp":4,"mood":"\#(mood)"}"# }

    /// One device has changed the mood of an element, and the file of the other one shows it.
    private func household(opens: Bool) throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let rules = [("/crew[id]/xp", MergeRule(.counter))]
        let (home, a, b) = try Home.sharing(save(oak("calm"), elm), at: path, rules: rules, seed: 61)
        b.programs.tellOpens(opens)
        home.household.run(milliseconds: 60_000)
        home.play(save(oak("wild"), elm), at: path, on: a)
        home.expect(save(oak("wild"), elm), at: path, on: [a, b])
        home.household.run(milliseconds: 60_000)
        return (home, a, b)
    }

    /// What was changed comes back with its element, and that is a guess, which is said.
    @Test func whereNobodyKnowsWhatWasReadItComesBackWithAWord() throws {
        let (home, a, b) = try household(opens: false)
        home.play(save(elm), at: path, on: b)
        home.expect(save(oak("wild"), elm), at: path, on: [a])
        home.expect(save(#"{"id":"oak","mood":"wild","xp":4}"#, elm), at: path, on: [b])
        let remark = try home.profile(on: b).remark ?? ""
        #expect(remark.contains("so what another machine changed there came back"), "\(remark)")
    }

    /// A second save that lacks it is no decision: a game that never read the change, and saves every minute from memory,
    /// writes the same, and would remove what another machine wrote. It is said again.
    @Test func knownLimit_removedOnceMoreItComesBackOnceMore() throws {
        let (home, a, b) = try household(opens: false)
        for _ in 1...2 {
            home.play(save(elm), at: path, on: b)
            home.expect(save(#"{"id":"oak","mood":"wild","xp":4}"#, elm), at: path, on: [b])
            home.household.run(milliseconds: 60_000)
            let remark = try home.profile(on: b).remark ?? ""
            #expect(remark.contains("guessed"), "\(remark)")
        }
        home.expect(save(oak("wild"), elm), at: path, on: [a])
    }

    /// Once the game has saved anything together with what was changed, it has read that, and removes it for good.
    @Test func onceTheGameHasSavedItTheElementCanBeRemoved() throws {
        let (home, a, b) = try household(opens: false)
        home.play(save(elm), at: path, on: b)
        home.expect(save(#"{"id":"oak","mood":"wild","xp":4}"#, elm), at: path, on: [b])
        home.household.run(milliseconds: 60_000)
        home.play(save(oak("wild"), elm).replacing(#""a":1"#, with: #""a":7"#), at: path, on: b)
        home.household.run(milliseconds: 60_000)
        let removed = save(elm).replacing(#""a":1"#, with: #""a":7"#)
        home.play(removed, at: path, on: b)
        home.expect(removed, at: path, on: [a, b])
    }

    @Test func whereTheGameWasSeenToReadItTheElementIsGone() throws {
        let (home, a, b) = try household(opens: true)
        let game = home.household.launch(Program(executable: "/opt/rpg/rpg")!, on: b)
        _ = home.household.read(path, by: game, on: b)
        home.household.run(milliseconds: 60_000)
        home.household.save(save(elm), to: path, by: game, isCaught: false, on: b)
        home.expect(save(elm), at: path, on: [a, b])
    }
}
