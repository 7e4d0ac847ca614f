import HouseholdSimulation
import MergeCore
import ProfileKeeping
import SyncProtocol
import Testing

@testable import HouseholdAgent

/// More saves than a link lists: two devices find out by hashes what differs.
@Suite struct ManySavesTests {
    private static let count = Limits.listedProfiles + 8
    private static let start = #"{"coins": 100, "level": 1}"#

    private func path(_ number: Int) -> String { "/saves/\(number).json" }

    /// The first device has all saves in files, the second one the first three.
    private func household(seed: UInt64 = 1) throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let home = Home(seed: seed)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        let rules = try home.rules([("/coins", MergeRule(.counter)), ("/level", MergeRule(.max))])
        for number in 0..<Self.count {
            try home.add(path(number), Self.start, rules: rules, name: "save \(number)", on: a)
        }
        for number in 0..<3 {
            let id = home.household.ask(RestoreRequest(profile: "save \(number)", path: path(number)), on: b)
            #expect(home.household.run(until: { b.replies[id] != nil }))
            home.expect(Self.start, at: path(number), on: [b])
        }
        return (home, a, b)
    }

    private func sync(_ home: Home, on device: SimulatedDevice) -> SyncReport? {
        let id = home.household.ask(SyncRequest(), on: device)
        _ = home.household.run(until: { device.replies[id] != nil })
        return device.replies[id]?.last?.message(SyncReport.self)
    }

    @Test func bothSidesOfAPartitionAddUp() throws {
        let (home, a, b) = try household()
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        home.household.save(#"{"coins": 150, "level": 3}"#, to: path(1), on: a)
        home.household.save(#"{"coins": 70, "level": 2}"#, to: path(1), on: b)
        home.household.run(milliseconds: 5_000)
        home.household.part(a, b, false)
        home.expect(#"{"coins": 120, "level": 3}"#, at: path(1), on: [a, b], within: 120_000)
        #expect(sync(home, on: a)?.inStep == ["deck"])
        #expect(sync(home, on: b)?.inStep == ["laptop"])
    }

    /// A save that is taken up while a link comes up, on either side.
    @Test(arguments: [true, false]) func aSaveAtAnyMomentOfALinksStartArrives(isThere: Bool) throws {
        for moment in stride(from: 0, to: 160, by: 10) as StrideTo<Int64> {
            let (home, a, b) = try household(seed: UInt64(moment + 1))
            home.household.kill(b)
            home.household.run(milliseconds: 1_000)
            home.household.delay = 10...10
            try home.household.start(b)
            home.household.run(milliseconds: moment)
            home.household.save(#"{"coins": 130, "level": 2}"#, to: path(2), on: isThere ? b : a)
            let done = home.household.run(
                until: {
                    home.household.text(of: path(2), on: isThere ? a : b)?.contains("130") == true
                }, within: 20_000)
            #expect(done, "a save \(moment) ms after the start never arrived")
        }
    }

    /// A device that connects is told whose files do not show everything, and nothing of all others.
    @Test func aDeviceThatComesBackKnowsWhichFilesAreBehind() throws {
        let (home, a, b) = try household()
        _ = home.household.ask(PauseRequest(profile: "save 1"), on: a)
        home.household.kill(b)
        home.household.run(milliseconds: 1_000)
        try home.household.start(b)
        home.household.run(milliseconds: 30_000)
        let report = try #require(sync(home, on: b))
        #expect(report.inStep == [] && report.behind == [] && report.filesBehind == ["laptop"])
        _ = home.household.ask(ResumeRequest(profile: "save 1"), on: a)
        home.household.run(milliseconds: 1_000)
        #expect(sync(home, on: b)?.inStep == ["laptop"])
    }

    @Test func aThirdDeviceGetsThemThroughTheSecond() throws {
        let (home, a, b) = try household()
        let c = try home.device("desktop")
        try home.pair(b, c)
        home.household.part(a, c)
        home.household.run(milliseconds: 30_000)
        home.household.save(#"{"coins": 130, "level": 2}"#, to: path(7), on: a)
        let id = home.household.ask(RestoreRequest(profile: "save 7", path: path(7)), on: c)
        _ = home.household.run(until: { c.replies[id] != nil })
        home.expect(#"{"coins":130,"level":2}"# + "\n", at: path(7), on: [c])
        home.household.kill(c)
        home.household.save(#"{"coins": 140, "level": 2}"#, to: path(7), on: a)
        home.household.run(milliseconds: 1_000)
        try home.household.start(c)
        home.expect(#"{"coins":140,"level":2}"# + "\n", at: path(7), on: [c])
    }

    /// What was played on many saves while no agent ran is taken up after a start.
    @Test func playOnAllSavesWhileNoAgentRanArrives() throws {
        let (home, a, b) = try household()
        home.household.kill(a)
        for number in 0..<Self.count {
            home.household.save(#"{"coins": \#(200 + number), "level": 1}"#, to: path(number), on: a)
        }
        try home.household.start(a)
        home.household.run(milliseconds: 10_000)
        home.expect(#"{"coins": 202, "level": 1}"#, at: path(2), on: [b])
        #expect(sync(home, on: a)?.inStep == ["deck"])
        for profile in try b.record.profiles() {
            #expect(try b.record.load(profile)?.vector == a.record.load(profile)?.vector)
        }
    }

    /// A backup takes its time on a slow disk, so the events of a game are not made to wait for those of all saves.
    @Test func aDaysBackupsAreMadeFewAtATime() throws {
        let (home, a, _) = try household()
        let backups = { a.files.disk.names.keys.count { $0.hasPrefix("/hearth/backups/") } }
        let before = backups()
        home.household.begin(try #require(LocalDay(year: 2026, month: 11, day: 21)), on: a)
        #expect((1...DailyBackups.turn).contains(backups() - before))
        home.household.run(milliseconds: 10_000)
        #expect(backups() - before == Self.count)
    }
}
