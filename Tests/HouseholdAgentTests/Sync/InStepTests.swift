import HouseholdAgent
import HouseholdSimulation
import MergeCore
import ProfileKeeping
import Testing

/// What `status` and `sync` say is true: in virtual time, of whole devices.
@Suite struct InStepTests {
    let path = "/saves/player.json"
    let start = #"{"coins":100,"ending":"open","grid":7}"#

    func household() throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let rules = [
            ("/coins", MergeRule(.counter)), ("/ending", MergeRule(.choice)), ("/grid", MergeRule(.local)),
        ]
        return try Home.sharing(start, at: path, rules: rules, seed: 11)
    }

    func answer(_ request: any AgentRequest, _ home: Home, _ device: SimulatedDevice) -> AgentReply? {
        let id = home.household.ask(request, on: device)
        _ = home.household.run(until: { device.replies[id] != nil })
        return device.replies[id]?.last
    }

    func sync(_ home: Home, _ device: SimulatedDevice, _ profile: String? = nil) throws -> SyncReport {
        let reply = answer(SyncRequest(profile: profile), home, device)
        guard let report = reply?.message(SyncReport.self) else {
            throw Home.Failure("not synced: \(String(describing: reply))")
        }
        return report
    }

    /// Whether a sync on a device finds nothing to say but that another one is in step.
    func isInStep(_ home: Home, _ device: SimulatedDevice, with other: String) throws -> Bool {
        let report = try sync(home, device)
        let words = [report.filesBehind, report.troubles, report.decisions, report.held, report.paused]
        return report.inStep == [other] && report.behind == [] && words.allSatisfy { $0 == nil }
    }

    // MARK: Sync

    /// Two devices of one name are told apart by the beginning of their ids, and what is shown is taken as a name.
    @Test func devicesOfOneNameAreToldApart() throws {
        let (home, a, _) = try household()
        let c = try home.device("deck")
        try home.pair(a, c)
        try home.restore(path, on: c)
        home.household.run(milliseconds: 5_000)
        let names = try sync(home, a).inStep
        #expect(Set(names).count == 2 && names.allSatisfy { $0.contains(/^deck \([0-9a-f]{8}\)$/) }, "\(names)")
        guard case .response(is RemovedDevice)? = answer(UnpairRequest(device: names[0]), home, a) else {
            throw Home.Failure("not removed: \(names)")
        }
        #expect(try sync(home, a).inStep == ["deck"])
    }

    @Test func inStepIsSaidOfFiles() throws {
        let (home, a, b) = try household()
        for device in [a, b] {
            let other = device === a ? "deck" : "laptop"
            #expect(try isInStep(home, device, with: other))
            #expect(try home.profile(on: device).behind == nil)
        }
    }

    /// A save of which no event told, found by the sync itself: at the moment of the answer the other machine has it.
    @Test func aSaveThatTheSyncFindsIsSentBeforeAnybodyIsInStep() throws {
        let (home, a, b) = try household()
        for coins in [130, 160] {
            let save = start.replacing("100", with: "\(coins)")
            a.files.setTime(home.household.date(on: a))
            a.files.saveByRename(Array(save.utf8), at: path)
            #expect(try isInStep(home, a, with: "deck"))
            // The grid is a local place.
            #expect(home.household.text(of: path, on: b) == save.replacing(#","grid":7"#, with: ""))
        }
    }

    /// A game saves in place over there, which is read once it has paused: whoever asks here meanwhile waits for that.
    @Test func aSaveThatWasHeardOfElsewhereIsWaitedFor() throws {
        let (home, a, b) = try household()
        for coins in [130, 160] {
            let save = start.replacing("100", with: "\(coins)")
            home.household.saveInPlace(save, to: path, on: b)
            #expect(try isInStep(home, a, with: "deck"))
            #expect(home.household.text(of: path, on: a) == save)
        }
    }

    /// Hearth's own folder is full on the other machine: what its game saved is not taken up there, and nobody here may say
    /// that all is well.
    @Test func aSaveThatCannotBeStoredElsewhereIsNotInStep() throws {
        let (home, a, b) = try household()
        b.record.power.setHook { operation throws(StorageFault) in
            if operation == .commit { throw StorageFault(.noSpace, "the disk is full; free some space") }
        }
        home.household.saveInPlace(start.replacing("100", with: "130"), to: path, on: b)
        home.household.run(milliseconds: 10_000)
        let here = try sync(home, a)
        #expect(here.inStep == [] && here.behind == [] && here.filesBehind == ["deck"])
        #expect(try home.profile(on: a).behind == ["deck"])
        let there = try sync(home, b)
        let why = "game: what its game saved is not taken up: the disk is full; free some space"
        #expect(there.inStep == [] && there.behind == [] && there.troubles == [why], "\(there)")
        b.record.power.setHook(nil)
        home.household.run(milliseconds: 10_000)
        #expect(try isInStep(home, a, with: "deck"))
        #expect(home.household.text(of: path, on: a)?.contains("130") == true)
    }

    /// A save that cannot be read: nobody is in step with this machine, and it is said at once.
    @Test(arguments: ["", #"{"coins":10"#]) func aDamagedFileHereIsNotInStep(_ text: String) throws {
        let (home, a, b) = try household()
        home.household.save(text, to: path, on: a)
        let before = home.household.now
        let here = try sync(home, a)
        #expect(here.inStep == [] && here.behind == [] && here.decisions == nil)
        #expect(here.troubles?.count == 1 && here.troubles?.first?.hasPrefix("game: ") == true)
        #expect(home.household.now - before < .seconds(2), "waiting changes nothing")
        // The other machine is told as well.
        let there = try sync(home, b)
        #expect(there.inStep == [] && there.behind == [] && there.filesBehind == ["laptop"] && there.troubles == nil)
        #expect(try home.profile(on: b).behind == ["laptop"])
        // What keep and accept cannot settle is said by them as status says it.
        #expect(try home.profile(on: a).state == "bad")
        let reason = try #require(try home.profile(on: a).reason)
        for request: any AgentRequest in [KeepRequest(profile: "game"), AcceptRequest(profile: "game")] {
            guard case .failure(_, let why)? = answer(request, home, a) else { throw Home.Failure("it was done") }
            #expect(why.hasSuffix(reason), "\(why)")
        }
        home.household.save(start, to: path, on: a)
        home.household.run(milliseconds: 1_000)
        #expect(try isInStep(home, a, with: "deck"))
        #expect(try isInStep(home, b, with: "laptop"))
    }

    /// Of a game whose every place is a device's own, nothing comes to another device, and nothing else is said.
    @Test func aSaveOfWhichNothingIsSharedIsNotWritten() throws {
        let home = Home(seed: 41)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        let rules = try home.rules([("/volume", MergeRule(.local)), ("/window", MergeRule(.local))])
        try home.add(path, #"{"volume":3,"window":[1,2]}"#, rules: rules, on: a)
        let restored = home.household.ask(RestoreRequest(profile: "game", path: path), on: b)
        _ = home.household.run(until: { b.replies[restored] != nil })
        home.household.run(milliseconds: 60_000)
        #expect(home.household.text(of: path, on: b) == nil)
        let id = home.household.ask(StatusRequest(), on: b)
        let profile = try #require(b.replies[id]?.last?.message(StatusReport.self)?.profiles.first)
        #expect(
            profile.reason
                == "nothing is at \(path), and nothing of this save is shared; it is written once there is something")
    }

    /// Whenever sync says "in step", the file is there.
    @Test func aMissingFileIsNotInStep() throws {
        let (home, a, b) = try household()
        a.files.delete(path)
        home.household.run(milliseconds: 2_000)
        let id = home.household.ask(SyncRequest(profile: nil), on: a)
        home.household.run(milliseconds: 5_000)
        #expect(a.replies[id] == nil, "it is written again shortly")
        let there = try sync(home, b)
        #expect(there.inStep == [] && there.filesBehind == ["laptop"])
        _ = home.household.run(until: { a.replies[id] != nil })
        guard let report = a.replies[id]?.last?.message(SyncReport.self) else { throw Home.Failure("not synced") }
        #expect(report.inStep == [] && report.troubles == ["game: nothing is at \(path); it is written again shortly"])
        #expect(try isInStep(home, a, with: "deck"))
        #expect(home.household.text(of: path, on: a) == start)
    }

    /// Where nothing can be written, what is missing is said, and not that it comes back by itself.
    @Test func aMissingFileThatCannotBeWrittenSaysWhy() throws {
        let (home, a, _) = try household()
        let gone = "the folder of \(path) does not exist; make it"
        a.files.power.setHook { operation throws(StorageFault) in
            if case .create = operation { throw StorageFault(.other, gone) }
        }
        a.files.delete(path)
        home.household.run(milliseconds: 60_000)
        #expect(
            try home.profile(on: a).reason == "nothing is at \(path), and it cannot be written again now: \(gone)")
        a.files.power.setHook(nil)
        home.household.run(milliseconds: 60_000)
        #expect(home.household.text(of: path, on: a) == start)
        #expect(try home.profile(on: a).reason == nil)
    }

    /// While a game runs there, the other machine has it, and its file does not show it.
    @Test func aFileThatItsGameHoldsIsNotInStep() throws {
        let (home, a, b) = try household()
        let play = home.household.ask(PlayRequest(profile: "game", game: "rpg", since: nil), on: b)
        _ = home.household.run(until: { b.replies[play] != nil })
        home.household.save(start.replacing("100", with: "130"), to: path, on: a)
        home.household.run(milliseconds: 2_000)
        let before = home.household.now
        #expect(try sync(home, a).filesBehind == ["deck"])
        #expect(home.household.now - before < .seconds(4), "nobody waits for a game to end")
        let there = try sync(home, b)
        #expect(there.held == ["what came in is written into game when rpg ends"])
        home.household.abandon(play, on: b)
        home.household.run(milliseconds: 1_000)
        #expect(try isInStep(home, a, with: "deck"))
        #expect(home.household.text(of: path, on: b)?.contains("130") == true)
    }

    /// Who syncs right after a game need not wait for the next look at the processes.
    @Test func aGameThatHasJustEndedHoldsNothing() throws {
        let (home, a, b) = try household()
        home.household.configure(["game": "rpg"], on: b)
        b.programs.set("rpg", since: home.household.now)
        home.household.run(milliseconds: 2_010)
        home.household.save(start.replacing("100", with: "130"), to: path, on: a)
        home.household.run(milliseconds: 3_000)
        #expect(try sync(home, b).held == ["what came in is written into game when rpg ends"])
        b.programs.set("rpg", since: nil)
        let report = try sync(home, b)
        #expect(report.held == nil && report.inStep.count == 1, "\(report)")
        #expect(home.household.text(of: path, on: b)?.contains("130") == true)
    }

    /// A save in a folder that the agent may not write to: what came in is not in the file, and sync says why.
    @Test func aFileThatCannotBeWrittenIsNotInStep() throws {
        let (home, a, b) = try household()
        let denied = "/saves: permission denied; give this user access"
        a.files.power.setHook { operation throws(StorageFault) in
            if case .create = operation { throw StorageFault(.denied, denied) }
        }
        home.household.save(start.replacing("100", with: "130"), to: path, on: b)
        home.household.run(milliseconds: 2_000)
        let here = try sync(home, a)
        #expect(here.inStep == [] && here.behind == [] && here.decisions == nil)
        #expect(here.troubles == ["game: \(denied)"])
        #expect(try home.profile(on: a).reason == denied)
        let there = try sync(home, b)
        #expect(there.inStep == [] && there.filesBehind == ["laptop"] && there.troubles == nil)
        // What is played here is taken up all the same, and still nobody is in step.
        home.household.save(start.replacing("100", with: "110"), to: path, on: a)
        home.expect(start.replacing("100", with: "140"), at: path, on: [b])
        #expect(try sync(home, a).troubles == ["game: \(denied)"])
        a.files.power.setHook(nil)
        home.household.run(milliseconds: 40_000)
        #expect(try isInStep(home, a, with: "deck"))
        #expect(try isInStep(home, b, with: "laptop"))
        home.expect(start.replacing("100", with: "140"), at: path, on: [a, b])
    }
}
