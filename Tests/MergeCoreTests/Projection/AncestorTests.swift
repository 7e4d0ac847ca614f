import LosslessJSON
import MergeCore
import TestSupport
import Testing

/// Merging an ancestor with its descendant gives the descendant, value for value and spelling for spelling.
@Suite struct AncestorTests {
    static let taking = MergeCoreTests.rules([
        "/free/a": .init(.set), "/free/b[a]": .init(.latest), "/free/c": .init(.latest, whole: true),
        "/free/b[a]/b": .init(.set), "/secret": .init(.local),
    ])

    @Test(arguments: 0..<8, [RuleSet.empty, taking])
    func whatAGameWroteLastIsWhatAllShow(block: Int, rules: RuleSet) {
        for seed in block * 20..<block * 20 + 20 where !run(UInt64(seed), rules) { return }
    }

    private func run(_ seed: UInt64, _ rules: RuleSet) -> Bool {
        var random = SeededRandom(seed: seed)
        func save(_ old: JSONValue) -> JSONValue {
            var value = old
            for _ in 0...random.below(3) { value = RandomSaves.free(value, 4, &random) }
            if case .object = value { return value }
            return ["free": value]
        }
        let start = save([:])
        var devices = Device.household(3, rules, sharing: start.spelled)
        var story = [start.spelled]
        for _ in 0..<random.below(8) {
            let index = random.below(3)
            let value = save(devices[index].value)
            devices[index].save(document(value), on: devices[index].snapshots.last)
            story.append("\(index) writes \(value.spelled)")
            if random.chance(40) {
                devices[index].pull(devices[(index + 1) % 3])
                devices[index].project()
                story.append("\(index) shows \(devices[index].shown)")
            }
        }
        settle(&devices)
        story.append("all show \(devices.map(\.shown))")
        // Everybody has seen everything; now one game writes.
        let last = save(devices[0].value)
        devices[0].save(document(last), on: devices[0].snapshots.last)
        story.append("0 writes \(last.spelled)")
        guard devices[0].wouldEdit == 0 else {
            devices[0].project()
            let told = story.joined(separator: "\n")
            Issue.record("seed \(seed): the writer's own file would become\n\(devices[0].shown)\n\(told)")
            return false
        }
        settle(&devices)
        for device in devices where !same(device.value, last, rules) {
            Issue.record("seed \(seed): shown is\n\(device.shown)\n\(story.joined(separator: "\n"))")
            return false
        }
        return true
    }

    private func same(_ shown: JSONValue, _ written: JSONValue, _ rules: RuleSet) -> Bool {
        Agreed(shown, rules) == Agreed(written, rules)
    }

    /// Numbers keep the spelling of whoever wrote them.
    @Test func spellingsTravel() {
        let spellings = [
            "1.0", "1e2", "100", "-0", "-0.0", "1E+2", "18446744073709551616", "1e400", "0.1e-400",
            "123456789012345678901234567890.12",
        ]
        var devices = Device.household(2, sharing: #"{"n":7}"#)
        for spelling in spellings {
            let before = devices[0].value["n"]
            devices[0].save("{\"n\":\(spelling)}")
            devices.sync(0, 1)
            // An equal value is no edit: each device keeps its own spelling of it.
            if before != devices[0].value["n"] { #expect(devices[1].shown == "{\"n\":\(spelling)}") }
            #expect(devices[1].value == devices[0].value)
            #expect(devices[0].shown == "{\"n\":\(spelling)}")
        }
    }

    @Test func keysInDifferentNormalFormsStayApart() {
        var devices = Device.household(2, sharing: "{\"\u{E9}\":1,\"e\u{301}\":2}")
        devices[0].save("{\"\u{E9}\":1,\"e\u{301}\":3}")
        devices[1].save("{\"\u{E9}\":5,\"e\u{301}\":2}")
        devices.sync(0, 1)
        #expect(Array(devices[0].shown.utf8) == Array("{\"\u{E9}\":5,\"e\u{301}\":3}".utf8))
        #expect(Array(devices[1].shown.utf8) == Array("{\"\u{E9}\":5,\"e\u{301}\":3}".utf8))
    }
}
