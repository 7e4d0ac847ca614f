import LosslessJSON
import Testing

@testable import MergeCore

@Suite struct LatestTests {
    @Test func theLaterOfTwoWritesShows() {
        var devices = Device.household(2, sharing: #"{"name":"a"}"#)
        devices[0].clock += .milliseconds(100)
        devices[0].save(#"{"name":"later"}"#)
        devices[1].save(#"{"name":"earlier"}"#)
        devices.sync(0, 1)
        #expect(devices.map(\.shown) == [#"{"name":"later"}"#, #"{"name":"later"}"#])
    }

    @Test func whoSawAValueWinsOverItWhateverItsClock() {
        var devices = Device.household(2, sharing: #"{"name":"a"}"#)
        devices[1].clock -= .milliseconds(315_360_000_000)  // ten years behind
        devices[0].save(#"{"name":"b"}"#)
        devices.sync(0, 1)
        devices[1].save(#"{"name":"c"}"#)
        devices.sync(0, 1)
        #expect(devices.map(\.shown) == [#"{"name":"c"}"#, #"{"name":"c"}"#])
        devices[1].save("{}")
        devices.sync(0, 1)
        #expect(devices.map(\.shown) == ["{}", "{}"])
    }

    @Test func whoDidNotSeeAValueDoesNotPassForItsSuccessor() {
        var devices = Device.household(2, sharing: #"{"name":"a"}"#)
        devices[1].clock -= .milliseconds(315_360_000_000)
        devices[0].save(#"{"name":"b"}"#)
        devices[1].pull(devices[0])
        devices[1].save(#"{"name":"c"}"#)  // the game had read "a"
        devices.sync(0, 1)
        #expect(devices.map(\.shown) == [#"{"name":"b"}"#, #"{"name":"b"}"#])
    }

    @Test func tombstonesHoldAndTravelThroughTheirBytes() throws {
        var devices = Device.household(3, sharing: #"{"a":1,"b":2}"#)
        devices[0].save(#"{"b":2}"#)
        // The third hears of it as bytes, as from the wire or the record.
        let atoms = try devices[0].state.sortedAtoms.map {
            KeyedAtom($0.key, Atom(try AtomContent(encoded: $0.atom.content.encoded, key: $0.key), $0.atom.dot))
        }
        devices[2].state.join(atoms, vector: devices[0].state.vector)
        devices[2].project()
        #expect(devices[2].shown == #"{"b":2}"#)
        settle(&devices)
        #expect(devices.map(\.shown) == Array(repeating: #"{"b":2}"#, count: 3))
        devices[1].save(#"{"b":2,"a":null}"#)
        settle(&devices)
        #expect(devices.map { $0.value["a"] } == [.null, .null, .null])
    }

    @Test func removedAgainstConcurrentlyEdited() {
        for later in 0...1 {
            var devices = Device.household(2, sharing: #"{"a":1,"b":2}"#)
            devices[later].clock += .milliseconds(1_000)
            devices[0].save(#"{"b":2}"#)
            devices[1].save(#"{"a":5,"b":2}"#)
            devices.sync(0, 1)
            let expected: JSONValue = later == 0 ? ["b": 2] : ["a": 5, "b": 2]
            #expect(devices.map(\.value) == [expected, expected])
        }
    }

    @Test func objectsAndScalarsInOnePlaceConverge() {
        let shapes = ["1", "{\"b\":1}", "{}", "[]", "[1,2]", "null", "{\"b\":{\"c\":2}}"]
        for first in shapes {
            for second in shapes {
                for later in 0...1 {
                    var devices = Device.household(2, sharing: #"{"a":"start"}"#)
                    devices[later].clock += .milliseconds(1_000)
                    devices[0].save("{\"a\":\(first)}")
                    devices[1].save("{\"a\":\(second)}")
                    devices.sync(0, 1)
                    guard devices[0].value == devices[1].value, devices.allSatisfy({ $0.wouldEdit == 0 }) else {
                        Issue.record("\(first) against \(second), later \(later): \(devices.map(\.shown))")
                        return
                    }
                }
            }
        }
    }

    @Test func emptyContainersAreTold() {
        var devices = Device.household(2, sharing: #"{"a":1}"#)
        devices[0].save(#"{"a":1,"list":[],"map":{},"deep":{"er":{}}}"#)
        devices.sync(0, 1)
        #expect(devices[1].value == json(#"{"a":1,"list":[],"map":{},"deep":{"er":{}}}"#))
        #expect(devices.map(\.wouldEdit) == [0, 0])
        devices[1].save(#"{"a":1,"list":[1],"map":{"k":1},"deep":{}}"#)
        devices.sync(0, 1)
        #expect(devices[0].value == json(#"{"a":1,"list":[1],"map":{"k":1},"deep":{}}"#))
        devices[0].save(#"{"a":1}"#)
        devices.sync(0, 1)
        #expect(devices.map(\.shown) == [#"{"a":1}"#, #"{"a":1}"#])
    }

    @Test func whatALeafHidDoesNotComeBackInItsStead() {
        var devices = Device.household(2, sharing: #"{"x":1}"#)
        devices[0].save(#"{"x":1,"a":{"b":1,"c":{}}}"#)
        devices[1].clock += .milliseconds(1_000)
        devices[1].save(#"{"x":1,"a":7}"#)
        devices.sync(0, 1)
        #expect(devices.map(\.shown) == [#"{"x":1,"a":7}"#, #"{"x":1,"a":7}"#])
        devices[0].save(#"{"x":1}"#)
        devices.sync(0, 1)
        #expect(devices.map(\.shown) == [#"{"x":1}"#, #"{"x":1}"#])
    }

    @Test func adoptedValuesYieldToLiveOnesAndAmongThemselvesToTheNewerFile() {
        var devices = Device.household(2)
        devices[1].clock += .milliseconds(1_000)
        devices[0].adopt(#"{"a":1,"b":1}"#)
        devices[1].adopt(#"{"a":2,"b":2}"#)
        devices[0].save(#"{"a":3,"b":1}"#)
        devices.sync(0, 1)
        #expect(devices.map(\.shown) == [#"{"a":3,"b":2}"#, #"{"a":3,"b":2}"#])
    }

    @Test func stampsStayInOrderAtTheEndOfTime() {
        #expect(Stamp.live(.max) < .last && Stamp.last < Stamp(rawValue: .max))
        #expect(Stamp.last.successor == .last && Stamp(rawValue: .max).successor == .last)
        #expect(Stamp.live(.max).successor < .last)
        #expect(Stamp.adopted(.max) < Stamp.live(.min))
        #expect(Stamp.adopted(.max).successor.isLive)
        #expect(Stamp.live(5).time == 5)
    }
}
