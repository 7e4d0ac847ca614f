import LosslessJSON
import MergeCore
import Testing

/// A compaction writes candidates again under its own dot, which says nothing of which of them replaced another.
@Suite struct CandidateCompactionTests {
    static let ending = DocumentPath([.member("ending")])
    static let choice = rules(["/ending": MergeRule(.choice)])

    /// A compaction writes every candidate under its own dot, also one that was replaced; the sequence numbers by which
    /// candidates replace one another are those of the former dots.
    @Test func aCompactionKeepsWhatACandidateReplaced() throws {
        var devices = Device.household(2, Self.choice, sharing: #"{"ending":"open"}"#)
        devices[0].set("ending", "good")
        settle(&devices)
        devices[1].set("ending", "bad")
        settle(&devices)
        #expect(devices[0].state.openChoices.isEmpty)
        _ = try devices[0].state.compact(devices[0].context(devices[0].state.vector))
        settle(&devices)
        #expect(devices[1].state.openChoices.isEmpty)
    }

    /// The same way a candidate is lost that nobody replaced.
    @Test func aCompactionKeepsWhatIsOpen() throws {
        var devices = Device.household(3, Self.choice, sharing: #"{"ending":"open"}"#)
        devices[0].set("ending", "good")
        devices[1].set("ending", "bad")
        settle(&devices)
        #expect(devices[0].state.openChoices == [Self.ending])
        _ = try devices[2].state.compact(devices[2].context(devices[2].state.vector))
        settle(&devices)
        #expect(devices[0].state.openChoices == [Self.ending])
    }

    /// A slot that a compaction by a higher replica wrote stands over what its owner writes afterwards.
    @Test func aWriteAfterACompactionByAHigherReplicaCounts() throws {
        var devices = Device.household(3, Self.choice, sharing: #"{"ending":"open"}"#)
        devices[0].set("ending", "good")
        settle(&devices)
        _ = try devices[2].state.compact(devices[2].context(devices[2].state.vector))
        settle(&devices)
        devices[0].set("ending", "best")
        settle(&devices)
        #expect(devices[1].value["ending"] == "best")
    }

    @Test func aDecisionAfterACompactionDecides() throws {
        var devices = Device.household(3, Self.choice, sharing: #"{"ending":"open"}"#)
        devices[0].set("ending", "good")
        devices[1].set("ending", "bad")
        settle(&devices)
        _ = try devices[2].state.compact(devices[2].context(devices[2].state.vector))
        settle(&devices)
        _ = devices[0].state.decide(Self.ending, "good", devices[0].context(devices[0].state.vector))
        settle(&devices)
        for device in devices { #expect(device.state.openChoices.isEmpty && device.value["ending"] == "good") }
    }
}
