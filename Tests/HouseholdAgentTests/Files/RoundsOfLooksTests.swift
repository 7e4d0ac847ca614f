import MergeCore
import Testing

@testable import HouseholdAgent
@testable import HouseholdSimulation

/// Rounds of looks: what the file system did not report is found, and quiet files are not read again and again.
@Suite struct RoundsOfLooksTests {
    private let path = "/saves/player.json"
    private let quiet: Int64 = 400_000

    private func purse(_ coins: Int) -> String { #"{"coins":\#(coins)}"# }

    private func household() throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        try Home.sharing(purse(100), at: path, rules: [("/coins", MergeRule(.counter))], seed: 47)
    }

    /// Writes into the file, and no event tells of it.
    ///
    /// - Parameter isSeen: Whether the file has another time afterwards.
    private func writeUnheard(_ text: String, _ home: Home, on device: SimulatedDevice, isSeen: Bool) throws {
        let former = try #require(device.files.disk[path])
        device.files.setTime(isSeen ? home.household.date(on: device) : former.modified)
        device.files.saveInPlace(Array(text.utf8), at: path, truncating: false)
        if !isSeen { #expect(former.bytes.count == text.utf8.count) }
    }

    @Test func aQuietFileIsReadOnceAnHour() throws {
        let (home, a, _) = try household()
        home.household.run(milliseconds: quiet)
        let before = a.files.reads
        home.household.run(milliseconds: 1_200_000)
        #expect(a.files.reads == before)
        home.household.run(milliseconds: 3_600_000 * 3)
        #expect((3...4).contains(a.files.reads - before))
    }

    @Test(arguments: [5_000, 30_000, 60_000, 90_000, 125_000, 400_000] as [Int64])
    func aWriteOfWhichNoEventToldIsFoundInTheNextRound(after milliseconds: Int64) throws {
        let (home, a, b) = try household()
        home.household.run(milliseconds: milliseconds)
        try writeUnheard(purse(150), home, on: a, isSeen: true)
        home.expect(purse(150), at: path, on: [a, b], within: 35_000)
    }

    /// Size and times are as they were, and the file was read in between.
    @Test(arguments: [0, 1, 300, 1_000, 31_000, 65_000] as [Int64])
    func aWriteInTheTickOfTheOneBeforeItIsFoundInTheNextRound(after milliseconds: Int64) throws {
        let (home, a, b) = try household()
        home.household.run(milliseconds: quiet)
        home.household.save(purse(150), to: path, on: a)
        home.household.run(milliseconds: milliseconds)
        try writeUnheard(purse(170), home, on: a, isSeen: false)
        home.expect(purse(170), at: path, on: [a, b], within: 35_000)
    }

    @Test func aWriteThatNeverShowsIsFoundWithinTheHour() throws {
        let (home, a, b) = try household()
        home.household.run(milliseconds: quiet)
        try writeUnheard(purse(130), home, on: a, isSeen: false)
        home.household.run(milliseconds: 60_000)
        #expect(home.household.text(of: path, on: b) == purse(100), "nothing tells of it")
        home.expect(purse(130), at: path, on: [a, b], within: 3_700_000)
    }

    @Test func aWriteAtATimeThatCameAgainIsFound() throws {
        let (home, a, b) = try household()
        home.household.run(milliseconds: quiet)
        a.skew = .zero - .milliseconds(quiet)
        home.household.run(milliseconds: 35_000)
        try writeUnheard(purse(130), home, on: a, isSeen: false)
        home.expect(purse(130), at: path, on: [a, b], within: 35_000)
    }

    /// The very file that was read whole, which looks as it did then. The record has another one by now.
    @Test func aFormerFileThatIsPutBackIsFound() throws {
        let (home, a, b) = try household()
        home.household.run(milliseconds: quiet)
        a.files.change { [path] in $0.link(path, as: "/copy.json") }
        home.household.save(purse(180), to: path, on: b)
        home.expect(purse(180), at: path, on: [a, b], within: 5_000)
        a.files.change { [path] in $0.rename("/copy.json", to: path) }
        #expect(home.household.text(of: path, on: a) == purse(100))
        home.expect(purse(180), at: path, on: [a, b], within: 45_000)
    }
}
