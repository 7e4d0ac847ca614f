import LosslessJSON
import MergeCore
import ProfileKeeping
import SyncProtocol
import Testing

@testable import HouseholdAgent
@testable import HouseholdSimulation

/// Many saves come into a folder with one request.
@Suite struct RestoreManyTests {
    private let folder = "/new"

    private func text(_ number: Int) -> String { "{ \"level\": \(number),\n\t\"coins\": 1.0 }\n" }

    /// The laptop has saves in files of folders of their own; the deck is paired with it and has none.
    private func household(
        _ count: Int, seed: UInt64 = 3, sharesPower: Bool = false
    ) throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let home = Home(seed: seed)
        let a = try home.device("laptop")
        let b = try home.household.addDevice("deck", sharesPower: sharesPower)
        for number in 0..<count {
            try home.add("/old/\(number % 10)/\(number).json", text(number), name: "save \(number)", on: a)
        }
        try home.pair(a, b)
        home.household.run(milliseconds: 5_000)
        return (home, a, b)
    }

    private func restore(
        _ names: [String]? = nil, to folder: String? = nil, in home: Home, on device: SimulatedDevice
    ) throws -> [RestoredSave] {
        let request = RestoreManyRequest(profiles: names, folder: folder ?? self.folder)
        let id = home.household.ask(request, on: device)
        _ = home.household.run(until: { device.replies[id]?.last?.isFinal == true })
        return try #require(device.replies[id]?.last?.message(RestoredSaves.self)).saves
    }

    private func expectAll(_ count: Int, _ home: Home, on device: SimulatedDevice, but left: Set<Int> = []) {
        for number in 0..<count where !left.contains(number) {
            #expect(home.household.text(of: "\(folder)/\(number).json", on: device) == text(number))
        }
        let temporary = device.files.paths.filter { $0.contains(".hearth-") }
        #expect(temporary == [], "left over")
    }

    private func commits(_ device: SimulatedDevice) -> Int {
        device.record.power.operations.count { $0 == .commit }
    }

    // MARK: All of them

    /// More than are made together: each is the game's own text, under the name that it has on the other device.
    @Test func eachSaveGetsItsFile() throws {
        let count = 2 * ManyRestores.groupCount + 5
        let (home, a, b) = try household(count)
        b.record.power.restart()
        let saves = try restore(in: home, on: b)
        #expect(saves.count == count && saves.allSatisfy { $0.outcome == .restored && $0.message == nil })
        #expect(Set(saves.compactMap(\.file)) == Set((0..<count).map { "\(folder)/\($0).json" }))
        expectAll(count, home, on: b)
        #expect(commits(b) < count / 4, "\(commits(b)) transactions for \(count) saves")
        // They are in step from now on.
        home.play(text(7_000), at: "\(folder)/7.json", on: b)
        home.expect(text(7_000), at: "/old/7/7.json", on: [a])
        #expect(home.household.timersThatStayedDue == 0)
    }

    /// The client is told how far it is, and a second request waits for its turn.
    @Test func progressIsTold_andTwoRequestsAreDoneOneAfterTheOther() throws {
        let count = ManyRestores.groupCount + 10
        let (home, _, b) = try household(count)
        let first = home.household.ask(RestoreManyRequest(folder: folder), on: b)
        let second = home.household.ask(RestoreManyRequest(profiles: ["save 3"], folder: "/other"), on: b)
        #expect(home.household.run(until: { b.replies[second]?.last?.isFinal == true }))
        let told = try #require(b.replies[first]).compactMap { $0.message(RestoreProgress.self) }
        #expect(told.count > 2 && told.map(\.done) == told.map(\.done).sorted())
        #expect(told.allSatisfy { $0.of == count } && told.last?.done == count)
        let saves = try #require(b.replies[second]?.last?.message(RestoredSaves.self)).saves
        #expect(saves.map(\.outcome) == [.here] && saves[0].file == "\(folder)/3.json")
        #expect(home.household.text(of: "/other/3.json", on: b) == nil)
    }

    /// A device that was just paired: the saves are still on their way.
    @Test func savesThatAreStillComingAreWaitedFor() throws {
        let home = Home(seed: 9)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        for number in 0..<60 {
            try home.add("/old/\(number).json", text(number), name: "save \(number)", on: a)
        }
        try home.pair(a, b)
        #expect(try restore(in: home, on: b).count == 60)
        expectAll(60, home, on: b)
    }

    /// No other machine can be asked for the form: the file holds what the record knows.
    @Test func whereNobodyKnowsTheFormTheValuesAreWritten() throws {
        let (home, a, b) = try household(70)
        home.household.kill(a)
        home.household.run(milliseconds: 60_000)
        let saves = try restore(in: home, on: b)
        #expect(saves.count == 70 && saves.allSatisfy { $0.outcome == .restored })
        let found = try #require(home.household.text(of: "\(folder)/42.json", on: b))
        #expect(try JSONValue(parsing: Array(found.utf8))["level"] == 42)
    }

    // MARK: Some of them

    @Test func onlyThoseThatWereNamedCome_andEachOnce() throws {
        let (home, _, b) = try household(6)
        let saves = try restore(["save 1", "save 4", "save 1"], to: folder + "/", in: home, on: b)
        #expect(saves.map(\.profile) == ["save 1", "save 4"])
        #expect(b.files.paths == ["\(folder)/1.json", "\(folder)/4.json"])
    }

    /// An unknown name, a file that is there, a folder in the way: each has its reason, and all others come.
    @Test func whatCannotBeRestoredStopsNoOtherSave() throws {
        let (home, _, b) = try household(8)
        home.household.save(#"{"mine": true}"#, to: "\(folder)/2.json", on: b)
        home.household.save("no JSON", to: "\(folder)/5.json", on: b)
        let names = (0..<8).map { "save \($0)" } + ["sav 3"]
        let saves = try restore(names, in: home, on: b)
        let failed = saves.filter { $0.outcome == .failed }
        #expect(Set(failed.map(\.profile)) == ["save 2", "save 5", "sav 3"])
        #expect(failed.allSatisfy { $0.message?.isEmpty == false })
        #expect(failed.first { $0.profile == "sav 3" }?.message?.contains("did you mean save 3") == true)
        #expect(failed.first { $0.profile == "save 2" }?.message?.contains("--to /new/2.json") == true)
        #expect(saves.count { $0.outcome == .restored } == 6)
        #expect(home.household.text(of: "\(folder)/2.json", on: b) == #"{"mine": true}"#)
        #expect(home.household.text(of: "\(folder)/5.json", on: b) == "no JSON")
        expectAll(8, home, on: b, but: [2, 5])
        // What stayed out has no file here, so that the single verb can merge the two.
        let left = try home.status(on: b).profiles.filter { $0.file == nil }.map(\.name)
        #expect(Set(left) == ["save 2", "save 5"])
    }

    /// The disk refuses some files, at any step: the others come, and another try gets the rest.
    @Test(arguments: [true, false]) func aDiskThatRefusesSomeFilesRefusesNoOther(isLate: Bool) throws {
        let (home, _, b) = try household(20)
        b.files.power.setHook { operation throws(StorageFault) in
            switch operation {
            case .place(_, let path) where isLate && (path.hasSuffix("/3.json") || path.hasSuffix("/9.json")):
                throw StorageFault(.other, "no room for \(path)")
            case .create(let path) where !isLate && path.contains("7"): throw StorageFault(.other, "no room")
            default: break
            }
        }
        let saves = try restore(in: home, on: b)
        let failed = saves.filter { $0.outcome == .failed }
        if isLate { #expect(failed.count == 2 && failed.allSatisfy { $0.message?.contains("no room") == true }) }
        b.files.power.setHook(nil)
        let again = try restore(in: home, on: b)
        let before = again.count { $0.outcome == .here }
        #expect(before == 20 - failed.count)
        #expect(again.count { $0.outcome == .restored } == failed.count)
        expectAll(20, home, on: b)
    }

    @Test func aRecordThatCannotBeWrittenLeavesNothingBehind() throws {
        let (home, _, b) = try household(10)
        b.record.power.setHook { operation throws(StorageFault) in
            if operation == .commit { throw StorageFault(.record, "the disk is full") }
        }
        let saves = try restore(in: home, on: b)
        #expect(saves.count == 10 && saves.allSatisfy { $0.outcome == .failed })
        #expect(b.files.paths == [])
        b.record.power.setHook(nil)
        #expect(try restore(in: home, on: b).allSatisfy { $0.outcome == .restored })
        expectAll(10, home, on: b)
    }

    /// Two saves whose files have one name, on two devices, and one of the same save name.
    @Test func savesOfOneFileNameGetFoldersOfTheirOwn() throws {
        let home = Home(seed: 5)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        for slot in 1...3 { try home.add("/old/\(slot)/save.json", text(slot), name: "Slot \(slot)", on: a) }
        try home.add("/old/4/SAVE.json", text(4), name: "Slot 3", on: a)
        try home.pair(a, b)
        home.household.run(milliseconds: 5_000)
        let saves = try restore(in: home, on: b)
        #expect(saves.count == 4 && saves.allSatisfy { $0.outcome == .restored })
        #expect(home.household.text(of: "\(folder)/Slot 1/save.json", on: b) == text(1))
        #expect(home.household.text(of: "\(folder)/Slot 2/save.json", on: b) == text(2))
        #expect(b.files.paths.count == 4)
        #expect(Set(b.files.paths.compactMap { home.household.text(of: $0, on: b) }) == Set((1...4).map(text)))
        #expect(try restore(in: home, on: b).allSatisfy { $0.outcome == .here })
    }

    // MARK: Cut short

    /// The client goes away: what was begun stays as it is, and another request does the rest.
    @Test func aClientThatGoesAwayLeavesWholeFiles() throws {
        let count = 3 * ManyRestores.groupCount
        let (home, _, b) = try household(count)
        let id = home.household.ask(RestoreManyRequest(folder: folder), on: b)
        #expect(home.household.run(until: { !b.files.paths.isEmpty }))
        home.household.abandon(id, on: b)
        home.household.run(milliseconds: 5_000)
        let there = b.files.paths.count
        #expect(there > 0 && there < count)
        #expect(try restore(in: home, on: b).count { $0.outcome == .restored } == count - there)
        expectAll(count, home, on: b)
    }

    /// The power goes before each of the steps: after the next start a second request finishes what is missing, nothing is
    /// there twice, and nothing of the household is lost.
    @Test func thePowerMayGoAtAnyStep() throws {
        let (whole, _, c) = try household(4, sharesPower: true)
        c.files.power.restart()
        _ = try restore(in: whole, on: c)
        let steps = c.files.power.operations.count
        #expect(steps > 20)
        for step in 1...steps {
            let (home, a, b) = try household(4, sharesPower: true)
            b.files.power.restart()
            b.files.power.cut(before: step)
            let id = home.household.ask(RestoreManyRequest(folder: folder), on: b)
            _ = home.household.run(until: { !b.isRunning || b.replies[id]?.last?.isFinal == true })
            if b.isRunning { home.household.kill(b) }
            b.files.loseUnsynced()
            b.files.power.restart()
            try home.household.start(b)
            let saves = try restore(in: home, on: b)
            #expect(saves.count == 4 && saves.allSatisfy { $0.outcome != .failed }, "step \(step): \(saves)")
            expectAll(4, home, on: b)
            home.play(text(90), at: "\(folder)/1.json", on: b)
            home.expect(text(90), at: "/old/1/1.json", on: [a])
        }
    }

    // MARK: A member that turned bad

    /// It says that its saves are called whatever would hurt: each gets a plain name below the folder, or none.
    @Test func namesOfABadMemberLeadNowhere() throws {
        let home = Home(seed: 14)
        let (laptop, bad) = (try home.device("laptop"), try home.device("bad"))
        try home.add("/old/save.json", text(1), name: "RPG", on: laptop)
        try home.pair(laptop, bad)
        home.household.run(milliseconds: 5_000)
        home.household.kill(bad)
        home.household.run(milliseconds: 60_000)
        let liar = Liar(of: bad, to: laptop, now: home.household.moment(on: laptop))
        let names = RestorePlanTests.hostile + ["save.json", "SAVE.JSON", "RPG"]
        for (number, name) in names.enumerated() {
            let profile = ProfileID(high: 99, low: UInt64(number))
            let replica = liar.replica(in: profile)
            let dot = Dot(replica: replica, sequence: 1)
            let values: [(DocumentPath, JSONValue)] = [
                (.name, .string(JSONString(name))), (.fileName, .string(JSONString(name))),
                (DocumentPath([.member("level")]), 6),
            ]
            let stamp = Stamp.live(WallTime(milliseconds: 1_700_000_000_000))
            let atoms = values.map { KeyedAtom(AtomKey($0, .latest), Atom(.register(stamp, $1), dot)) }
            liar.claim(profile, atoms, upTo: VersionVector([replica: .init(sequence: 1, history: 1)]))
        }
        home.household.run(milliseconds: 5_000)
        let before = Set(laptop.files.paths)
        let saves = try restore(in: home, on: laptop)
        #expect(saves.count > names.count / 2, "its saves did not come: \(saves)")
        for path in Set(laptop.files.paths).subtracting(before) {
            #expect(path.hasPrefix("\(folder)/"))
            let steps = path.dropFirst(folder.count + 1).split(separator: "/", omittingEmptySubsequences: false)
            #expect(steps.count <= 2 && steps.allSatisfy { FileName(String($0)) != nil }, "\(path)")
        }
        #expect(home.household.text(of: "/old/save.json", on: laptop) == text(1))
    }
}
