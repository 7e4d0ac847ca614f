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
        let home = Home(seed: seed)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        try home.add(path, start, rules: home.rules(rules), on: a)
        try home.restore(path, on: b)
        home.household.run(milliseconds: 5_000)
        return (home, a, b)
    }

    private func play(_ text: String, _ home: Home, _ device: SimulatedDevice) {
        home.household.save(text, to: path, on: device)
        home.household.run(milliseconds: 5_000)
    }

    @Test(arguments: seeds) func whatTheOtherOneAddedStays(seed: UInt64) throws {
        let (home, a, b) = try household(seed, #"{"bag":[],"day":1}"#, [("/bag", MergeRule(.set))])
        home.household.part(a, b)
        // Until the link is given up: what was under way would come in one by one.
        home.household.run(milliseconds: 90_000)
        let (taker, engine) = seed % 2 == 0 ? (a, b) : (b, a)
        play(#"{"bag":["fox"],"day":1}"#, home, taker)
        play(#"{"bag":["oak"],"day":1}"#, home, taker)
        play(#"{"bag":["fox"],"day":1}"#, home, engine)
        home.household.part(a, b, false)
        home.household.run(milliseconds: 90_000)
        for device in [a, b] {
            let text = try #require(home.household.text(of: path, on: device))
            #expect(text.contains("fox") && text.contains("oak"), "\(device.name): \(text)")
        }
        // Whose save shows that it has read both takes it out for both.
        play(#"{"bag":["oak"],"day":2}"#, home, engine)
        home.expect(#"{"bag":["oak"],"day":2}"#, at: path, on: [a, b])
    }

    @Test(arguments: seeds) func theOtherOnesElementStays(seed: UInt64) throws {
        let (home, a, b) = try household(seed, #"{"bag":[]}"#, [("/bag[id]/n", MergeRule(.counter))])
        home.household.part(a, b)
        // Until the link is given up: what was under way would come in one by one.
        home.household.run(milliseconds: 90_000)
        let (taker, engine) = seed % 2 == 0 ? (a, b) : (b, a)
        play(#"{"bag":[{"id":1,"n":5}]}"#, home, taker)
        play(#"{"bag":[]}"#, home, taker)
        play(#"{"bag":[{"id":1,"n":3,"of":"deck"}]}"#, home, engine)
        home.household.part(a, b, false)
        home.household.run(milliseconds: 90_000)
        for device in [a, b] {
            let text = try #require(home.household.text(of: path, on: device))
            #expect(text.contains("\"of\":\"deck\""), "\(device.name): \(text)")
        }
    }
}
