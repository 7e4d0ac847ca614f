import LosslessJSON
import MergeCore
import Testing

/// A choice is open, and other rules merge its place. Its values merge by them, and no player is asked any more.
@Suite struct SettledChoiceTests {
    private static let place = DocumentPath([.member("x")])

    /// Three devices, each with a value of its own.
    private func open(_ values: [String]) -> [Device] {
        var devices = Device.household(3, rules(["/x": MergeRule(.choice)]), sharing: #"{"x":0,"d":1}"#)
        for (index, value) in values.enumerated() {
            devices[index].clock += .milliseconds(Int64(index) * 10)
            devices[index].save(#"{"x":\#(value),"d":1}"#)
        }
        return devices
    }

    private func change(_ device: inout Device, _ rule: MergeRule, at pattern: String = "/x") {
        let (document, context) = (document(device.shown), device.context(device.state.vector))
        _ = device.state.changeRules(to: rules([pattern: rule]), document: document, context)
        device.touched = nil
        device.project()
    }

    /// Where all values are known, and where the device that changes the rules knows its own alone.
    @Test(arguments: [true, false]) func theValuesMerge(isKnown: Bool) {
        for (rule, values, wanted) in [
            (MergeRule(.max), ["2", "9", "3"], "9"), (MergeRule(.min), ["4", "2", "3"], "2"),
            (MergeRule(.counter), ["2", "9", "3"], "9"), (MergeRule(.latest), ["2", "9", "3"], "3"),
            (MergeRule(.flag), ["false", "true", "false"], "true"),
        ] {
            var devices = open(values)
            if isKnown {
                settle(&devices)
                #expect(devices.allSatisfy { $0.state.openChoices == [Self.place] })
            }
            change(&devices[0], rule)
            for _ in 0..<2 { settle(&devices) }
            for device in devices {
                #expect(device.value == json(#"{"x":\#(wanted),"d":1}"#), "\(rule.merge): \(device.shown)")
                #expect(device.state.openChoices.isEmpty && device.state.openChoice(Self.place).isEmpty)
            }
        }
    }

    @Test func theElementsOfListsMerge() {
        for rule in [MergeRule(.union), MergeRule(.set)] {
            var devices = open(["[1]", "[1,2]", "[3]"])
            settle(&devices)
            change(&devices[0], rule)
            settle(&devices)
            for device in devices {
                guard case .array(let list)? = device.value["x"] else { return #expect(Bool(false), "\(device.shown)") }
                #expect(Set(list) == [1, 2, 3] && device.state.openChoices.isEmpty, "\(device.shown)")
            }
        }
    }

    /// The new rules take the value apart.
    @Test func theMembersMerge() {
        for (rule, pattern, wanted) in [
            (MergeRule(.max), "/x/n", #"{"n":9,"s":"c"}"#), (MergeRule(.counter), "/x/n", #"{"n":9,"s":"c"}"#),
            (MergeRule(.furthest, by: ["n"]), "/x", #"{"n":9,"s":"b"}"#),
            (MergeRule(.latest, whole: true), "/x", #"{"n":3,"s":"c"}"#),
        ] {
            var devices = open([#"{"n":2,"s":"a"}"#, #"{"n":9,"s":"b"}"#, #"{"n":3,"s":"c"}"#])
            settle(&devices)
            change(&devices[0], rule, at: pattern)
            for _ in 0..<2 { settle(&devices) }
            for device in devices {
                #expect(device.value == json(#"{"x":\#(wanted),"d":1}"#), "\(rule.merge): \(device.shown)")
                #expect(device.state.openChoices.isEmpty)
            }
        }
    }

    /// The device that changes the rules removed its own value, and knows those of the others.
    @Test func theOthersValuesMergeWhereItsOwnIsGone() {
        var devices = open(["2", "9", "3"])
        devices[0].save(#"{"d":1}"#)
        settle(&devices)
        change(&devices[0], MergeRule(.max))
        settle(&devices)
        for device in devices { #expect(device.value["x"] == 9, "\(device.shown)") }
    }

    /// Two devices change the rules apart, and the third one hears of it in either order.
    @Test(arguments: [[0, 1], [1, 0]]) func twoDevicesChangeTheRules(order: [Int]) {
        var devices = open(["2", "9", "3"])
        settle(&devices)
        for index in [0, 1] { change(&devices[index], MergeRule(.counter)) }
        devices[0].save(#"{"x":14,"d":1}"#)
        for index in order { devices[2].pull(devices[index]) }
        settle(&devices)
        for device in devices {
            #expect(device.value["x"] == 14 && device.state.openChoices.isEmpty, "\(device.shown)")
        }
    }

    /// The new rule can read none of the values: the newest stays, and nothing is asked.
    @Test func valuesThatTheNewRuleCannotRead() {
        var devices = open([#""a""#, #""b""#, #""c""#])
        settle(&devices)
        change(&devices[0], MergeRule(.counter))
        settle(&devices)
        for device in devices {
            #expect(device.value["x"] == "c" && device.state.openChoices.isEmpty, "\(device.shown)")
        }
    }

    /// Where the place is a choice again, the former values ask nothing.
    @Test func whatIsSettledDoesNotOpenAgain() {
        var devices = open(["2", "9", "3"])
        settle(&devices)
        for rule in [MergeRule(.max), MergeRule(.choice)] {
            change(&devices[0], rule)
            settle(&devices)
        }
        for device in devices {
            #expect(device.value["x"] == 9 && device.state.openChoices.isEmpty, "\(device.shown)")
        }
        devices[1].set("x", 10)
        devices[2].set("x", 11)
        settle(&devices)
        #expect(devices.allSatisfy { Set($0.state.openChoice(Self.place).compactMap(\.value)) == [10, 11] })
    }
}
