import HouseholdAgent
import HouseholdSimulation
import MergeCore
import ProfileKeeping
import Testing

/// What `status` and `sync` say is true: in virtual time, of whole devices.
@Suite struct InStepTests {
    private let path = "/saves/player.json"
    private let start = #"{"coins":100,"ending":"open","grid":7}"#

    private func household() throws -> (home: Home, a: SimulatedDevice, b: SimulatedDevice) {
        let rules = [
            ("/coins", MergeRule(.counter)), ("/ending", MergeRule(.choice)), ("/grid", MergeRule(.local)),
        ]
        return try Home.sharing(start, at: path, rules: rules, seed: 11)
    }

    private func answer(_ request: any AgentRequest, _ home: Home, _ device: SimulatedDevice) -> AgentReply? {
        let id = home.household.ask(request, on: device)
        _ = home.household.run(until: { device.replies[id] != nil })
        return device.replies[id]?.last
    }

    private func sync(_ home: Home, _ device: SimulatedDevice, _ profile: String? = nil) throws -> SyncReport {
        let reply = answer(SyncRequest(profile: profile), home, device)
        guard let report = reply?.message(SyncReport.self) else {
            throw Home.Failure("not synced: \(String(describing: reply))")
        }
        return report
    }

    /// Whether a sync on a device finds nothing to say but that another one is in step.
    private func isInStep(_ home: Home, _ device: SimulatedDevice, with other: String) throws -> Bool {
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

    // MARK: Values that their rule cannot read

    /// Expects that a device's status names a place of its file as not read, that it calls nobody in step, and that the
    /// other device knows.
    private func expectUnread(
        _ words: String, _ home: Home, _ here: SimulatedDevice, _ there: SimulatedDevice, _ when: String
    ) throws {
        #expect(try home.profile(on: here).unreadable == [words], "\(when)")
        let report = try sync(home, here)
        #expect(report.inStep == [] && report.behind == [] && report.decisions == nil, "\(when): \(report)")
        #expect(
            report.troubles == [
                "game: not synced, because its rule does not fit the value: \(words); the other machines keep what they "
                    + "have there. Give the place another rule (hearth add FILE --rules F), or let the game write a "
                    + "value that the rule takes"
            ], "\(when)")
        let other = try sync(home, there)
        #expect(other.inStep == [] && other.filesBehind == [here.name], "\(when): \(other)")
        let profile = try home.profile(on: there)
        #expect(profile.unreadable == [] && profile.behind == [here.name], "\(when)")
        let begun = try beginPlay(home, here)
        #expect(begun.trouble?.contains(words) == true && begun.inStep == [], "\(when): \(begun)")
    }

    /// What is said before a game begins; the game is ended at once.
    private func beginPlay(_ home: Home, _ device: SimulatedDevice) throws -> PlayReport {
        let play = home.household.ask(PlayRequest(profile: "game", game: "rpg", since: nil), on: device)
        _ = home.household.run(until: { device.replies[play] != nil })
        guard let begun = device.replies[play]?.last?.message(PlayReport.self) else {
            throw Home.Failure("not started")
        }
        home.household.abandon(play, on: device)
        home.household.run(milliseconds: 3_000)
        return begun
    }

    /// A counter that holds a word: nobody is in step with that file, whatever is saved beside it, also after a restart
    /// and an act, until the game writes a number again.
    @Test func aValueThatItsRuleCannotReadIsNotInStep() throws {
        let (home, a, b) = try household()
        let words = "/coins: counter takes a number"
        func save(_ coins: String, _ ending: String) {
            home.household.save(#"{"coins":\#(coins),"ending":"\#(ending)","grid":7}"#, to: path, on: a)
            home.household.run(milliseconds: 3_000)
        }
        save(#""plenty""#, "open")
        try expectUnread(words, home, a, b, "at once")
        save(#""plenty""#, "crown")
        #expect(home.household.text(of: path, on: b)?.contains(#""coins":100,"ending":"crown""#) == true)
        try expectUnread(words, home, a, b, "after another save")
        home.household.save(#"{"coins":130,"ending":"crown"}"#, to: path, on: b)
        home.household.run(milliseconds: 3_000)
        #expect(home.household.text(of: path, on: a)?.contains("plenty") == true)
        try expectUnread(words, home, a, b, "after a change of the other device")
        home.household.kill(a)
        try home.household.start(a)
        home.household.run(milliseconds: 5_000)
        try expectUnread(words, home, a, b, "after a restart")
        _ = answer(UndoRequest(profile: "game", step: nil, force: false), home, a)
        home.household.run(milliseconds: 3_000)
        try expectUnread(words, home, a, b, "after an act")
        save("150", "crown")
        for device in [a, b] { #expect(try home.profile(on: device).unreadable == []) }
        #expect(try isInStep(home, a, with: "deck"))
        #expect(try isInStep(home, b, with: "laptop"))
    }

    /// Where nothing counted before, a value that no counter reads travels as it is: both files hold the same, until one
    /// device counts there.
    @Test func aValueThatNobodyReadsButAllHaveIsInStep() throws {
        let home = Home(seed: 17)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        try home.add(path, #"{"day":1}"#, rules: home.rules([("/coins", MergeRule(.counter))]), on: a)
        try home.restore(path, on: b)
        home.household.save(#"{"day":1,"coins":"none"}"#, to: path, on: a)
        home.expect(#"{"day":1,"coins":"none"}"#, at: path, on: [a, b])
        home.household.run(milliseconds: 3_000)
        #expect(try isInStep(home, a, with: "deck"))
        home.household.save(#"{"day":1,"coins":5}"#, to: path, on: b)
        home.household.run(milliseconds: 3_000)
        try expectUnread("/coins: counter takes a number", home, a, b, "once the other device counts")
        home.household.save(#"{"day":1,"coins":6}"#, to: path, on: a)
        home.household.run(milliseconds: 3_000)
        #expect(try isInStep(home, a, with: "deck"))
    }

    /// Two elements of one id: the array is not synced as it is.
    @Test func anArrayThatItsRuleCannotTakeApartIsNotInStep() throws {
        let home = Home(seed: 18)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        let rules = try home.rules([("/bag[id]/n", MergeRule(.counter))])
        try home.add(path, #"{"bag":[{"id":1,"n":5}]}"#, rules: rules, on: a)
        try home.restore(path, on: b)
        home.household.run(milliseconds: 3_000)
        for day in 1...2 {
            home.household.save(#"{"bag":[{"id":1,"n":5},{"id":1,"n":2}],"day":\#(day)}"#, to: path, on: a)
            home.household.run(milliseconds: 3_000)
            let words = #"/bag: not every element is an object with its own "id"; the array is not synced as it is"#
            try expectUnread(words, home, a, b, "day \(day)")
        }
        home.household.save(#"{"bag":[{"id":1,"n":5},{"id":2,"n":2}],"day":3}"#, to: path, on: a)
        home.household.run(milliseconds: 3_000)
        #expect(try isInStep(home, a, with: "deck"))
    }

    /// Under `max` the file gets what was there before: in step, and said until it is settled.
    @Test func aValueThatWasPutBackIsNamedUntilThatIsSettled() throws {
        let home = Home(seed: 19)
        let (a, b) = (try home.device("laptop"), try home.device("deck"))
        try home.pair(a, b)
        try home.add(path, #"{"level":5,"day":1}"#, rules: home.rules([("/level", MergeRule(.max))]), on: a)
        try home.restore(path, on: b)
        home.household.run(milliseconds: 3_000)
        home.household.save(#"{"level":"seven","day":2}"#, to: path, on: a)
        home.expect(#"{"level":5,"day":2}"#, at: path, on: [a, b])
        home.household.save(#"{"level":5,"day":3}"#, to: path, on: a)
        home.expect(#"{"level":5,"day":3}"#, at: path, on: [a, b])
        home.household.kill(a)
        try home.household.start(a)
        home.household.run(milliseconds: 5_000)
        let remark = try home.profile(on: a).remark
        // Whether the game had read what was put back is a guess beside it.
        #expect(
            remark?.hasPrefix(
                "the rule of /level (max cannot compare this value with the one before) does not take what the game "
                    + "wrote there, and keeps what was there; if the game means it, give the place another rule")
                == true, "\(remark ?? "-")")
        #expect(try isInStep(home, a, with: "deck"))
        _ = answer(KeepRequest(profile: "game"), home, a)
        #expect(try home.profile(on: a).remark == nil)
    }

    // MARK: Pauses

    @Test func aPausedSaveIsLeftOutAndNamed() throws {
        let (home, a, b) = try household()
        _ = answer(PauseRequest(profile: "game"), home, a)
        #expect(try sync(home, a).paused == ["game"])
        #expect(try sync(home, a).inStep == [], "nothing was compared")
        #expect(try sync(home, b).filesBehind == ["laptop"])
        _ = answer(ResumeRequest(profile: "game"), home, a)
        home.household.run(milliseconds: 1_000)
        #expect(try isInStep(home, b, with: "laptop"))
    }

    /// What was played on a paused save is in its file alone, and that is said.
    @Test func playOnAPausedSaveSaysSo() throws {
        let (home, a, _) = try household()
        _ = answer(PauseRequest(profile: "game"), home, a)
        let play = home.household.ask(PlayRequest(profile: "game", game: "rpg", since: nil), on: a)
        _ = home.household.run(until: { a.replies[play] != nil })
        guard let begun = a.replies[play]?.last?.message(PlayReport.self) else { throw Home.Failure("not started") }
        #expect(begun.trouble?.contains("paused") == true)
        home.household.save(start.replacing("100", with: "150"), to: path, on: a)
        home.household.run(milliseconds: 1_000)
        guard let report = answer(EndPlayRequest(play: play), home, a)?.message(PlayedReport.self) else {
            throw Home.Failure("not ended")
        }
        #expect(report.isPaused == true)
    }

    // MARK: Choices

    @Test func anOpenChoiceWaitsForThePlayer_andTheHistoryTellsWhatTheFileShows() throws {
        let (home, a, b) = try household()
        #expect(try home.profile(on: a).decisions == nil)
        home.household.part(a, b)
        home.household.run(milliseconds: 1_000)
        home.household.save(start.replacing("open", with: "good"), to: path, on: a)
        home.household.run(milliseconds: 1_000)
        home.household.save(start.replacing("open", with: "bad").replacing("7", with: "8"), to: path, on: b)
        home.household.run(milliseconds: 5_000)
        home.household.part(a, b, false)
        home.household.run(milliseconds: 60_000)
        for (device, own) in [(a, "good"), (b, "bad")] {
            #expect(
                try home.profile(on: device).decisions == [
                    "a choice waits for you; until then each device keeps its own: hearth conflicts game"
                ])
            let report = try sync(home, device)
            #expect(report.inStep == [] && report.decisions?.count == 1 && report.troubles == nil)
            let begun = try beginPlay(home, device)
            #expect(begun.trouble?.contains("hearth conflicts game") == true && begun.inStep == [])
            guard
                let steps = answer(
                    HistoryRequest(profile: "game", pointer: "/ending", limit: 10), home, device)?.message(
                        HistoryList.self)?.history
            else { throw Home.Failure("no history") }
            #expect(steps.first?.changes.first?.new == "\"\(own)\"", "on \(device.name): \(steps)")
            #expect(steps.allSatisfy { $0.origin != "merge" }, "on \(device.name): \(steps)")
        }
        guard let conflicts = answer(ConflictsRequest(profile: nil), home, a)?.message(ConflictList.self)?.conflicts,
            let good = conflicts.first?.candidates.firstIndex(where: { $0.value == "\"good\"" })
        else { throw Home.Failure("no conflict") }
        _ = answer(ResolveRequest(profile: "game", pointer: "/ending", choice: good + 1), home, a)
        home.household.run(milliseconds: 5_000)
        for device in [a, b] {
            #expect(try home.profile(on: device).decisions == nil)
            #expect(try sync(home, device).behind == [])
            #expect(home.household.text(of: path, on: device)?.contains("good") == true)
        }
        guard
            let steps = answer(HistoryRequest(profile: "game", pointer: "/ending", limit: 1), home, b)?.message(
                HistoryList.self)?.history,
            let change = steps.first?.changes.first
        else { throw Home.Failure("no history") }
        #expect(change.old == "\"bad\"" && change.new == "\"good\"")
    }

    // MARK: Links

    /// What was in step before is known to be so at once, and when it was stays known.
    @Test func afterARestartItIsKnownAtOnce() throws {
        let (home, a, b) = try household()
        home.household.run(milliseconds: 40_000)
        home.household.kill(a)
        home.household.kill(b)
        try home.household.start(a)
        home.household.run(milliseconds: 3_000)
        let alone = try home.profile(on: a).lastSync
        #expect(alone.map { $0 < (home.household.date(on: a) - .seconds(30)).milliseconds } == true, "it is remembered")
        try home.household.start(b)
        home.household.run(milliseconds: 3_000)
        for device in [a, b] {
            #expect(try home.status(on: device).household.first?.connected == true)
            #expect(try #require(try home.profile(on: device).lastSync) > (alone ?? 0), "on \(device.name)")
        }
    }

    /// Only one side knows where the other is.
    @Test(arguments: [Int64(1_000), 20_000, 50_000]) func aKilledDeviceIsConnectedSoonAfterItsReturn(away: Int64) throws
    {
        let (home, a, b) = try household()
        home.household.run(milliseconds: 120_000)
        home.household.kill(a)
        home.household.run(milliseconds: away)
        #expect(try home.status(on: b).household.first?.connected == false)
        #expect(try sync(home, b).behind == ["laptop"])
        home.household.run(milliseconds: 1_000)
        try home.household.start(a)
        home.household.run(milliseconds: 2_100)
        #expect(try home.status(on: b).household.first?.connected == true)
    }

    /// Nothing comes through any more, and nobody is told.
    @Test func aSilentLinkIsNoConnection() throws {
        let (home, a, b) = try household()
        home.household.mute(a, b)
        let report = try sync(home, a)
        #expect(report.inStep == [] && report.behind == ["deck"])
        home.household.run(milliseconds: 25_000)
        for device in [a, b] {
            let other = try #require(try home.status(on: device).household.first)
            #expect(!other.connected, "on \(device.name)")
        }
        home.household.run(milliseconds: 60_000)
        home.household.mute(a, b, false)
        home.household.run(milliseconds: 40_000)
        #expect(try isInStep(home, a, with: "deck"))
    }

    // MARK: Files

    /// What is local is nowhere but in the file: a deleted one comes back with it.
    @Test func aDeletedSaveComesBackWithWhatIsLocal() throws {
        let (home, a, b) = try household()
        a.files.delete(path)
        home.household.run(milliseconds: 3_000)
        home.household.save(#"{"coins":130,"ending":"open"}"#, to: path, on: b)
        home.household.run(milliseconds: 12_000)
        #expect(home.household.text(of: path, on: a) == start.replacing("100", with: "130"))
    }

    @Test func aDeletedSaveThatNobodyChangedComesBackAsItWas() throws {
        let (home, a, _) = try household()
        a.files.delete(path)
        home.household.run(milliseconds: 41_000)
        #expect(home.household.text(of: path, on: a) == start)
        #expect(try isInStep(home, a, with: "deck"))
    }
}
