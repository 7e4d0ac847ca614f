import HouseholdAgent
import HouseholdSimulation
import MergeCore
import Testing

/// A folder that another tool syncs: no client gets a save added, put or moved there without saying that it wants that.
@Suite struct ForeignSyncTests {
    private let save = "/synced/game/save.json", elsewhere = "/saves/save.json"
    private let text = #"{"coins":100}"#

    /// The laptop has a save, and the deck is paired with it. On both Syncthing syncs a folder.
    private func household() throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let home = Home(seed: 5)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        try home.add(elsewhere, text, on: a)
        home.household.run(milliseconds: 5_000)
        for device in [a, b] { home.household.save("", to: "/synced/game/.stfolder", on: device) }
        return (home, a, b)
    }

    private func expectRefusal(_ request: any AgentRequest, _ path: String, _ home: Home, on device: SimulatedDevice)
        throws
    {
        guard case .failure(let code, let why) = try home.reply(to: request, on: device) else {
            Issue.record("\(request) is not refused")
            return
        }
        #expect(code == .needsDecision)
        #expect(why.hasPrefix("Syncthing syncs the folder of \(path) already (/synced/game/.stfolder)"))
    }

    private func expectDone(_ request: any AgentRequest, _ home: Home, on device: SimulatedDevice) throws {
        if case .failure(_, let why) = try home.reply(to: request, on: device) { Issue.record("\(why)") }
    }

    @Test func aSaveIsNotAddedUnlessThePlayerWantsThat() throws {
        let (home, a, _) = try household()
        home.household.save(text, to: save, on: a)
        try expectRefusal(AddRequest(path: save, name: "other"), save, home, on: a)
        try expectRefusal(AddRequest(path: save, name: "other", anyway: false), save, home, on: a)
        #expect(try home.status(on: a).profiles.count == 1)
        try expectDone(AddRequest(path: save, name: "other", anyway: true), home, on: a)
        #expect(try home.status(on: a).profiles.count == 2)
        // Its rules can be changed without saying it again.
        let rules = try home.rules([("/coins", MergeRule(.counter))])
        try expectDone(AddRequest(path: save, name: "other", rules: rules), home, on: a)
    }

    /// The preview, by which the page begins, says it as well.
    @Test func noSaveIsPutThere() throws {
        let (home, _, b) = try household()
        let request = RestoreRequest(profile: "game", path: save)
        try expectRefusal(PreviewRequest(request), save, home, on: b)
        try expectRefusal(request, save, home, on: b)
        let many = RestoreManyRequest(folder: "/synced/game")
        try expectRefusal(many, "/synced/game/*", home, on: b)
        #expect(home.household.text(of: save, on: b) == nil)
        try expectDone(RestoreRequest(profile: "game", path: save, anyway: true), home, on: b)
        home.expect(text, at: save, on: [b])
    }

    /// Of many saves, those of one file name get a folder each: each folder is looked at.
    @Test func ofManySavesTheOneInASyncedFolderStaysOut() throws {
        let (home, a, b) = try household()
        try home.add("/others/save.json", text, name: "other", on: a)
        home.household.run(milliseconds: 5_000)
        home.household.save("", to: "/new/game/.stfolder", on: b)
        let id = home.household.ask(RestoreManyRequest(folder: "/new"), on: b)
        _ = home.household.run(until: { b.replies[id]?.last?.isFinal == true })
        let saves = try #require(b.replies[id]?.last?.message(RestoredSaves.self)).saves
        #expect(saves.map(\.outcome) == [.failed, .restored], "\(saves)")
        let why = try #require(saves.first?.message)
        #expect(why.hasPrefix("Syncthing syncs the folder of /new/game/save.json"), "\(why)")
        #expect(home.household.text(of: "/new/game/save.json", on: b) == nil)
    }

    @Test func noImportGoesThere() throws {
        let (home, a, b) = try household()
        let reply = try home.reply(to: ExportRequest(profile: "game"), on: a)
        let exported = try #require(reply.message(ExportedTransfer.self)).data.bytes
        var request = ImportTransferRequest(data: exported, to: save)
        try expectRefusal(request, save, home, on: b)
        #expect(home.household.text(of: save, on: b) == nil)
        request.anyway = true
        try expectDone(request, home, on: b)
        home.expect(text, at: save, on: [b])
    }

    @Test func noSaveMovesThere() throws {
        let (home, a, _) = try household()
        home.household.save(text, to: save, on: a)
        try expectRefusal(MoveRequest(profile: "game", path: save), save, home, on: a)
        #expect(try home.profile(on: a).file == elsewhere)
        try expectDone(MoveRequest(profile: "game", path: save, anyway: true), home, on: a)
        #expect(try home.profile(on: a).file == save)
    }
}
