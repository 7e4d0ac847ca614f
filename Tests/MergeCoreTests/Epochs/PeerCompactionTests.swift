import LosslessJSON
import Testing

@testable import MergeCore

/// Hearth makes no compactions, but a peer may send one: an epoch over everything, in which its writer's own values stand
/// again. It must not put aside what its writer had not seen, and says nothing of what a running game has read.
@Suite struct PeerCompactionTests {
    @Test func whatItsWriterHadNotSeenIsCarriedOver() throws {
        var devices = Device.household(3, ResetTests.ruleSet, sharing: ResetTests.save)
        devices[0].set("coins", 490)
        settle(&devices)
        devices[1].edit {
            $0.setting("coins", to: 600).setting("level", to: 44).setting("friends", to: ["x", "y"])
                .setting("name", to: "Bo").setting("themes", to: ["a", "b", "z"]).setting("ending", to: "bad")
        }
        try devices[0].compact()
        devices[0].edit { $0.setting("coins", to: 495) }
        settle(&devices)
        settle(&devices)
        for device in devices {
            #expect(
                device.value["coins"] == 605 && device.value["level"] == 44 && device.value["name"] == "Bo",
                "\(device.shown)"
            )
            #expect(device.value["friends"] == ["x", "y"] && device.value["themes"] == ["a", "b", "z"])
        }
    }

    @Test func aCounterThatWasRemovedApartFromItIsGone() throws {
        var devices = Device.household(
            3, rules(["/n": MergeRule(.counter)]), sharing: #"{"n":100,"x":1}"#)
        try devices[2].compact()
        devices[0].save(#"{"x":1}"#)
        settle(&devices)
        settle(&devices)
        #expect(devices.map(\.shown) == Array(repeating: #"{"x":1}"#, count: 3))
    }

    /// It counts as read by every game; that must not make an earlier reset count as read.
    @Test func afterAResetItDoesNotBringOldProgressBack() throws {
        var devices = Device.household(2, rules(["/coins": MergeRule(.counter)]), sharing: #"{"coins":10}"#)
        let memory = devices[0].snapshots.last
        try devices[1].reset("/coins")
        settle(&devices)
        try devices[0].compact()
        devices[0].save(document(#"{"coins":30}"#), on: memory)
        #expect(devices[0].overridden == [DocumentPath([.member("coins")])])
        settle(&devices)
        for device in devices { #expect(device.value["coins"] == 0) }
    }

    @Test func aResetAfterItStillResets() throws {
        var devices = Device.household(2, ResetTests.ruleSet, sharing: ResetTests.save)
        devices[1].set("coins", 900)
        try devices[0].compact()
        try devices[0].reset("/coins")
        settle(&devices)
        settle(&devices)
        for device in devices { #expect(device.value["coins"] == 0) }
    }
}

extension Device {
    /// Begins an epoch over everything, as a peer might, and writes again in it what counts.
    fileprivate mutating func compact() throws {
        let context = context(state.vector)
        let (epoch, key) = try state.announce(
            .compaction, .everything, scope: nil, stamp: .live(context.now), origin: replica, context)
        let current = state.sortedAtoms.filter { !$0.key.path.isReserved && state.live($0.key) != nil }
        _ = state.write([(key, .epoch(epoch))] + current.map { ($0.key, $0.contentWithOrigin) }, as: replica)
        touched = nil
    }
}
