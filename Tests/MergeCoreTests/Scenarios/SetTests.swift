import LosslessJSON
import MergeCore
import Testing

@Suite struct SetTests {
    static let both = rules(["/unlocked": .init(.union), "/friends": .init(.set), "/done": .init(.flag)])

    @Test func unlocksOfBothSidesStayInOneOrder() {
        var devices = Device.household(2, Self.both, sharing: #"{"unlocked":["a"]}"#)
        devices[0].save(#"{"unlocked":["z","a"]}"#)
        devices[1].save(#"{"unlocked":["a","b"]}"#)
        devices.sync(0, 1)
        #expect(devices[0].shown == #"{"unlocked":["z","a","b"]}"#)
        #expect(devices[1].shown == #"{"unlocked":["z","a","b"]}"#)
    }

    @Test func aUnionPutsBackWhatVanished() {
        var devices = Device.household(2, Self.both, sharing: #"{"unlocked":["a","b"]}"#)
        devices[0].save(#"{"unlocked":["b"]}"#)
        devices.sync(0, 1)
        #expect(devices[0].shown == #"{"unlocked":["a","b"]}"#)
        devices[0].save("{}")
        devices.sync(0, 1)
        #expect(devices[0].value["unlocked"] == ["a", "b"])
    }

    @Test func aMemberRemovedIsGoneEverywhere() {
        var devices = Device.household(3, Self.both, sharing: #"{"friends":["x","y"]}"#)
        devices[0].save(#"{"friends":["y"]}"#)
        settle(&devices)
        #expect(devices.map(\.shown) == Array(repeating: #"{"friends":["y"]}"#, count: 3))
    }

    @Test func addingAgainWinsOverTheRemovalItSaw() {
        var devices = Device.household(2, Self.both, sharing: #"{"friends":["x"]}"#)
        devices[0].save(#"{"friends":[]}"#)
        devices.sync(0, 1)
        devices[1].save(#"{"friends":["x"]}"#)
        devices.sync(0, 1)
        #expect(devices.map(\.shown) == [#"{"friends":["x"]}"#, #"{"friends":["x"]}"#])
    }

    /// Both remove; one adds again before they meet: what was added after the removal stays.
    @Test func removalAgainstConcurrentReAdd() {
        var devices = Device.household(2, Self.both, sharing: #"{"friends":["x","y"]}"#)
        devices[0].save(#"{"friends":["y"]}"#)
        devices[1].save(#"{"friends":["y"]}"#)
        devices[1].save(#"{"friends":["y","x"]}"#)
        devices.sync(0, 1)
        #expect(devices.map(\.shown) == [#"{"friends":["y","x"]}"#, #"{"friends":["y","x"]}"#])
    }

    @Test func aRemovalDoesNotTouchWhatItsSnapshotDidNotShow() {
        var devices = Device.household(2, Self.both, sharing: #"{"friends":["x"]}"#)
        devices[0].save(#"{"friends":[]}"#)
        devices.sync(0, 1)
        devices[0].save(#"{"friends":["x"]}"#)
        // The other game never reloaded: its snapshot still shows x from the beginning.
        let stale = devices[1].snapshots[0]
        devices[1].pull(devices[0])
        devices[1].save(
            document(#"{"friends":[]}"#),
            on: Device.Snapshot(document: document(#"{"friends":["x"]}"#), vector: stale.vector))
        devices.sync(0, 1)
        #expect(devices[0].value["friends"] == ["x"])
        #expect(devices[1].value["friends"] == ["x"])
    }

    @Test func anEmptiedSetAndARemovedSetAreTwoThings() {
        var devices = Device.household(2, Self.both, sharing: #"{"friends":["x"]}"#)
        devices[0].save(#"{"friends":[]}"#)
        devices.sync(0, 1)
        #expect(devices.map(\.shown) == [#"{"friends":[]}"#, #"{"friends":[]}"#])
        devices[1].save("{}")
        devices.sync(0, 1)
        #expect(devices.map(\.shown) == ["{}", "{}"])
        devices[0].save(#"{"friends":["q"]}"#)
        devices.sync(0, 1)
        devices[0].save("{}")
        devices.sync(0, 1)
        #expect(devices.map(\.shown) == ["{}", "{}"])
    }

    @Test func elementsAreEqualByMeaning() {
        var devices = Device.household(2, Self.both, sharing: #"{"friends":[{"a":1,"b":2}],"unlocked":[1]}"#)
        devices[0].save(#"{"friends":[{"b":2,"a":1.0}],"unlocked":[1.0]}"#)
        #expect(devices[0].state.vector == devices[1].state.vector)
        devices[1].save(#"{"friends":[],"unlocked":[1,1e0,"1"]}"#)
        devices.sync(0, 1)
        #expect(devices[0].shown == #"{"friends":[],"unlocked":[1.0,"1"]}"#)
    }

    @Test func aFlagOnceTrueIsTrue() {
        var devices = Device.household(2, Self.both, sharing: #"{"done":false}"#)
        devices[0].save(#"{"done":true}"#)
        devices[1].save(#"{"done":false,"x":1}"#)
        devices.sync(0, 1)
        #expect(devices[1].value["done"] == true)
        devices[1].save(#"{"done":false,"x":1}"#)
        devices.sync(0, 1)
        #expect(devices.map { $0.value["done"] } == [true, true])
    }

    @Test func aFalseFlagIsShownOnANewDevice() {
        let devices = Device.household(1, Self.both, sharing: #"{"done":false}"#)
        #expect(Projection.newDocument(of: devices[0].state) == ["done": false])
    }

    /// Two added to a list of three at most. What the limit leaves out does not come up where a game clears the list.
    @Test(arguments: [#"{"l":[]}"#, "{}"]) func whatALimitLeavesOutDoesNotComeUp(save: String) {
        var devices = Device.household(2, rules(["/l": .init(.set, limit: 3)]), sharing: #"{"l":[9]}"#)
        devices[0].save(#"{"l":[9,8,1]}"#)
        devices[1].save(#"{"l":[9,7,2]}"#)
        settle(&devices)
        #expect(devices[0].value["l"] == devices[1].value["l"])
        devices[0].save(save)
        settle(&devices)
        for device in devices { #expect(device.value == json(save), "\(device.shown)") }
    }

    /// Both add the same, and one takes it out again without having heard of the other: that one's stays. Whoever has
    /// heard of it takes it out for both.
    @Test(arguments: [true, false]) func whatBothAddedStaysWhereOneTakesItOutApart(isHeard: Bool) {
        var devices = Device.household(3, rules(["/l": .init(.set)]), sharing: #"{"l":[]}"#)
        devices[0].save(#"{"l":["fox"]}"#)
        devices[1].save(#"{"l":["fox"]}"#)
        if isHeard { settle(&devices) }
        devices[0].save(#"{"l":["oak"]}"#)
        settle(&devices)
        for device in devices { #expect(device.value == json(isHeard ? #"{"l":["oak"]}"# : #"{"l":["fox","oak"]}"#)) }
    }
}
