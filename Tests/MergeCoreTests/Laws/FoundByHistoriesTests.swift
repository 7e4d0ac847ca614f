import LosslessJSON
import Testing

@testable import MergeCore

/// Faults that random histories found, each in the few steps that were left of it.
@Suite struct FoundByHistoriesTests {
    static let purse = rules(["/coins": MergeRule(.counter)])

    /// Every compaction counts as read; that must not make an earlier reset count as read.
    @Test func aCompactionAfterAResetDoesNotBringOldProgressBack() throws {
        var devices = Device.household(2, Self.purse, sharing: #"{"coins":10}"#)
        let memory = devices[0].snapshots.last
        try devices[1].reset("/coins")
        settle(&devices)
        _ = try devices[0].state.compact(devices[0].context(devices[0].state.vector))
        devices[0].save(document(#"{"coins":30}"#), on: memory)
        #expect(devices[0].overridden == [DocumentPath([.member("coins")])])
        settle(&devices)
        for device in devices { #expect(device.value["coins"] == 0) }
    }

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
}
