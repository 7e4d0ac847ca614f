import LosslessJSON
import MergeCore
import TestSupport
import Testing

/// Play beside a reset and after it.
extension ResetTests {
    @Test func whatTheResetDoesNotCoverStays() throws {
        var devices = Device.household(2, Self.ruleSet, sharing: Self.save)
        try devices[0].reset("/level", "/coins")
        settle(&devices)
        #expect(devices[1].value["coins"] == 0)
        #expect(devices[1].value["level"] == nil)
        #expect(devices[1].value["best"] == 12 && devices[1].value["themes"] == ["a", "b"])
    }

    /// Progress made offline, before or after the reset elsewhere, does not come back, and is named.
    @Test func offlineProgressFromBeforeIsPutAsideAndNamed() throws {
        var devices = Device.household(2, Self.ruleSet, sharing: Self.save)
        devices[1].edit {
            $0.setting("level", to: 99).setting("coins", to: 900).setting("themes", to: ["a", "b", "c"])
        }
        try devices[0].reset("/level", "/coins", "/themes")
        settle(&devices)
        for device in devices {
            #expect(device.value["level"] == nil && device.value["coins"] == 0 && device.value["themes"] == [])
        }
        for path in ["level", "coins", "themes"] {
            #expect(devices[0].overridden.contains(DocumentPath([.member(JSONString(path))])))
            #expect(devices[1].overridden.contains(DocumentPath([.member(JSONString(path))])))
        }
    }

    @Test func nothingIsNamedThatTheResetHadSeen() throws {
        var devices = Device.household(2, Self.ruleSet, sharing: Self.save)
        devices[1].set("level", 99)
        settle(&devices)
        try devices[0].reset("/level")
        settle(&devices)
        #expect(devices.allSatisfy { $0.overridden.isEmpty })
    }

    /// A game that holds the old progress in memory saves after the reset.
    @Test(arguments: [0, 1]) func aRunningGameDoesNotBringOldProgressBack(resetter: Int) throws {
        var devices = Device.household(2, Self.ruleSet, sharing: Self.save)
        let before = devices[0].snapshots.last
        try devices[resetter].reset("/level", "/coins", "/themes", "/done")
        settle(&devices)
        let old = document(Self.save)
        for (level, coins) in [(31, 510), (32, 520)] {
            let memory = json(text(old.bytes)).setting("level", to: .number(JSONNumber(level)))
                .setting("coins", to: .number(JSONNumber(coins))).setting("best", to: 9)
            // The first save is made on the snapshot from before the reset, the second on the first.
            devices[0].save(document(memory), on: level == 31 ? before : devices[0].snapshots.last)
            #expect(devices[0].overridden.count == (level == 31 ? 2 : 2), "\(devices[0].overridden)")
            let game = devices[0].snapshots.last
            devices.sync(0, 1)
            for device in devices {
                #expect(device.value["level"] == nil && device.value["coins"] == 0 && device.value["themes"] == [])
                #expect(device.value["done"] == false)
            }
            // It did not read what was projected: it goes on from its own memory.
            if let game { devices[0].snapshots.append(game) }
        }
        // Outside of the reset its edits count.
        #expect(devices[1].value["best"] == 9)
    }

    @Test func whatIsPlayedAfterTheResetCounts() throws {
        var devices = Device.household(2, Self.ruleSet, sharing: Self.save)
        try devices[0].reset("/level", "/coins", "/themes", "/friends", "/items")
        settle(&devices)
        devices[0].edit { $0.setting("coins", to: 5).setting("level", to: 2).setting("themes", to: ["b"]) }
        devices[1].edit { $0.setting("coins", to: 7).setting("level", to: 1).setting("friends", to: ["x"]) }
        devices[1].edit { $0.setting("items", to: [["id": 1, "count": 1]]) }
        settle(&devices)
        for device in devices {
            #expect(device.value["coins"] == 12 && device.value["level"] == 2)
            #expect(device.value["themes"] == ["b"] && device.value["friends"] == ["x"])
            #expect(device.value["items"] == [["id": 1, "count": 1]])
        }
    }

    /// Two devices press reset apart and play on: both sides' new progress stays.
    @Test func equalResetsMadeApartAreOne() throws {
        var devices = Device.household(3, Self.ruleSet, sharing: Self.save)
        for index in 0...1 {
            try devices[index].reset("/coins", "/level")
            devices[index].project()
            devices[index].edit { $0.setting("coins", to: index == 0 ? 5 : 8).setting("level", to: index == 0 ? 4 : 3) }
        }
        settle(&devices)
        for device in devices { #expect(device.value["coins"] == 13 && device.value["level"] == 4) }
        #expect(devices[2].state.epochs.count == 1)
    }

    /// Resets of different scopes are two; both hold.
    @Test func resetsOfDifferentScopesBothHold() throws {
        var devices = Device.household(2, Self.ruleSet, sharing: Self.save)
        try devices[0].reset("/coins")
        try devices[1].reset("/level")
        settle(&devices)
        for device in devices { #expect(device.value["coins"] == 0 && device.value["level"] == nil) }
    }

    @Test func resetToADocumentStartsFromIt() throws {
        var devices = Device.household(2, Self.ruleSet, sharing: Self.save)
        devices[1].set("coins", 900)
        try devices[0].reset("", to: #"{"level":1,"coins":10,"themes":["start"]}"#)
        settle(&devices)
        for device in devices {
            #expect(device.value["level"] == 1 && device.value["coins"] == 10 && device.value["themes"] == ["start"])
            #expect(device.value["name"] == nil && device.value["items"] == nil)
        }
        devices[1].set("coins", 15)
        devices[0].set("coins", 12)
        settle(&devices)
        #expect(devices[0].value["coins"] == 17)
    }

    /// What a game saved is what there is: nothing comes back as a zero, a false or an empty list that it does not hold.
    @Test func resetToADocumentHoldsNothingThatItDoesNot() throws {
        var devices = Device.household(2, Self.ruleSet, sharing: Self.save)
        try devices[0].reset("", to: #"{"level":1}"#)
        settle(&devices)
        for device in devices { #expect(device.value == json(#"{"level":1}"#)) }
        devices[1].edit { $0.setting("coins", to: 7) }
        settle(&devices)
        for device in devices { #expect(device.value["coins"] == 7) }
    }

    /// An element of before, made anew by the game: no counter comes back as 0 that the game did not write.
    @Test func anElementMadeAnewAfterAResetHoldsWhatTheGameWrote() throws {
        let rules = MergeCoreTests.rules(["/pets/[name]/feats/**": MergeRule(.counter)])
        let save = #"{"pets":[{"name":"fox","feats":{"jumps":4,"runs":{"far":2}}}]}"#
        var devices = Device.household(2, rules, sharing: save)
        try devices[0].reset("")
        settle(&devices)
        let anew = #"{"pets":[{"name":"fox","feats":{"swims":1}}]}"#
        devices[0].edit { _ in json(anew) }
        settle(&devices)
        for device in devices { #expect(device.value == json(anew)) }
    }

    @Test func twoResetsInARowBothCount() throws {
        var devices = Device.household(2, Self.ruleSet, sharing: Self.save)
        for _ in 0..<3 {
            try devices[0].reset("/coins")
            settle(&devices)
            devices[1].set("coins", 40)
            settle(&devices)
            #expect(devices[0].value["coins"] == 40)
        }
        #expect(devices[0].state.epochs.map(\.id.number) == [3, 2, 1])
    }

    /// A device that was away for two resets, with progress of its own in each time.
    @Test func aDeviceThatWasAwayForTwoResetsFollowsBoth() throws {
        var devices = Device.household(3, Self.ruleSet, sharing: Self.save)
        devices[2].set("coins", 800)
        try devices[0].reset("/coins", "/level")
        devices[0].project()
        devices.sync(0, 1)
        devices[1].set("coins", 20)
        try devices[1].reset("/coins")
        devices[1].project()
        devices[1].set("coins", 3)
        settle(&devices)
        for device in devices { #expect(device.value["coins"] == 3 && device.value["level"] == nil) }
    }

    @Test func whatWasStoredComesBackTheSame() throws {
        var devices = Device.household(2, Self.ruleSet, sharing: Self.save)
        try devices[0].reset("/coins", "/level")
        devices[0].project()
        devices[0].set("coins", 5)
        let state = devices[0].state
        var random = SeededRandom(seed: 3)
        for _ in 0..<20 {
            let again = ProfileState(restoring: random.shuffled(state.sortedAtoms), vector: state.vector)
            #expect(Projection.newDocument(of: again) == Projection.newDocument(of: state))
            #expect(again.sortedAtoms == state.sortedAtoms)
        }
        let decoded = try ProfileState(decoding: state.encoded)
        #expect(decoded.sortedAtoms == state.sortedAtoms && decoded.vector == state.vector)
        #expect(Projection.newDocument(of: decoded) == Projection.newDocument(of: state))
    }

    /// A record that was cloned writes its own values again as a new replica: not those from before a reset.
    @Test func aNewReplicaDoesNotWriteOldProgressAgain() throws {
        var devices = Device.household(2, Self.ruleSet, sharing: Self.save)
        devices[0].edit { $0.setting("level", to: 44).setting("themes", to: ["a", "b", "c"]) }
        settle(&devices)
        try devices[1].reset("/level", "/themes")
        settle(&devices)
        let own = devices[0].state.delta(beyond: VersionVector()).filter { $0.atom.dot.replica == replica(1) }
        let context = WriteContext(replica: replica(7), now: 9, fileTime: 9, base: devices[0].state.vector)
        _ = devices[0].state.reissue(own, from: replica(1), context)
        settle(&devices)
        for device in devices { #expect(device.value["level"] == nil && device.value["themes"] == []) }
    }
}
