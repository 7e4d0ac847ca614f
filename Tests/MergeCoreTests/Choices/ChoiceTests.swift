import LosslessJSON
import MergeCore
import Testing

/// Values written apart are all kept until the player decides.
@Suite struct ChoiceTests {
    static let ruleSet = MergeCoreTests.rules(["/ending": MergeRule(.choice), "/coins": MergeRule(.counter)])
    static let ending = DocumentPath([.member("ending")])

    @Test func eachDeviceKeepsItsOwnUntilItIsDecided() throws {
        var devices = Device.household(3, Self.ruleSet, sharing: #"{"ending":"open","coins":1}"#)
        devices[0].set("ending", "good")
        devices[1].set("ending", "bad")
        settle(&devices)
        #expect(devices[0].value["ending"] == "good" && devices[1].value["ending"] == "bad")
        #expect(devices[2].value["ending"] == "bad" || devices[2].value["ending"] == "good")
        for device in devices {
            #expect(Set(device.state.openChoice(Self.ending).compactMap(\.value)) == ["good", "bad"])
            #expect(device.state.openChoices == [Self.ending])
        }
        let context = devices[2].context(devices[2].state.vector)
        _ = devices[2].state.decide(Self.ending, "good", context)
        settle(&devices)
        for device in devices {
            #expect(device.value["ending"] == "good" && device.state.openChoices.isEmpty)
        }
    }

    /// A save is taken back: the value before it is decided, and nothing that was decided earlier opens again.
    @Test func aSaveThatIsTakenBackOpensNothingThatWasDecided() throws {
        var devices = Device.household(3, Self.ruleSet, sharing: #"{"ending":"open"}"#)
        for (device, ending) in [(0, "rook"), (1, "oak"), (2, "mill")] {
            devices[device].set("ending", .string(JSONString(ending)))
            settle(&devices)
        }
        let (before, file) = (devices[1].state, devices[1].snapshots.last?.document)
        devices[1].set("ending", "fox")
        let keys = devices[1].state.delta(beyond: before.vector).map(\.key)
        let entry = devices[1].state.history(
            since: before, touching: keys, at: 5, files: (file, devices[1].snapshots.last?.document))
        settle(&devices)
        _ = try devices[1].state.undo(entry, devices[1].context(devices[1].state.vector))
        settle(&devices)
        for device in devices {
            #expect(device.value["ending"] == "mill" && device.state.openChoices.isEmpty, "\(device.shown)")
        }
    }

    /// A reset that is taken back gives a file the value that it held, also inside an element of an array, and also
    /// where its device wrote none of the values.
    @Test func aResetThatIsTakenBackGivesEachFileItsOwn() throws {
        let rules = rules(["/map[id]/bag": .init(.choice)])
        var devices = Device.household(3, rules, sharing: #"{"map":[{"id":1,"bag":"oak"}]}"#)
        devices[0].save(#"{"map":[{"id":1,"bag":"fox"}]}"#)
        devices[2].pull(devices[0])
        devices[2].project()
        devices[1].clock += .milliseconds(1_000)
        devices[1].save(#"{"map":[{"id":1,"bag":"elk"}]}"#)
        settle(&devices)
        let shown = devices.map(\.shown)
        #expect(shown == ["fox", "elk", "fox"].map { "{\"map\":[{\"id\":1,\"bag\":\"\($0)\"}]}" })
        let (before, file) = (devices[2].state, devices[2].snapshots.last?.document)
        try devices[2].reset("/map")
        let keys = devices[2].state.delta(beyond: before.vector).map(\.key)
        let entry = devices[2].state.history(since: before, touching: keys, at: 5, files: (file, document("{}")))
        settle(&devices)
        #expect(devices.allSatisfy { $0.value["map"] != json(#"[{"id":1,"bag":"fox"}]"#) })
        _ = try devices[2].state.undo(entry, devices[2].context(devices[2].state.vector))
        settle(&devices)
        let files = devices.map { Projection.newDocument(of: $0.state, own: $0.replica).map { text($0.jsonBytes) } }
        #expect(files == shown)
        #expect(devices[2].state.openChoices.count == 1)
    }

    /// An empty object is a value like any other, and nothing empty beats data.
    @Test(arguments: [false, true]) func anEmptyObjectTakesNothingFromTheOther(isSwapped: Bool) {
        var devices = Device.household(3, Self.ruleSet, sharing: #"{"ending":{"k":24}}"#)
        let (empty, full) = isSwapped ? (0, 1) : (1, 0)
        devices[empty].set("ending", [:])
        devices[full].set("ending", ["k": 19])
        settle(&devices)
        #expect(devices[full].value["ending"] == ["k": 19] && devices[empty].value["ending"] == [:])
        for device in devices { #expect(device.state.openChoices == [Self.ending], "\(device.shown)") }
    }

    /// A file that holds none of the values, as a save does that is asked about, shows its device's own.
    @Test func aFileWithNoneOfTheValuesShowsItsOwn() throws {
        var devices = Device.household(2, Self.ruleSet, sharing: #"{"ending":"open","coins":1}"#)
        devices[0].set("ending", "good")
        devices[1].set("ending", "bad")
        settle(&devices)
        for (device, own) in zip(devices, ["good", "bad"]) {
            let save = document(#"{"ending":"other"}"#)
            for touching in [nil, [AtomKey(Self.ending, .choice)]] {
                let plan = Projection(of: device.state, onto: save, touching: touching, own: device.replica)
                #expect(json(text(try save.patched(plan.edits)))["ending"] == .string(JSONString(own)))
            }
        }
    }

    @Test func aLaterWriteThatReadTheFormerIsNoConflict() {
        var devices = Device.household(2, Self.ruleSet, sharing: #"{"ending":"open"}"#)
        devices[0].set("ending", "good")
        settle(&devices)
        devices[1].set("ending", "bad")
        settle(&devices)
        devices[0].set("ending", "best")
        settle(&devices)
        for device in devices {
            #expect(device.value["ending"] == "best" && device.state.openChoices.isEmpty)
        }
    }

    /// A game that had not read the other side's value replaces only its own.
    @Test func aStaleWriteReplacesOnlyWhatItsSnapshotShowed() {
        var devices = Device.household(2, Self.ruleSet, sharing: #"{"ending":"open","coins":1}"#)
        let memory = devices[0].snapshots.last
        devices[1].set("ending", "bad")
        settle(&devices)
        #expect(devices[0].value["ending"] == "bad")
        devices[0].save(document(#"{"ending":"good","coins":1}"#), on: memory)
        settle(&devices)
        #expect(Set(devices[1].state.openChoice(Self.ending).compactMap(\.value)) == ["good", "bad"])
        #expect(devices[0].value["ending"] == "good" && devices[1].value["ending"] == "bad")
    }

    @Test func equalValuesWrittenApartNeedNoDecision() {
        var devices = Device.household(2, Self.ruleSet, sharing: #"{"ending":"open"}"#)
        devices[0].set("ending", "good")
        devices[1].set("ending", "good")
        settle(&devices)
        #expect(devices.allSatisfy { $0.state.openChoices.isEmpty && $0.value["ending"] == "good" })
    }

    @Test func aDecisionMadeApartFromANewValueOpensItAgain() {
        var devices = Device.household(2, Self.ruleSet, sharing: #"{"ending":"open"}"#)
        devices[0].set("ending", "good")
        devices[1].set("ending", "bad")
        settle(&devices)
        let context = devices[0].context(devices[0].state.vector)
        _ = devices[0].state.decide(Self.ending, "good", context)
        devices[1].set("ending", "worse")
        settle(&devices)
        #expect(Set(devices[0].state.openChoice(Self.ending).compactMap(\.value)) == ["good", "worse"])
    }

    /// Nothing beats data with nothing: a removal does not hide what was written apart.
    @Test func aRemovalDoesNotHideWhatWasWrittenApart() {
        var devices = Device.household(2, Self.ruleSet, sharing: #"{"ending":"open"}"#)
        devices[0].set("ending", nil)
        devices[1].set("ending", "bad")
        settle(&devices)
        for device in devices { #expect(device.value["ending"] == "bad") }
    }

    @Test func aRemovalThatReadEverythingRemoves() {
        var devices = Device.household(2, Self.ruleSet, sharing: #"{"ending":"open","coins":1}"#)
        devices[0].set("ending", nil)
        settle(&devices)
        for device in devices { #expect(device.value["ending"] == nil) }
    }

    /// A whole save under one choice: for saves that carry a checksum of themselves.
    @Test func aChoiceAtTheRootKeepsWholeSaves() {
        var devices = Device.household(2, rules(["": MergeRule(.choice)]), sharing: #"{"a":1,"sum":"x"}"#)
        devices[0].save(#"{"a":2,"sum":"y"}"#)
        devices[1].save(#"{"a":3,"sum":"z"}"#)
        settle(&devices)
        #expect(devices[0].value == ["a": 2, "sum": "y"] && devices[1].value == ["a": 3, "sum": "z"])
        let context = devices[0].context(devices[0].state.vector)
        _ = devices[0].state.decide(.root, ["a": 3, "sum": "z"], context)
        settle(&devices)
        for device in devices { #expect(device.value == ["a": 3, "sum": "z"]) }
    }

    /// A step of the history that reset an open choice is taken back: nothing was decided, so it is open again.
    @Test(arguments: [0, 1], [false, true]) func anOpenChoiceIsOpenAgainAfterAResetThatIsUndone(
        undoer: Int, isPlayedOn: Bool
    ) throws {
        var devices = Device.household(2, Self.ruleSet, sharing: #"{"ending":"open","coins":1}"#)
        for _ in 0..<2 {
            devices[0].set("ending", "good")
            devices[1].set("ending", "bad")
            settle(&devices)
            let before = (states: devices.map(\.state), files: devices.map { $0.snapshots.last?.document })
            try devices[0].reset("")
            settle(&devices)
            #expect(devices.allSatisfy { $0.value["ending"] == nil })
            let keys = devices[undoer].state.delta(beyond: before.states[undoer].vector).map(\.key)
            let entry = devices[undoer].state.history(
                since: before.states[undoer], touching: keys, at: 5, files: (before.files[undoer], nil))
            let context = devices[undoer].context(devices[undoer].state.vector)
            _ = try devices[undoer].state.undo(entry, context)
            settle(&devices)
            for device in devices {
                let own: JSONValue? = device.replica == replica(1) ? "good" : "bad"
                #expect(Set(device.state.openChoice(Self.ending).compactMap(\.value)) == ["good", "bad"])
                #expect(Projection.newDocument(of: device.state, own: device.replica)?["ending"] == own)
            }
            // A decision counts as before, and another round goes on from it.
            let decided = devices[1].context(devices[1].state.vector)
            _ = devices[1].state.decide(Self.ending, "open", decided)
            settle(&devices)
            #expect(devices.allSatisfy { $0.value["ending"] == "open" && $0.state.openChoices.isEmpty })
            if !isPlayedOn { return }
        }
    }

    /// A device that wrote neither value shows one of them, and the same one again after a reset that it takes back.
    @Test func whoDecidedNothingShowsTheSameAgainAfterAResetThatIsUndone() throws {
        var devices = Device.household(3, Self.ruleSet, sharing: #"{"ending":"open","coins":1}"#)
        devices[0].set("ending", "good")
        devices.sync(0, 2)
        #expect(devices[2].value["ending"] == "good")
        devices[1].set("ending", "bad")
        settle(&devices)
        #expect(devices.map { $0.value["ending"] } == ["good", "bad", "good"])
        let before = (state: devices[2].state, file: devices[2].snapshots.last?.document)
        try devices[2].reset("")
        settle(&devices)
        let keys = devices[2].state.delta(beyond: before.state.vector).map(\.key)
        let entry = devices[2].state.history(since: before.state, touching: keys, at: 5, files: (before.file, nil))
        _ = try devices[2].state.undo(entry, devices[2].context(devices[2].state.vector))
        settle(&devices)
        let files = devices.map { Projection.newDocument(of: $0.state, own: $0.replica)?["ending"] }
        #expect(files == ["good", "bad", "good"])
        #expect(devices.allSatisfy { Set($0.state.openChoice(Self.ending).compactMap(\.value)) == ["good", "bad"] })
        _ = devices[2].state.decide(Self.ending, "bad", devices[2].context(devices[2].state.vector))
        settle(&devices)
        #expect(devices.allSatisfy { $0.value["ending"] == "bad" && $0.state.openChoices.isEmpty })
    }

    @Test func rewritesLeaveTheSizeUnchanged() {
        var devices = Device.household(1, Self.ruleSet, sharing: #"{"ending":0,"coins":1}"#)
        devices[0].set("ending", 10_000)
        let before = devices[0].state.encoded.count
        for number in 0..<2_000 { devices[0].set("ending", .number(JSONNumber(10_001 + number))) }
        #expect(devices[0].state.encoded.count <= before + 8)
    }
}
