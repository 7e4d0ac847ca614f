import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// Two machines add the same apart, and one of them takes it out again: whichever hears first of the other.
@Suite struct AddedApartTests {
    private let path = "/saves/player.json"
    private static let seeds: [UInt64] = [1, 2, 3, 4, 5, 6, 7, 8]

    private func household(
        _ seed: UInt64, _ start: String, _ rules: [(String, MergeRule)]
    ) throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        try Home.sharing(start, at: path, rules: rules, seed: seed)
    }

    @Test(arguments: seeds) func whatTheOtherOneAddedStays(seed: UInt64) throws {
        let (home, a, b) = try household(seed, #"{"bag":[],"day":1}"#, [("/bag", MergeRule(.set))])
        home.household.part(a, b)
        // Until the link is given up: what was under way would come in one by one.
        home.household.run(milliseconds: 90_000)
        let (taker, engine) = seed % 2 == 0 ? (a, b) : (b, a)
        home.play(#"{"bag":["fox"],"day":1}"#, at: path, on: taker)
        home.play(#"{"bag":["oak"],"day":1}"#, at: path, on: taker)
        home.play(#"{"bag":["fox"],"day":1}"#, at: path, on: engine)
        home.household.part(a, b, false)
        home.household.run(milliseconds: 90_000)
        for device in [a, b] {
            let text = try #require(home.household.text(of: path, on: device))
            #expect(text.contains("fox") && text.contains("oak"), "\(device.name): \(text)")
        }
        // Whose save shows that it has read both takes it out for both.
        home.play(#"{"bag":["oak"],"day":2}"#, at: path, on: engine)
        home.expect(#"{"bag":["oak"],"day":2}"#, at: path, on: [a, b])
    }

    @Test(arguments: seeds) func theOtherOnesElementStays(seed: UInt64) throws {
        let (home, a, b) = try household(seed, #"{"bag":[]}"#, [("/bag[id]/n", MergeRule(.counter))])
        home.household.part(a, b)
        // Until the link is given up: what was under way would come in one by one.
        home.household.run(milliseconds: 90_000)
        let (taker, engine) = seed % 2 == 0 ? (a, b) : (b, a)
        home.play(#"{"bag":[{"id":1,"n":5}]}"#, at: path, on: taker)
        home.play(#"{"bag":[]}"#, at: path, on: taker)
        home.play(#"{"bag":[{"id":1,"n":3,"of":"deck"}]}"#, at: path, on: engine)
        home.household.part(a, b, false)
        home.household.run(milliseconds: 90_000)
        for device in [a, b] {
            let text = try #require(home.household.text(of: path, on: device))
            #expect(text.contains("\"of\":\"deck\""), "\(device.name): \(text)")
        }
    }
}
