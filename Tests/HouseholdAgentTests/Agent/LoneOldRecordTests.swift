import HouseholdAgent
import HouseholdSimulation
import MergeCore
import ProfileKeeping
import Testing

/// An old record that knows no other device: from before the first pairing, or of a household whose other devices are gone.
/// What its file holds beyond the record may be elsewhere as well, and counts once.
@Suite struct LoneOldRecordTests {
    private let path = "/saves/player.json"
    private let home = Home(seed: 41)

    private func purse(_ coins: Int) -> String { #"{"coins":\#(coins)}"# }

    private func play(_ coins: Int, on device: SimulatedDevice, _ others: [SimulatedDevice] = []) {
        home.household.save(purse(coins), to: path, on: device)
        home.expect(purse(coins), at: path, on: [device] + others)
        home.household.run(milliseconds: 3_000)
    }

    private func start(_ device: SimulatedDevice) throws {
        home.household.run(milliseconds: 5_000)
        try home.add(path, purse(100), rules: try home.rules([("/coins", MergeRule(.counter))]), on: device)
        home.household.run(milliseconds: 3_000)
    }

    @Test func aRecordFromBeforeThePairingIsPairedAgain() throws {
        let (a, b) = (try home.device("desk"), try home.device("deck"))
        try start(a)
        let old = a.record.copy
        try home.pair(a, b)
        try home.restore(path, on: b)
        home.expect(purse(100), at: path, on: [b])
        play(120, on: b, [a])
        play(130, on: a, [b])
        home.household.kill(a)
        a.record.restore(old)
        try home.household.start(a, isRecordRolledBack: true)
        home.household.run(milliseconds: 60_000)
        let reason = try #require(try home.profile(on: a).reason)
        #expect(reason.contains("is paired with this one") && reason.hasSuffix("hearth keep game"), "\(reason)")
        play(131, on: a)
        try home.pair(a, b)
        home.expect(purse(131), at: path, on: [a, b])
        home.household.run(milliseconds: 30_000)
        home.expect(purse(131), at: path, on: [a, b])
        #expect(try home.profile(on: a).reason == nil)
        play(141, on: b, [a])
    }

    @Test func theMachineThatTheRecordKnowsIsGone() throws {
        let (a, b, c) = (try home.device("desk"), try home.device("deck"), try home.device("nas"))
        try start(a)
        try home.pair(a, b)
        try home.restore(path, on: b)
        home.expect(purse(100), at: path, on: [b])
        let old = a.record.copy
        play(120, on: b, [a])
        play(130, on: a, [b])
        home.household.kill(b)
        _ = try home.reply(to: UnpairRequest(device: "deck"), on: a)
        try home.pair(a, c)
        try home.restore(path, on: c)
        home.expect(purse(130), at: path, on: [c])
        play(135, on: c, [a])
        home.household.kill(a)
        a.record.restore(old)
        try home.household.start(a, isRecordRolledBack: true)
        home.household.run(milliseconds: 5_000)
        #expect(try home.profile(on: a).reason?.hasSuffix("if it is gone for good: hearth unpair deck") == true)
        _ = try home.reply(to: UnpairRequest(device: "deck"), on: a)
        home.household.run(milliseconds: 60_000)
        #expect(try home.profile(on: a).reason?.hasSuffix("hearth keep game") == true)
        play(136, on: a)
        try home.pair(a, c)
        home.expect(purse(136), at: path, on: [a, c])
        home.household.run(milliseconds: 30_000)
        home.expect(purse(136), at: path, on: [a, c])
    }

    /// On a new disk, with Hearth's folder alone: the save is written from the record.
    @Test func whereTheFileIsGoneTooItIsWrittenAgain() throws {
        let a = try home.device("desk")
        try start(a)
        let old = a.record.copy
        home.household.kill(a)
        a.record.restore(old)
        a.files.delete(path)
        try home.household.start(a, isRecordRolledBack: true)
        home.expect(purse(100), at: path, on: [a])
        #expect(try home.profile(on: a).reason == nil)
    }

    /// Where there is no other machine any more, the player says so, and play goes on.
    @Test func thePlayerSaysThatThereIsNone() throws {
        let a = try home.device("desk")
        try start(a)
        let old = a.record.copy
        play(130, on: a)
        home.household.kill(a)
        a.record.restore(old)
        try home.household.start(a, isRecordRolledBack: true)
        home.household.run(milliseconds: 60_000)
        #expect(try home.profile(on: a).reason != nil)
        let answer = try home.reply(to: KeepRequest(profile: "game"), on: a).message(ProfileAnswer.self)
        #expect(answer?.profile.reason == nil && answer != nil)
        play(131, on: a)
        let b = try home.device("deck")
        try home.pair(a, b)
        try home.restore(path, on: b)
        home.expect(purse(131), at: path, on: [a, b])
    }
}
