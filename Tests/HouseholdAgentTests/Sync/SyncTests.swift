import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

@Suite struct SyncTests {
    private let path = "/saves/player.json"

    private func pairOfDevices(
        _ home: Home, _ text: String = #"{"coins": 100, "level": 1}"#
    ) throws -> (SimulatedDevice, SimulatedDevice) {
        let a = try home.device("laptop")
        let b = try home.device("deck")
        try home.pair(a, b)
        let rules = try home.rules([("/coins", MergeRule(.counter)), ("/level", MergeRule(.max))])
        try home.add(path, text, rules: rules, on: a)
        try home.restore(path, on: b)
        return (a, b)
    }

    @Test func whatOneDeviceSavesTheOtherHas() throws {
        let home = Home()
        let (a, b) = try pairOfDevices(home)
        home.household.save(#"{"coins": 130, "level": 2}"#, to: path, on: a)
        let done = home.household.run(until: {
            home.household.text(of: path, on: b)?.contains("130") == true
        })
        #expect(done)
    }

    /// A save that is taken up while a link comes up: after what is covered was said, before the other side's hello.
    @Test func aSaveAtAnyMomentOfALinksStartArrives() throws {
        for moment in 0..<80 as Range<Int64> {
            let home = Home(seed: UInt64(moment + 1))
            let (a, b) = try pairOfDevices(home)
            home.expect(#"{"coins": 100, "level": 1}"#, at: path, on: [b])
            home.household.kill(b)
            home.household.run(milliseconds: 1_000)
            home.household.delay = 10...10
            try home.household.start(b)
            home.household.run(milliseconds: moment)
            home.household.save(#"{"coins": 130, "level": 2}"#, to: path, on: a)
            let done = home.household.run(
                until: { home.household.text(of: path, on: b)?.contains("130") == true }, within: 20_000)
            #expect(done, "a save \(moment) ms after the start never arrived")
        }
    }

    @Test func bothSidesOfAPartitionAddUp() throws {
        let home = Home()
        let (a, b) = try pairOfDevices(home)
        home.expect(#"{"coins": 100, "level": 1}"#, at: path, on: [b])
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        home.household.save(#"{"coins": 150, "level": 3}"#, to: path, on: a)
        home.household.save(#"{"coins": 70, "level": 2}"#, to: path, on: b)
        home.household.run(milliseconds: 5_000)
        home.household.part(a, b, false)
        home.expect(#"{"coins": 120, "level": 3}"#, at: path, on: [a], within: 120_000)
        home.expect(#"{"coins": 120, "level": 3}"#, at: path, on: [b], within: 120_000)
    }

    @Test func aStillRunningGameOverwritesWithoutLoss() throws {
        let home = Home()
        let (a, b) = try pairOfDevices(home)
        home.expect(#"{"coins": 100, "level": 1}"#, at: path, on: [b])
        home.household.save(#"{"coins": 500, "level": 1}"#, to: path, on: a)
        home.expect(#"{"coins": 500, "level": 1}"#, at: path, on: [b])
        // The game on b still has 100 in memory, earns 10, and saves what it believes.
        home.household.save(#"{"coins": 110, "level": 1}"#, to: path, on: b)
        home.expect(#"{"coins": 510, "level": 1}"#, at: path, on: [b])
        home.expect(#"{"coins": 510, "level": 1}"#, at: path, on: [a])
    }

    @Test func aThirdDeviceGetsItThroughTheSecond() throws {
        let home = Home()
        let (a, b) = try pairOfDevices(home)
        let c = try home.device("desktop")
        try home.pair(b, c)
        home.household.part(a, c)
        try home.restore(path, on: c)
        home.household.save(#"{"coins": 101, "level": 9}"#, to: path, on: a)
        home.expect(#"{"coins": 101, "level": 9}"#, at: path, on: [b, c])
        home.household.save(#"{"coins": 111, "level": 9}"#, to: path, on: c)
        home.expect(#"{"coins": 111, "level": 9}"#, at: path, on: [a])
    }

    @Test func twoAdoptedCopiesNeverCountTheCommonCoinsTwice() throws {
        for (first, second, expected) in [("100", "100", "100"), ("100", "120", "120"), ("120", "100", "120")] {
            let home = Home()
            let a = try home.device("laptop")
            let b = try home.device("deck")
            let rules = try home.rules([("/coins", MergeRule(.counter))])
            try home.add(path, #"{"coins": \#(first)}"#, rules: rules, on: a)
            try home.add(path, #"{"coins": \#(second)}"#, on: b)
            try home.pair(a, b)
            home.household.run(milliseconds: 2_000)
            try home.restore(path, on: b)
            home.expect(#"{"coins": \#(expected)}"#, at: path, on: [a, b])
            home.household.save(#"{"coins": \#(Int(expected)! + 5)}"#, to: path, on: a)
            home.expect(#"{"coins": \#(Int(expected)! + 5)}"#, at: path, on: [a, b])
        }
    }

    /// What is added and saved while a link is just coming up reaches the other side over that very link.
    @Test func nothingIsForgottenWhileALinkComesUp() throws {
        for pause in Int64(0)..<20 {
            let home = Home(seed: 9)
            let (a, b) = (try home.device("laptop"), try home.device("deck"))
            try home.pair(a, b)
            home.household.run(milliseconds: pause)
            try home.add(path, #"{"coins":1}"#, on: a)
            home.household.run(milliseconds: 1)
            home.household.save(#"{"coins":2}"#, to: path, on: a)
            home.household.run(milliseconds: 5_000)
            let shown = home.household.ask(ShowRequest(profile: "game", pointer: "/coins"), on: b)
            guard let coins = b.replies[shown]?.last?.message(DocumentText.self)?.document else {
                Issue.record("not there, added \(pause) ms after pairing: \(b.replies[shown] ?? [])")
                continue
            }
            #expect(coins == "2", "added \(pause) ms after pairing")
        }
    }

    @Test func anEmptyFileIsNoEditAndSyncGoesOnAfterwards() throws {
        let home = Home()
        let (a, b) = try pairOfDevices(home)
        home.expect(#"{"coins": 100, "level": 1}"#, at: path, on: [b])
        for damaged in ["", "{\"coins\":", "{}", "[]", "{\"coins\":0,\"level\":0}"] {
            home.household.save(damaged, to: path, on: b)
            home.household.run(milliseconds: 2_000)
            #expect(home.household.text(of: path, on: a) == #"{"coins": 100, "level": 1}"#, "\(damaged)")
        }
        home.household.save(#"{"coins": 105, "level": 1}"#, to: path, on: b)
        home.household.run(milliseconds: 3_000)
        #expect(home.household.text(of: path, on: a)?.contains("105") == true)
    }

    @Test func aKilledAgentComesBackWithEverything() throws {
        let home = Home()
        let (a, b) = try pairOfDevices(home)
        home.expect(#"{"coins": 100, "level": 1}"#, at: path, on: [b])
        home.household.kill(b)
        home.household.save(#"{"coins": 90, "level": 1}"#, to: path, on: b)
        home.household.save(#"{"coins": 110, "level": 4}"#, to: path, on: a)
        home.household.run(milliseconds: 1_000)
        try home.household.start(b)
        home.expect(#"{"coins": 100, "level": 4}"#, at: path, on: [a], within: 120_000)
        home.expect(#"{"coins": 100, "level": 4}"#, at: path, on: [b], within: 120_000)
    }

    /// Other commands print an element of an array by its key.
    @Test func aPlaceIsShownAsItIsPrinted() throws {
        let home = Home(seed: 27)
        let a = try home.device("laptop")
        let rules = try home.rules([("/bag[id]/n", MergeRule(.counter))])
        try home.add(path, #"{"bag":[{"id":"elm","n":2},{"id":"oak","n":5}]}"#, rules: rules, on: a)
        home.household.run(milliseconds: 2_000)
        let places = [(#"/bag/["oak"]/n"#, "5"), ("/bag/1/n", "5"), (#"/bag/["elm"]"#, #"{"id":"elm","n":2}"#)]
        for (pointer, text) in places {
            let shown = try home.reply(to: ShowRequest(profile: "game", pointer: pointer), on: a)
            #expect(shown.message(DocumentText.self)?.document == text, "\(pointer): \(shown)")
        }
        guard case .failure(.failed, _) = try home.reply(to: ShowRequest(profile: "game", pointer: "/bag/1/n/x"), on: a)
        else { throw Home.Failure("there is nothing") }
    }
}
