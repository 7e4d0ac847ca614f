import HouseholdAgent
import HouseholdSimulation
import MergeCore
import ProfileKeeping
import Testing

/// A game that saves all the time, in place: its play reaches the others while it runs, or the status says that it cannot.
@Suite struct RestlessFileTests {
    private let path = "/saves/player.json"

    private func household() throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let home = Home(seed: 12)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        try home.add(
            path, #"{"coins":0}"#, rules: try home.rules([("/coins", MergeRule(.counter))]), name: "game", on: a)
        try home.restore(path, on: b)
        home.expect(#"{"coins":0}"#, at: path, on: [b])
        return (home, a, b)
    }

    /// Lets a game write in place for a while: `count` saves, every so often. Each gives one coin.
    private func play(_ home: Home, on device: SimulatedDevice, _ saves: ClosedRange<Int>, every pause: Int64) {
        for coins in saves {
            device.files.saveInPlace(Array(#"{"coins":\#(coins)}"#.utf8), at: path)
            home.household.hear(.written, at: path, on: device)
            home.household.run(milliseconds: pause)
        }
    }

    @Test func fiveSavesASecondAreTakenUpWhileItRuns() throws {
        let (home, a, b) = try household()
        play(home, on: a, 1...200, every: 200)
        let there = try #require(home.household.text(of: path, on: b))
        let coins = try #require(Int(there.filter(\.isNumber)))
        #expect(coins > 150, "\(there) arrived while the game ran")
        home.expect(#"{"coins":200}"#, at: path, on: [b])
        #expect(try home.profile(on: a).reason == nil)
    }

    @Test func sixtySavesASecondAreSaidToBeUnread() throws {
        let (home, a, b) = try household()
        play(home, on: a, 1...1_000, every: 16)
        let reason = try #require(try home.profile(on: a).reason)
        #expect(reason.contains("writes its file all the time"), "\(reason)")
        #expect(try !home.status(on: a).isWell)
        home.expect(#"{"coins":1000}"#, at: path, on: [b])
        #expect(try home.profile(on: a).reason == nil)
    }
}
