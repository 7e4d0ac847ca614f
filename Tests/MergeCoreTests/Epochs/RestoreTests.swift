import LosslessJSON
import MergeCore
import Testing

@Suite struct RestoreTests {
    static let ruleSet = ResetTests.ruleSet

    @Test func aRestoredBackupReachesEveryDeviceAndStays() throws {
        var devices = Device.household(2, Self.ruleSet, sharing: ResetTests.save)
        devices[0].edit {
            $0.setting("level", to: 40).setting("coins", to: 700).setting("themes", to: ["a", "b", "c"])
        }
        settle(&devices)
        try devices[1].restore(#"{"level":10,"coins":100,"themes":["a"],"name":"Bo"}"#)
        settle(&devices)
        for device in devices {
            #expect(device.value == json(#"{"level":10,"coins":100,"themes":["a"],"name":"Bo"}"#))
        }
        devices[0].set("coins", 130)
        devices[1].set("coins", 90)
        settle(&devices)
        #expect(devices[1].value["coins"] == 120)
    }

    /// A document was empty once, and what is put back later holds nothing that is synced: another file that holds
    /// something by then is emptied as well.
    @Test func whatWasEmptyOnceIsEmptyAgainEverywhere() throws {
        let rules = rules(["/coins": .init(.counter), "/volume": .init(.local)])
        var devices = Device.household(2, rules, sharing: #"{"coins":5}"#)
        try devices[0].restore("{}")
        settle(&devices)
        devices[0].save(#"{"coins":7}"#)
        settle(&devices)
        #expect(devices.map(\.shown) == [#"{"coins":7}"#, #"{"coins":7}"#])
        try devices[0].restore(#"{"volume":3}"#)
        settle(&devices)
        #expect(devices.map(\.shown) == ["{}", "{}"])
    }

    @Test func progressMadeApartFromARestoreIsNamed() throws {
        var devices = Device.household(2, Self.ruleSet, sharing: ResetTests.save)
        devices[1].set("coins", 900)
        try devices[0].restore(#"{"coins":100}"#)
        settle(&devices)
        #expect(devices[0].value["coins"] == 100 && devices[1].value["coins"] == 100)
        #expect(devices[0].overridden == [DocumentPath([.member("coins")])])
    }

    /// What a restore put aside is nowhere, and so brings back nothing that a game removes after it: neither the object
    /// that it was in, nor the last element of an array that it once stood behind.
    @Test(arguments: [false, true]) func whatARestorePutAsideBringsNothingBack(isLate: Bool) throws {
        let rules = rules(["/laps/*/best": .init(.max), "/items/*/n": .init(.max)])
        let before = #"{"laps":[{"best":1},{"best":2}],"items":{"a":{"n":1},"b":{"n":2}}}"#
        let after = #"{"laps":[{"best":1}],"items":{"b":{"n":2}}}"#
        var devices = Device.household(2, rules, sharing: before)
        devices[1].save(#"{"laps":[{"best":1},{"best":2},{"best":3}],"items":{"a":{"n":1,"m":4},"b":{"n":2}}}"#)
        if !isLate { settle(&devices) }
        try devices[0].restore(before)
        devices[0].project()
        devices[0].save(after)
        settle(&devices)
        for device in devices {
            #expect(device.value == json(after))
            let restored = try ProfileState(decoding: device.state.encoded)
            #expect(Projection(of: restored, onto: document(after)).edits.isEmpty)
        }
    }

    /// At equal numbers the reset stands, in whichever order they arrive.
    @Test(arguments: [0, 1]) func aResetStandsOverARestoreMadeApart(first: Int) throws {
        var devices = Device.household(2, Self.ruleSet, sharing: ResetTests.save)
        try devices[first].restore(#"{"coins":100,"level":3}"#)
        try devices[1 - first].reset("/coins")
        settle(&devices)
        for device in devices { #expect(device.value["coins"] == 0 && device.value["level"] == 3) }
    }

    @Test func undoGivesExactlyTheNamedLeavesBack() throws {
        var devices = Device.household(2, Self.ruleSet, sharing: ResetTests.save)
        let former = devices[0].snapshots[0].document
        devices[0].edit { $0.setting("level", to: 31).setting("coins", to: 450).setting("name", to: "Bo") }
        settle(&devices)
        let context = devices[1].context(devices[1].state.vector)
        _ = try devices[1].state.undo(
            [DocumentPath([.member("coins")]), DocumentPath([.member("level")])], to: former, context)
        settle(&devices)
        for device in devices {
            #expect(device.value["level"] == 30 && device.value["coins"] == 500 && device.value["name"] == "Bo")
        }
    }

    /// A step of the history is taken back by a new operation; what moved on since stays.
    @Test func aStepOfTheHistoryIsTakenBack() throws {
        var devices = Device.household(2, Self.ruleSet, sharing: ResetTests.save)
        let before = devices[1].state
        devices[0].edit {
            $0.setting("level", to: 35).setting("name", to: "Bo").setting("friends", to: ["y"])
                .setting("items", to: [["id": 2, "count": 9]])
        }
        devices[1].pull(devices[0])
        let entry = devices[1].state.history(
            since: before, touching: devices[1].state.delta(beyond: before.vector).map(\.key), at: 5)
        #expect(entry.changes.map(\.path.description).contains("/level"))
        #expect(entry.changes.first { $0.path.description == "/level" }?.old == 30)
        settle(&devices)
        devices[0].set("name", "Cy")
        settle(&devices)
        let context = devices[1].context(devices[1].state.vector)
        _ = try devices[1].state.undo(entry, context)
        settle(&devices)
        for device in devices {
            #expect(device.value["level"] == 30 && device.value["friends"] == ["x"])
            #expect(device.value["name"] == "Cy", "what was written since stays")
            #expect(device.value["items"] == [["id": 1, "count": 3]], "\(device.shown)")
        }
    }

    /// A step that took a whole container is taken back with the order of the arrays in it.
    @Test func anUndoneRemovalBringsTheOrderBack() throws {
        let full = #"{"bag":{"fern":{"list":[{"id":7,"n":1},{"id":1,"n":2}]}}}"#
        var devices = Device.household(2, rules(["/bag/*/list[id]": .init(.latest)]), sharing: full)
        let before = devices[0].state
        devices[0].save(#"{"bag":{"fern":{}}}"#)
        try devices[0].undo(since: before)
        settle(&devices)
        for device in devices { #expect(device.value == json(full), "\(device.shown)") }
    }

    /// The same of an array by a key that was empty once, before anything stood in it.
    @Test func anArrayThatWasEmptyOnceComesBackInOrderWithAResetThatIsUndone() throws {
        let full = #"{"list":[{"id":"gate","n":1},{"id":"fern","n":2}],"xp":1}"#
        var devices = Device.household(2, rules(["/list[id]/n": .init(.max)]), sharing: #"{"list":[],"xp":1}"#)
        devices[1].save(full)
        settle(&devices)
        let before = devices[0].state
        try devices[0].reset("")
        try devices[0].undo(since: before)
        settle(&devices)
        for device in devices { #expect(device.value == json(full), "\(device.shown)") }
    }

    /// An edit made apart brought a removed object back, whole. A later step that touches the same edit and is taken
    /// back leaves the rest of the object there.
    @Test(arguments: [false, true]) func whatAnEditBroughtBackStaysWhenALaterStepIsTakenBack(isElsewhere: Bool) throws {
        let start = #"{"bag":{"e":{"fern":22,"lamp":7,"sky":28}},"n":1}"#
        var devices = Device.household(2, rules(["/bag/e/*": .init(.counter)]), sharing: start)
        devices[0].save(#"{"n":1}"#)
        devices[1].save(#"{"bag":{"e":{"fern":22,"lamp":64,"sky":28}},"n":1}"#)
        settle(&devices)
        let whole = #"{"bag":{"e":{"fern":22,"lamp":64,"sky":28}},"n":1}"#
        for device in devices { #expect(device.value == json(whole), "\(device.shown)") }
        let own = isElsewhere ? 1 : 0
        let before = devices[own].state
        devices[own].save(devices[own].shown.replacing("64", with: "71").replacing("22", with: "56"))
        try devices[own].undo(since: before)
        settle(&devices)
        for device in devices { #expect(device.value == json(whole), "\(device.shown)") }
    }

    /// A flag that is false has nothing but its place to tell that it is there.
    @Test(arguments: [#"{"xp":{}}"#, #"{"xp":{"oak":{"log":true,"n":1}}}"#, "{}"])
    func aFalseFlagComesBackWithAResetThatIsUndone(start: String) throws {
        let played = #"{"xp":{"fox":{"log":false,"n":1}}}"#
        var devices = Device.household(2, rules(["/xp/*/log": .init(.flag)]), sharing: start)
        devices[0].save(played)
        settle(&devices)
        let before = devices[1].state
        try devices[1].reset("/xp")
        try devices[1].undo(since: before)
        settle(&devices)
        for device in devices { #expect(device.shown == played) }
    }

    /// A game that writes again what was removed once says by that nothing of what is around it: taken back, that is
    /// gone where it was gone before, and empty where it was empty.
    @Test(arguments: [
        (#"{"herd":{"fern":{"n":4,"mood":"a"}},"k":1}"#, #"{"k":1}"#),
        (#"{"herd":{},"k":1}"#, #"{"herd":{},"k":1}"#),
        (#"{"herd":{"oak":{"mood":"b"}},"k":1}"#, #"{"herd":{"oak":{"mood":"b"}},"k":1}"#),
        (#"{"herd":{},"k":1}"#, #"{"k":1}"#),
    ])
    func whatIsWrittenAgainAndTakenBackLeavesWhatIsAroundAsItWas(without: String, last: String) throws {
        let full = #"{"herd":{"fern":{"n":4,"mood":"a"},"oak":{"n":2,"mood":"b"}},"k":1}"#
        for (remover, writer) in [(0, 0), (0, 1)] {
            var devices = Device.household(2, rules(["/herd/*/n": .init(.counter)]), sharing: full)
            for save in [without, last] {
                devices[remover].save(save)
                settle(&devices)
            }
            let before = devices[writer].state
            devices[writer].save(#"{"herd":{"oak":{"n":7,"mood":"c"},"fern":{"n":3,"mood":"d"}},"k":1}"#)
            try devices[writer].undo(since: before)
            settle(&devices)
            for device in devices { #expect(device.value == json(last), "\(device.shown)") }
        }
    }

    /// The same where what is written again ends in an empty object that held something once: that it is taken out by
    /// itself says nothing of what is around it.
    @Test(arguments: [(false, "{}"), (true, "{}"), (false, #"{"fern":7}"#)])
    func anEmptyObjectThatIsTakenBackLeavesNothingAroundIt(isAlone: Bool, inside: String) throws {
        for writer in [0, 1] {
            let full = #"{"bag":{"list":{"oak":{"fern":2}}},"k":1}"#
            var devices = Device.household(2, rules(["/bag/list/**": .init(.counter)]), sharing: full)
            devices[0].save(#"{"k":1}"#)
            settle(&devices)
            let before = devices[writer].state
            let beside = isAlone ? "" : #","moss":{"tide":9}"#
            devices[writer].save("{\"bag\":{\"list\":{\"oak\":\(inside)\(beside)}},\"k\":1}")
            try devices[writer].undo(since: before)
            settle(&devices)
            for device in devices { #expect(device.value == json(#"{"k":1}"#), "\(device.shown)") }
        }
    }

    /// What another device wrote in it apart stays, with all that is around it.
    @Test func whatWasWrittenApartInWhatIsTakenBackStays() throws {
        let full = #"{"bag":{"list":{"oak":{"fern":2}}},"k":1}"#
        var devices = Device.household(2, rules(["/bag/list/**": .init(.counter)]), sharing: full)
        devices[0].save(#"{"k":1}"#)
        settle(&devices)
        let before = devices[0].state
        devices[0].save(#"{"bag":{"list":{"oak":{}}},"k":1}"#)
        let keys = devices[0].state.delta(beyond: before.vector).map(\.key)
        let entry = devices[0].state.history(since: before, touching: keys, at: 5)
        settle(&devices)
        devices[1].save(#"{"bag":{"list":{"oak":{"sky":5}}},"k":1}"#)
        let context = devices[0].context(devices[0].state.vector)
        _ = try devices[0].state.undo(entry, context)
        devices[0].touched = nil
        settle(&devices)
        for device in devices {
            #expect(device.value == json(#"{"bag":{"list":{"oak":{"sky":5}}},"k":1}"#), "\(device.shown)")
        }
    }

    @Test func theLastNumberOfEpochsIsNoTrap() throws {
        var devices = Device.household(1, Self.ruleSet, sharing: ResetTests.save)
        let id = EpochID(number: .max, kind: .reset, stamp: Stamp(rawValue: 0), origin: replica(9))
        let key = AtomKey(.epochs, .epoch, sub: id.bytes + replica(9).bytes)
        let epoch = AtomContent.epoch(
            Epoch(selector: PathSelector(places: [DocumentPath([.member("coins")])]), seen: [:]))
        devices[0].state.join([KeyedAtom(key, Atom(epoch, dot(9, 1)))], vector: vector([9: 1]))
        devices[0].project()
        #expect(devices[0].value["coins"] == 0)
        #expect(throws: EpochError.self) { try devices[0].reset("/coins") }
    }
}
