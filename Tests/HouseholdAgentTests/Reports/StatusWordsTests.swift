import HouseholdAgent
import HouseholdSimulation
import MergeCore
import ProfileKeeping
import SyncProtocol
import Testing

@testable import HouseholdSimulation

/// Sentences of `status` and `sync` that no other suite holds word for word, each as it comes about in a household.
@Suite struct StatusWordsTests {
    private let path = "/saves/player.json"
    private let start = #"{"coins":100,"level":1}"#

    private func household(
        resetAt: String? = nil
    ) throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let home = Home(seed: 23)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        let entries = try home.rules([("/coins", MergeRule(.counter)), ("/level", MergeRule(.max))]).entries
        try home.add(path, start, rules: try RuleSet(entries, resetAt: resetAt), on: a)
        try home.restore(path, on: b)
        home.household.run(milliseconds: 5_000)
        return (home, a, b)
    }

    private func answer(_ request: any AgentRequest, _ home: Home, _ device: SimulatedDevice) throws -> AgentReply {
        let id = home.household.ask(request, on: device)
        _ = home.household.run(until: { device.replies[id]?.last?.isFinal == true })
        return try #require(device.replies[id]?.last)
    }

    private func status(_ home: Home, _ device: SimulatedDevice) throws -> StatusReport {
        guard let report = try answer(StatusRequest(), home, device).message(StatusReport.self) else {
            throw Home.Failure("no status")
        }
        return report
    }

    private func profile(_ home: Home, _ device: SimulatedDevice) throws -> ProfileReport {
        try #require(try status(home, device).profiles.first)
    }

    // MARK: The file

    /// A file that is no save is kept aside at once, and the good one comes when it can be written.
    @Test func whatIsNoSaveIsReplacedShortly() throws {
        let (home, a, _) = try household()
        home.household.save("{", to: path, on: a)
        home.household.run(milliseconds: 2_000)
        a.files.power.setHook { operation throws(StorageFault) in
            if case .exchange = operation { throw StorageFault(.denied, "permission denied") }
        }
        let isSet = home.household.run(until: { (try? profile(home, a))?.state == "good" }, within: 60_000)
        let odd = try profile(home, a)
        #expect(isSet)
        #expect(
            odd.reason
                == "the file at \(path) is no save; the last good state replaces it shortly")
        a.files.power.setHook(nil)
        home.household.run(milliseconds: 40_000)
        #expect(try profile(home, a).reason == nil)
        #expect(home.household.text(of: path, on: a) == start)
    }

    /// A game that saves whenever its file is about to be replaced.
    @Test func aFileThatIsBeingWrittenIsNotInStep() throws {
        let (home, a, b) = try household()
        a.files.power.setHook { operation throws(StorageFault) in
            if case .exchange = operation { throw StorageFault(.changed, "the file changed") }
        }
        home.household.save(#"{"coins":130,"level":1}"#, to: path, on: b)
        home.household.run(milliseconds: 2_000)
        let report = try #require(try answer(SyncRequest(profile: nil), home, a).message(SyncReport.self))
        #expect(report.inStep == [] && report.troubles == ["game: its file is just being written by its game"])
        a.files.power.setHook(nil)
        home.expect(#"{"coins":130,"level":1}"#, at: path, on: [a])
        #expect(try answer(SyncRequest(profile: nil), home, a).message(SyncReport.self)?.inStep == ["deck"])
    }

    /// The record of a device is put back to an older one: its file waits for the household.
    @Test func anOldRecordWaitsForTheHousehold() throws {
        let (home, a, b) = try household()
        let old = a.record.copy
        home.household.save(#"{"coins":120,"level":1}"#, to: path, on: a)
        home.household.run(milliseconds: 5_000)
        home.household.part(a, b)
        home.household.kill(a)
        a.record.restore(old)
        try home.household.start(a, isRecordRolledBack: true)
        home.household.run(milliseconds: 3_000)
        #expect(
            try profile(home, a).reason
                == "this device's record is an old one or a copy, so the file is left as it is until deck has been "
                + "reached; what you play goes out meanwhile; if it is gone for good: hearth unpair deck")
        #expect(try answer(SyncRequest(profile: nil), home, a).message(SyncReport.self)?.inStep == [])
        home.household.part(a, b, false)
        #expect(home.household.run(until: { (try? profile(home, a))?.reason == nil }, within: 60_000))
        #expect(home.household.text(of: path, on: a) == #"{"coins":120,"level":1}"#)
    }

    // MARK: What a game did

    /// A game that says in its save that it starts over.
    @Test func aGameThatStartsOverIsSaid() throws {
        let (home, a, b) = try household(resetAt: "/life")
        home.household.save(#"{"coins":0,"level":0,"life":2}"#, to: path, on: a)
        home.household.run(milliseconds: 5_000)
        #expect(try profile(home, a).remark == "the game started over; what was there before is in the backups")
        #expect(home.household.text(of: path, on: b)?.contains(#""coins":0"#) == true)
        _ = try answer(KeepRequest(profile: "game"), home, a)
        #expect(try profile(home, a).remark == nil)
    }

    /// A game asks its player whether the household's progress comes into its file: that waits for the player.
    @Test func whatAGameAsksWaitsForThePlayer() throws {
        let (home, a, b) = try household()
        _ = try answer(RemoveRequest(profile: "game"), home, b)
        let other = "/saves/new.json"
        let request = SubscribeRequest(
            path: other, name: "game", game: "rpg",
            rules: try home.rules([("/coins", MergeRule(.counter)), ("/level", MergeRule(.max))]), changesRules: false,
            onNameConflict: .ask)
        let subscribed = home.household.ask(request, on: b)
        home.household.run(milliseconds: 1_000)
        #expect(
            try profile(home, b).decisions == [
                "rpg asks whether this progress of the other devices shall come into \(other); answer it there"
            ])
        home.household.abandon(subscribed, on: b)
        #expect(try status(home, b).profiles.first?.decisions == nil)
        _ = a
    }

    // MARK: Rules

    /// A rule that matches nothing is named by status until it does, with the word that was probably meant.
    @Test func aRuleThatMatchesNothingIsNamed() throws {
        let home = Home(seed: 24)
        let a = try home.device("laptop")
        try home.add(path, start, rules: home.rules([("/coinz", MergeRule(.counter))]), on: a)
        #expect(try profile(home, a).ruleFindings == ["no place matches /coinz; did you mean /coins?"])
        home.household.save(#"{"coins":100,"coinz":1}"#, to: path, on: a)
        home.household.run(milliseconds: 2_000)
        #expect(try profile(home, a).ruleFindings == nil)
    }

    /// A save that was started over holds nothing yet: its rules are none the worse for that.
    @Test func rulesOfASaveThatWasStartedOverAreNotNamed() throws {
        let home = Home(seed: 24)
        let a = try home.device("laptop")
        let rules = [("/coins", MergeRule(.counter)), ("/name", MergeRule(.latest)), ("/mane", MergeRule(.latest))]
        try home.add(path, #"{"coins":100,"name":"Ada"}"#, rules: home.rules(rules), on: a)
        _ = try home.reply(to: ResetRequest(profile: "game", scope: nil), on: a)
        home.household.run(milliseconds: 2_000)
        #expect(home.household.text(of: path, on: a) == #"{"coins":0}"#)
        #expect(try profile(home, a).ruleFindings?.map { $0.prefix(22) } == ["no place matches /mane"])
    }

    /// Rules are compared with a save of any size, and again whenever the save changes.
    @Test func rulesOfALargeSaveAreCompared() throws {
        let story = String(repeating: "x", count: 5 << 20)
        func save(_ coins: String) -> String { #"{"story":"\#(story)","name":"Ada","\#(coins)":5}"# }
        let home = Home(seed: 25)
        let a = try home.device("laptop")
        let rules = [
            ("/coinz", MergeRule(.counter)), ("/name", MergeRule(.counter)), ("/", MergeRule(.counter)),
        ]
        try home.add(path, save("coins"), rules: home.rules(rules), on: a)
        let rest = [
            "/name: counter takes a number, but the save has a text there",
            #"no place matches "/", which is the member with an empty name; the whole document is """#,
        ]
        let nothing = "no place matches /coinz; did you mean /coins?"
        for _ in 0..<2 { #expect(try profile(home, a).ruleFindings == [nothing] + rest) }
        home.household.save(save("coinz"), to: path, on: a)
        home.household.run(milliseconds: 5_000)
        #expect(try profile(home, a).ruleFindings == rest)
    }

    // MARK: Devices

    @Test func twoSavesOfOneNameAreNamedWithTheWayOut() throws {
        let home = Home(seed: 25)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        for device in [a, b] { try home.add(path, start, on: device) }
        try home.pair(a, b)
        home.household.run(milliseconds: 10_000)
        let trouble = try #require(try status(home, a).troubles.first)
        let ids = try status(home, a).profiles.filter { $0.file == nil }.map(\.id)
        #expect(
            trouble == "2 saves are called game; if they are of several games or slots, give one another name with "
                + "'rename'; if they are one game's progress, join them with: hearth restore \(ids.first ?? "?") --to \(path)"
        )
    }

    @Test func aDeviceThatDoesNotAnswerAndOneThatWasNeverSeen() throws {
        let (home, a, b) = try household()
        home.household.mute(a, b)
        let isSaid = home.household.run(
            until: { (try? status(home, a))?.household.first?.reason == "it does not answer" }, within: 35_000)
        #expect(isSaid)
        home.household.kill(b)
        home.household.kill(a)
        try home.household.start(a)
        #expect(try status(home, a).household.first?.reason == "not seen since the agent started")
    }

    /// A machine that was installed anew is another one with its name; the former one is away for good.
    @Test func aFormerInstallationIsToldHowToLeave() throws {
        let (home, a, b) = try household()
        home.household.kill(b)
        home.household.run(milliseconds: 60_000)
        func former(on device: SimulatedDevice) throws -> String? {
            try status(home, device).household.first { $0.id == b.signer.key.id.description }?.reason
        }
        let alone = try #require(try former(on: a))
        #expect(!alone.contains("unpair"), "one that is away may come back: \(alone)")
        let anew = try home.device("deck")
        try home.pair(a, anew)
        home.household.run(milliseconds: 5_000)
        let unpair = "; if it is a former installation of deck: hearth unpair \(b.signer.key.id)"
        for device in [a, anew] {
            let said = try former(on: device)
            #expect(said?.hasSuffix(unpair) == true, "\(said ?? "nothing")")
        }
        let reasons = try status(home, a).household.filter { $0.id != b.signer.key.id.description }.map(\.reason)
        #expect(reasons == [nil])
    }

    /// On every machine but the two that were paired, also after a start.
    @Test func aDeviceThatAnotherOneLetInIsNamedUntilItIsKnown() throws {
        let (home, a, b) = try household()
        let tv = try home.device("tv")
        try home.pair(b, tv)
        home.household.run(milliseconds: 5_000)
        let said =
            "tv is new in the household; deck let it in. If you know it: hearth devices --seen; if not: "
            + "hearth unpair \(tv.signer.key.id)"
        #expect(try status(home, a).newcomers == [said] && status(home, a).troubles.isEmpty)
        #expect(try status(home, b).newcomers == nil && status(home, tv).newcomers == nil)
        home.household.kill(a)
        try home.household.start(a)
        #expect(try status(home, a).newcomers == [said])
        _ = try answer(DevicesRequest(), home, a)
        #expect(try status(home, a).newcomers == [said], "a list alone says nothing")
        _ = try answer(DevicesRequest(seen: true), home, a)
        #expect(try status(home, a).newcomers == nil)
        home.household.kill(a)
        try home.household.start(a)
        #expect(try status(home, a).newcomers == nil)
        // One that is removed before is named no more.
        let stranger = try home.device("stranger")
        try home.pair(b, stranger)
        home.household.run(milliseconds: 5_000)
        #expect(try status(home, a).newcomers?.count == 1)
        _ = try answer(UnpairRequest(device: "stranger"), home, a)
        #expect(try status(home, a).newcomers == nil)
    }

    /// A device that was removed is told so, in its own status, while it is connected.
    @Test func aRemovedDeviceIsToldSo() throws {
        let (home, a, b) = try household()
        _ = try answer(UnpairRequest(device: "deck"), home, a)
        home.household.run(milliseconds: 2_000)
        #expect(
            try status(home, b).troubles == [
                "this device was removed from its household; what is played here stays here until it is paired again"
            ])
        #expect(try status(home, a).household.isEmpty)
    }
}
