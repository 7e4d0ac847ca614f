import LosslessJSON
import MergeCore
import Testing

/// Steps that are taken back while another device plays: what it played stays, as far as the rules can tell it from the
/// step.
@Suite struct UndoTests {
    private static let rules = MergeCoreTests.rules([
        "/coins": MergeRule(.counter), "/friends": MergeRule(.set), "/level": MergeRule(.max),
    ])
    private static let start = #"{"coins":300,"friends":["Ada"],"name":"Kim","level":3}"#

    /// Two devices; the first one's game has done something, which both have.
    private func household(_ save: String) -> (devices: [Device], before: ProfileState) {
        var devices = Device.household(2, Self.rules, sharing: Self.start)
        let before = devices[0].state
        devices[0].save(save)
        devices.sync(0, 1)
        for index in devices.indices { devices[index].project() }
        return (devices, before)
    }

    private func settled(_ devices: [Device]) -> [String] {
        var devices = devices
        devices.sync(0, 1)
        devices.sync(0, 1)
        for index in devices.indices { devices[index].project() }
        return devices.map(\.shown)
    }

    @Test func whatAnotherDeviceEarnedAndFoundApartStays() throws {
        var (devices, before) = household(#"{"coins":800,"friends":["Ada","Bob"],"name":"Max","level":3}"#)
        devices[1].save(#"{"coins":833,"friends":["Ada","Bob","Zoe"],"name":"Max","level":3}"#)
        try devices[0].undo(since: before)
        let wanted = #"{"coins":333,"friends":["Ada","Zoe"],"name":"Kim","level":3}"#
        #expect(settled(devices) == [wanted, wanted])
    }

    /// The game of the other device runs on, and saves from memory what it had read before the undo.
    @Test func whatAGameEarnsThatRunsOnCounts() throws {
        var (devices, before) = household(#"{"coins":800,"friends":["Ada","Bob"],"name":"Kim","level":3}"#)
        let read = devices[1].snapshots.last
        try devices[0].undo(since: before)
        devices.sync(0, 1)
        devices[1].save(document(#"{"coins":810,"friends":["Ada","Bob","Zoe"],"name":"Kim","level":3}"#), on: read)
        let wanted = #"{"coins":310,"friends":["Ada","Zoe"],"name":"Kim","level":3}"#
        #expect(settled(devices) == [wanted, wanted])
        #expect(devices[1].overridden.isEmpty)
    }

    /// Also where the step emptied a list: a game that runs on, and still has it empty, empties it no second time.
    @Test func aListThatWasEmptiedComesBackAndStays() throws {
        var (devices, before) = household(#"{"coins":300,"friends":[],"name":"Kim","level":3}"#)
        try devices[0].undo(since: before)
        #expect(settled(devices) == [Self.start, Self.start])
        devices[0].saveGuessed(#"{"coins":300,"friends":[],"name":"Kim","level":3}"#)
        #expect(settled(devices) == [Self.start, Self.start])
    }

    /// Alone, an undo gives exactly what there was, and an undo of it gives the step again.
    @Test func aloneItGivesWhatThereWas() throws {
        let save = #"{"coins":250.5,"friends":["Bob"],"name":"Max","level":7}"#
        var (devices, before) = household(save)
        let after = devices[0].state
        try devices[0].undo(since: before)
        #expect(settled(devices) == [Self.start, Self.start])
        try devices[0].undo(since: after)
        #expect(settled(devices) == [save, save])
    }

    /// With force, what has moved on is taken back as well: the amount of the step, and no more.
    @Test func withForceTheAmountOfTheStepGoes() throws {
        var (devices, before) = household(#"{"coins":800,"friends":["Ada","Bob"],"name":"Kim","level":3}"#)
        let keys = devices[0].state.delta(beyond: before.vector).map(\.key)
        let entry = devices[0].state.history(since: before, touching: keys, at: 5)
        devices[0].save(#"{"coins":820,"friends":["Ada","Bob","Zoe"],"name":"Kim","level":3}"#)
        let context = devices[0].context(devices[0].state.vector)
        #expect(devices[0].state.stillVisible(of: entry).map(\.path.description) == ["/friends"], "the coins moved on")
        _ = try devices[0].state.undo(entry, force: true, context)
        devices[0].touched = nil
        let wanted = #"{"coins":320,"friends":["Ada","Zoe"],"name":"Kim","level":3}"#
        #expect(settled(devices) == [wanted, wanted])
    }

    /// Each element is a thing of its own: one that a later step brought stays, and the place of the step is not taken to
    /// have moved on. Once nothing of the step is left, there is nothing to take back.
    @Test(arguments: [MergeRule.Merge.set, .union]) func elementsThatCameSinceStay(merge: MergeRule.Merge) throws {
        let rules = MergeCoreTests.rules(["/found": MergeRule(merge)])
        var devices = Device.household(2, rules, sharing: #"{"found":["a"]}"#)
        let before = devices[0].state
        devices[0].save(#"{"found":["a","b"]}"#)
        let keys = devices[0].state.delta(beyond: before.vector).map(\.key)
        let step = devices[0].state.history(since: before, touching: keys, at: 5)
        devices[0].save(#"{"found":["a","b","c"]}"#)
        devices.sync(0, 1)
        let context = devices[0].context(devices[0].state.vector)
        #expect(try !devices[0].state.undo(step, context).atoms.isEmpty)
        devices[0].touched = nil
        #expect(settled(devices) == Array(repeating: #"{"found":["a","c"]}"#, count: 2))
        #expect(devices[0].state.stillVisible(of: step).isEmpty)
    }

    /// Both devices take it back before they hear of each other: it comes off once, and whoever asks is told so.
    @Test func takenBackOnBothApartItComesOffOnce() throws {
        var (devices, before) = household(#"{"coins":420,"friends":["Ada","Bob"],"name":"Max","level":3}"#)
        for index in devices.indices { try devices[index].undo(since: before) }
        #expect(settled(devices) == [Self.start, Self.start])
        settle(&devices)
        let coins = DocumentPath([.member("coins")])
        let names = [devices[0].replica: "laptop", devices[1].replica: "deck"]
        let told = devices.map { $0.state.explain(coins).sentence { names[$0] ?? "?" } }
        let sentence = "300 = 300 + laptop earned 120 − deck took back 120"
        #expect(told == [sentence, sentence])
    }

    /// What a device took back and what its game spent is of one device. So if that is more than there was, it is no
    /// shortfall of two.
    @Test func whatWasTakenBackIsOfWhoWroteIt() throws {
        var (devices, before) = household(#"{"coins":420,"friends":["Ada"],"name":"Kim","level":3}"#)
        let keys = devices[0].state.delta(beyond: before.vector).map(\.key)
        let entry = devices[0].state.history(since: before, touching: keys, at: 5)
        devices[0].save(#"{"coins":100,"friends":["Ada"],"name":"Kim","level":3}"#)
        let state = devices[0].state
        _ = try devices[0].state.undo(entry, force: true, devices[0].context(state.vector))
        #expect(devices[0].state.shortfalls.isEmpty)
        devices[0].project()
        #expect(devices[0].shown == #"{"coins":-20,"friends":["Ada"],"name":"Kim","level":3}"#)
    }
}
