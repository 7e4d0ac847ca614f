import LosslessJSON
import MergeCore
import Testing

/// Values that count as nothing under their rule reach the other devices as they were written.
@Suite struct NothingYetTests {
    private static let laps = rules([
        "/bits/*": .init(.union, as: .bits), "/laps/*/best": .init(.min, none: [0]),
        "/lap": .init(.min, none: [0, .null]), "/done": .init(.flag), "/coins": .init(.counter),
        "/tags": .init(.union), "/friends": .init(.set), "/mask": .init(.union, as: .bits), "/high": .init(.max),
    ])

    private static let saves = [
        #"{"bits":[0,4,0],"laps":[{"best":0},{"best":12}],"lap":0}"#,
        #"{"lap":null,"done":null,"coins":null,"tags":null,"friends":null,"mask":null,"high":null}"#,
        #"{"lap":"none","done":0,"coins":"few","tags":"a","friends":7,"mask":-1,"high":null}"#,
        #"{"mask":0,"tags":[],"friends":[],"bits":[],"laps":[]}"#,
        #"{"bits":[0],"laps":[{"best":0}]}"#,
    ]

    /// An element that comes back with nothing yet holds that, and not what a former one of its key held.
    @Test func anElementMadeAnewShowsNothingYet() {
        let ruleSet = rules(["/bag[id]/best": .init(.max, none: [0]), "/day": .init(.counter)])
        var devices = Device.household(
            2, ruleSet, sharing: #"{"bag":[{"id":1,"best":5},{"id":2,"best":3}],"day":1}"#)
        devices[0].save(#"{"bag":[{"id":2,"best":3}],"day":2}"#)
        settle(&devices)
        let anew = #"{"bag":[{"id":2,"best":3},{"id":1,"best":0}],"day":3}"#
        devices[1].save(anew)
        settle(&devices)
        #expect(devices.map(\.value) == [json(anew), json(anew)])
    }

    @Test(arguments: saves) func aNewFileHoldsThem(save: String) throws {
        var devices = Device.household(2, Self.laps, sharing: "{}")
        devices[0].save(save)
        devices[1].file = nil
        settle(&devices)
        #expect(devices[1].value == json(save))
        #expect(devices[0].shown == save)
    }

    @Test(arguments: saves) func aFileThatStoodThereTakesThem(save: String) throws {
        var devices = Device.household(2, Self.laps, sharing: "{}")
        devices[0].save(save)
        settle(&devices)
        #expect(devices[1].value == json(save))
        #expect(devices[0].shown == save)
        devices[1].save("{}")
        settle(&devices)
    }

    @Test(arguments: saves) func aMergeWithTheAncestorGivesThem(save: String) throws {
        #expect(json(try merge("{}", save, base: "{}", rules: Self.laps)) == json(save))
        #expect(try merge(save, "{}", base: "{}", rules: Self.laps) == save)
        #expect(try merge(save, save, base: save, rules: Self.laps) == save)
    }

    /// What counts stands over what does not, whichever came later; and what is said last of two such values shows.
    @Test func whatCountsStandsOverIt() {
        var devices = Device.household(2, Self.laps, sharing: #"{"lap":0}"#)
        devices[0].save(#"{"lap":null}"#)
        devices[1].clock -= .milliseconds(1_000_000)
        devices[1].save(#"{"lap":61.5}"#)
        settle(&devices)
        #expect(devices.map(\.shown) == Array(repeating: #"{"lap":61.5}"#, count: 2))
    }

    /// What a game took out again is gone.
    @Test func whatVanishedIsGone() {
        var devices = Device.household(2, Self.laps, sharing: #"{"lap":0,"coins":null,"mask":0,"x":1}"#)
        devices[0].save(#"{"x":1}"#)
        settle(&devices)
        #expect(devices.map(\.shown) == Array(repeating: #"{"x":1}"#, count: 2))
    }
}
