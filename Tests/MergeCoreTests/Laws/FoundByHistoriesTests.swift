import LosslessJSON
import Testing

@testable import MergeCore

/// Faults that random histories found, each in the few steps that were left of it.
@Suite struct FoundByHistoriesTests {
    /// An empty set is told by a register, which a restore puts aside like anything else.
    @Test func anEmptySetFromBeforeARestoreGoes() throws {
        let start = #"{"inv":[{"id":1,"n":2}]}"#
        var devices = Device.household(2, rules(["/inv[id]/marks": MergeRule(.set)]), sharing: start)
        try devices[1].restore(start)
        devices[0].save(#"{"inv":[{"id":1,"n":2,"marks":[]}]}"#)
        settle(&devices)
        for device in devices { #expect(device.value == json(start)) }
    }

    /// An empty list in a backup is told by a register; the elements that are put aside must leave the files.
    @Test(arguments: [MergeRule.Merge.union, .set]) func aRestoredEmptyListIsEmptyEverywhere(merge: MergeRule.Merge)
        throws
    {
        var devices = Device.household(2, rules(["/tags": MergeRule(merge)]), sharing: #"{"tags":["a"]}"#)
        try devices[0].restore(#"{"tags":[]}"#)
        settle(&devices)
        for device in devices { #expect(device.value == ["tags": []]) }
    }

    @Test func aDocumentOfWhichNothingIsLeftIsLeftAlone() throws {
        var devices = Device.household(2, rules(["/level": MergeRule(.max)]), sharing: #"{"a":{"x":1},"level":3}"#)
        try devices[0].reset("/a", "/level")
        settle(&devices)
        for device in devices { #expect(device.shown == "{}" && device.wouldEdit == 0) }
    }

    /// A game that holds a snapshot from before a reset writes to a place of which nobody knew. The write is
    /// overridden and leaves no atom, and a projection leaves alone what the state does not know; the value must leave
    /// that file all the same.
    @Test(arguments: [
        (#"{"a":{"b":1}}"#, #"{"a":{"b":1,"c":2}}"#), (#"{"a":{}}"#, #"{"a":{"c":2}}"#),
    ]) func aNewLeafOfAGameThatIsOvertakenGoes(start: String, save: String) throws {
        var devices = Device.household(2, sharing: start)
        let memory = devices[0].snapshots.last
        try devices[0].reset("/a", to: start)
        devices[0].save(document(save), on: memory)
        settle(&devices)
        #expect(devices[0].value == devices[1].value)
    }

    /// The same for a value that meant "nothing yet" before: it has no atom either.
    @Test func aFirstValueOfAGameThatIsOvertakenGoes() throws {
        var devices = Device.household(2, rules(["/best": MergeRule(.min, none: [0])]), sharing: #"{"best":0}"#)
        let memory = devices[0].snapshots.last
        try devices[0].reset("/best")
        devices[0].save(document(#"{"best":7}"#), on: memory)
        settle(&devices)
        #expect(devices[0].value["best"] != 7)
    }
}
