import LosslessJSON
import Testing

@testable import MergeCore

/// A game update makes another kind of value of a place: a number becomes an object, and after a downgrade a number again.
@Suite struct ChangedKindTests {
    static let kinds = [
        "1", "5", "\"x\"", "true", "null", "[1,2]", "[\"a\"]", "[{\"id\":1,\"n\":2}]", "{\"amount\":15}",
        "{\"a\":{\"b\":1},\"c\":2}", "[]", "{}",
    ]
    static let merges = [
        "counter", "max", "latest", "min", "union", "set", "flag", "choice", "furthest",
    ]

    private func ruleSet(_ merge: String) throws -> RuleSet {
        let rule: MergeRule =
            switch merge {
            case "counter": MergeRule(.counter)
            case "max": MergeRule(.max)
            case "min": MergeRule(.min)
            case "union": MergeRule(.union)
            case "set": MergeRule(.set)
            case "flag": MergeRule(.flag)
            case "choice": MergeRule(.choice)
            case "furthest": MergeRule(.furthest, by: ["amount"])
            default: MergeRule(.latest)
            }
        return try RuleSet([RuleSet.Entry(try RulePattern(parsing: "/gold"), rule)])
    }

    /// Whether a rule cannot read a value. Such a value stays in its file alone, and status says so.
    private func isUnread(_ value: String, _ merge: String) -> Bool {
        ["counter", "max", "min"].contains(merge) && Int(value) == nil
            && !["null", "{}", "[]"].contains(value) && !value.hasPrefix("{")
    }

    private func save(_ value: String) -> String { #"{"gold":\#(value),"p":1}"# }

    /// Only one game writes, so every other file comes to hold the same.
    @Test(arguments: merges) func theOthersHoldWhatOneWrote(merge: String) throws {
        var faults: [String] = []
        for first in Self.kinds {
            for second in Self.kinds where !isUnread(first, merge) {
                for third in Self.kinds {
                    var devices = Device.household(2, try ruleSet(merge), sharing: save(first))
                    for value in [second, third] where !isUnread(value, merge) {
                        devices[0].save(save(value))
                        settle(&devices)
                    }
                    let new = Projection.newDocument(of: devices[0].state)
                    guard devices[0].value != devices[1].value || devices[0].value != new else { continue }
                    let shown = devices.map(\.shown) + [new?.spelled ?? "none"]
                    faults.append("\(first), \(second), \(third): \(shown)")
                }
            }
        }
        #expect(faults.isEmpty, "\(merge) \(faults.count): \(faults.prefix(5).joined(separator: "\n"))")
    }

    /// Two games write apart, one of them in another form.
    @Test(arguments: merges.filter { $0 != "choice" }) func filesAreAlikeAfterPlayApart(merge: String) throws {
        var faults: [String] = []
        for first in Self.kinds where !isUnread(first, merge) {
            for second in Self.kinds where !isUnread(second, merge) {
                for third in Self.kinds where !isUnread(third, merge) {
                    var devices = Device.household(2, try ruleSet(merge), sharing: save(first))
                    devices[0].save(save(second))
                    devices[1].save(save(third))
                    settle(&devices)
                    devices[0].save(devices[0].shown.replacing(#""p":1"#, with: #""p":2"#))
                    settle(&devices)
                    if devices[0].value != devices[1].value {
                        faults.append("\(first): \(second) and \(third): \(devices.map(\.shown))")
                    }
                }
            }
        }
        #expect(faults.isEmpty, "\(merge) \(faults.count): \(faults.prefix(5).joined(separator: "\n"))")
    }

    /// An undo of a step that made another kind of value gives exactly what there was, and an undo of it the step again.
    @Test(arguments: ["latest", "counter", "max"]) func anUndoGivesTheFormerKindBack(merge: String) throws {
        var faults: [String] = []
        for first in Self.kinds where !isUnread(first, merge) {
            for second in Self.kinds where !isUnread(second, merge) && second != first {
                var devices = Device.household(2, try ruleSet(merge), sharing: save(first))
                let (start, before) = (devices[0].value, devices[0].state)
                devices[0].save(save(second))
                settle(&devices)
                let (step, after) = (devices[0].value, devices[0].state)
                if step == start { continue }
                try devices[1].undo(since: before)
                settle(&devices)
                if devices.contains(where: { $0.value != start }) {
                    faults.append("\(first), \(second), undone: \(devices.map(\.shown))")
                    continue
                }
                try devices[0].undo(since: after)
                settle(&devices)
                if devices.contains(where: { $0.value != step }) {
                    faults.append("\(first), \(second), undone twice: \(devices.map(\.shown))")
                }
            }
        }
        #expect(faults.isEmpty, "\(merge) \(faults.count): \(faults.prefix(8).joined(separator: "\n"))")
    }
}
