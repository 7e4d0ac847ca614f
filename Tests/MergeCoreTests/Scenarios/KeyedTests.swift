import LosslessJSON
import MergeCore
import Testing

@Suite struct KeyedTests {
    static let bag = rules([
        "/inv[id]/count": .init(.counter), "/inv[id]/best": .init(.max), "/inv[id]/marks": .init(.set),
        "/inv[id]/slots[n]/gem": .init(.latest),
    ])
    static let start = #"{"inv":[{"id":1,"name":"axe"},{"id":"b","name":"bow"}]}"#

    @Test func editsOfDifferentElementsBothStay() {
        var devices = Device.household(2, Self.bag, sharing: Self.start)
        devices[0].save(#"{"inv":[{"id":1,"name":"big axe"},{"id":"b","name":"bow"}]}"#)
        devices[1].save(#"{"inv":[{"id":"b","name":"long bow"},{"id":1,"name":"axe"},{"id":3,"count":2}]}"#)
        devices.sync(0, 1)
        #expect(
            devices[0].shown == #"{"inv":[{"id":"b","name":"long bow"},{"id":1,"name":"big axe"},{"id":3,"count":2}]}"#)
        #expect(
            devices[1].shown == #"{"inv":[{"id":"b","name":"long bow"},{"id":1,"name":"big axe"},{"id":3,"count":2}]}"#)
    }

    @Test func aRemovedElementIsGoneEverywhere() {
        var devices = Device.household(2, Self.bag, sharing: Self.start)
        devices[0].save(#"{"inv":[{"id":"b","name":"bow"}]}"#)
        devices.sync(0, 1)
        #expect(devices.map(\.shown) == Array(repeating: #"{"inv":[{"id":"b","name":"bow"}]}"#, count: 2))
    }

    @Test func anEditWinsOverAConcurrentRemovalAndIsWhole() {
        for later in 0...1 {
            var devices = Device.household(
                2, Self.bag, sharing: #"{"inv":[{"id":1,"name":"axe","wear":3,"marks":["m"]}]}"#)
            devices[later].clock += .milliseconds(1_000)
            devices[0].save(#"{"inv":[]}"#)
            devices[1].save(#"{"inv":[{"id":1,"name":"axe","wear":4,"marks":["m"]}]}"#)
            devices.sync(0, 1)
            let expected = json(#"{"inv":[{"id":1,"name":"axe","wear":4,"marks":["m"]}]}"#)
            #expect(Agreed(devices[0].value, Self.bag) == Agreed(expected, Self.bag))
            #expect(devices[1].value == expected)
        }
    }

    /// What the removing game showed of a counter is spent, because adding the element again earns it again.
    @Test func aRemovedElementsCounterIsSpent() {
        var devices = Device.household(2, Self.bag, sharing: #"{"inv":[{"id":1,"count":5}]}"#)
        devices[0].save(#"{"inv":[]}"#)
        devices[0].save(#"{"inv":[{"id":1,"count":5}]}"#)
        devices.sync(0, 1)
        #expect(devices.map(\.shown) == Array(repeating: #"{"inv":[{"id":1,"count":5}]}"#, count: 2))
    }

    @Test func whatComesBackHoldsWhatTheGameWrote() {
        let before = #"{"inv":[{"id":1,"name":"axe","wear":3,"marks":["m","n"],"slots":[{"n":1,"gem":"r"}]}]}"#
        var devices = Device.household(2, Self.bag, sharing: before)
        devices[0].save(#"{"inv":[]}"#)
        devices.sync(0, 1)
        devices[1].save(#"{"inv":[{"id":1,"name":"axe 2","marks":["n"],"slots":[{"n":2,"gem":"g"}]}]}"#)
        devices.sync(0, 1)
        let expected = json(#"{"inv":[{"id":1,"name":"axe 2","marks":["n"],"slots":[{"n":2,"gem":"g"}]}]}"#)
        #expect(devices[0].value == expected)
        #expect(devices[1].value == expected)
        #expect(devices.map(\.wouldEdit) == [0, 0])
    }

    @Test func twoDevicesThatAddOneElementMergeIt() {
        for firstHears in [false, true] {
            var devices = Device.household(2, Self.bag, sharing: #"{"inv":[{"id":0}]}"#)
            devices[0].save(#"{"inv":[{"id":0},{"id":1,"a":1}]}"#)
            // Whether it has heard of the other's element or not: its game had not read it.
            if firstHears { devices[1].pull(devices[0]) }
            devices[1].save(#"{"inv":[{"id":0},{"id":1,"b":2}]}"#)
            devices.sync(0, 1)
            let expected = json(#"{"inv":[{"id":0},{"id":1,"a":1,"b":2}]}"#)
            #expect(devices.map(\.value) == [expected, expected], "heard: \(firstHears)")
        }
    }

    @Test func equalKeysInOtherSpellingsAreOneElement() {
        var devices = Device.household(2, Self.bag, sharing: #"{"inv":[{"id":1,"a":1}]}"#)
        devices[0].save(#"{"inv":[{"id":1.0,"a":2}]}"#)
        devices.sync(0, 1)
        #expect(devices[1].shown == #"{"inv":[{"id":1,"a":2}]}"#)
    }

    @Test func anArrayThatCannotBeKeyedIsLeftAlone() {
        var devices = Device.household(2, Self.bag, sharing: #"{"inv":[{"id":1,"count":5}]}"#)
        for odd in [#"[{"id":1},{"id":1.0}]"#, #"[{"no":1}]"#, "[7]", #"[{"id":[1]}]"#] {
            devices[0].save("{\"inv\":\(odd)}")
            #expect(devices[0].unreadable.map(\.path) == [DocumentPath([.member("inv")])])
            devices.sync(0, 1)
            #expect(devices[0].shown == "{\"inv\":\(odd)}")
            #expect(devices[1].shown == #"{"inv":[{"id":1,"count":5}]}"#)
        }
        // Readable again: nothing counts twice, and what is new is known.
        devices[0].save(#"{"inv":[{"id":1,"count":6},{"id":2,"count":1}]}"#)
        devices.sync(0, 1)
        let expected = json(#"{"inv":[{"id":1,"count":6},{"id":2,"count":1}]}"#)
        #expect(devices.map(\.value) == [expected, expected])
        devices[0].save(#"{"inv":[{"id":1,"count":6}]}"#)
        devices.sync(0, 1)
        #expect(devices.map(\.shown) == Array(repeating: #"{"inv":[{"id":1,"count":6}]}"#, count: 2))
    }

    @Test func arraysByIndexConverge() {
        let row = rules(["/row/*": .init(.latest)])
        var devices = Device.household(2, row, sharing: #"{"row":[1,2,3]}"#)
        devices[0].save(#"{"row":[1]}"#)
        devices[1].save(#"{"row":[1,2,3,4]}"#)
        devices.sync(0, 1)
        #expect(devices.map(\.shown) == Array(repeating: #"{"row":[1,2,3,4]}"#, count: 2))
        #expect(Projection.newDocument(of: devices[0].state) == json(devices[0].shown))
        devices[1].save(#"{"row":[1]}"#)
        devices.sync(0, 1)
        #expect(devices.map(\.shown) == Array(repeating: #"{"row":[1]}"#, count: 2))
        devices[0].save(#"{"row":[9]}"#)
        devices[1].save(#"{"row":[1,8]}"#)
        devices.sync(0, 1)
        #expect(devices.map(\.shown) == Array(repeating: #"{"row":[9,8]}"#, count: 2))
    }

    @Test func aWholeValueNeverMixes() {
        let whole = rules(["/pos": .init(.latest, whole: true)])
        var devices = Device.household(2, whole, sharing: #"{"pos":{"x":1,"y":1}}"#)
        devices[0].save(#"{"pos":{"x":2,"y":1}}"#)
        devices[1].clock += .milliseconds(10)
        devices[1].save(#"{"pos":{"x":1,"y":2}}"#)
        devices.sync(0, 1)
        #expect(devices.map(\.shown) == Array(repeating: #"{"pos":{"x":1,"y":2}}"#, count: 2))
    }

    @Test func localLeavesNeverLeaveAndOutliveEveryProjection() {
        let local = rules(["/grid": .init(.local), "/settings/**": .init(.local), "/settings/name": .init(.latest)])
        var devices = Device.household(2, local, sharing: #"{"grid":[1],"settings":{"vol":1,"name":"a"},"n":1}"#)
        devices[0].save(#"{"grid":[2,3],"settings":{"vol":5,"deep":{"er":[1]},"name":"b"},"n":2}"#)
        for atom in devices[0].state.sortedAtoms {
            #expect(!atom.key.path.description.contains("grid") && !atom.key.path.description.contains("vol"))
        }
        devices.sync(0, 1)
        #expect(devices[0].shown == #"{"grid":[2,3],"settings":{"vol":5,"deep":{"er":[1]},"name":"b"},"n":2}"#)
        #expect(devices[1].shown == #"{"grid":[1],"settings":{"vol":1,"name":"b"},"n":2}"#)
        // Even where everything around them goes.
        devices[0].save(#"{"n":2}"#)
        devices.sync(0, 1)
        #expect(devices[1].shown == #"{"grid":[1],"settings":{"vol":1},"n":2}"#)
    }
}
