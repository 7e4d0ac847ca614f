import LosslessJSON
import MergeCore
import TestSupport
import Testing

/// Bytes outside what changed stay as they were.
@Suite struct ProjectionBytesTests {
    @Test func onlyTheChangedValuesBytesChange() {
        for seed in 0..<300 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let names = (0..<8).map { "k\($0)" }
            // The same members on both devices, spaced wildly and differently.
            func spaced(_ values: [String]) -> String {
                func space() -> String {
                    (0..<random.below(4)).map { _ in random.pick([" ", "\n", "\t", "\r\n"]) }.joined()
                }
                let members = zip(names, values).map { "\(space())\"\($0)\"\(space()):\(space())\($1)\(space())" }
                return "\u{FEFF}\(space()){\(members.joined(separator: ","))}\(space())"
            }
            let values = names.indices.map { "\($0).0" }
            var devices = Device.household(2, sharing: spaced(values))
            devices[1].file = Array(spaced(values).utf8)
            devices[1].snapshots = [
                Device.Snapshot(document: document(devices[1].shown), vector: devices[1].state.vector)
            ]
            let changed = random.below(8)
            let before = devices[1].shown
            devices[0].set(JSONString(names[changed]), .number(JSONNumber(text: "7e\(seed)")!))
            devices[1].pull(devices[0])
            #expect(devices[1].project() == 1)
            let expected = before.split(separator: "\(changed).0", maxSplits: 1).map(String.init).joined(
                separator: "7e\(seed)")
            guard Array(devices[1].shown.utf8) == Array(expected.utf8) else {
                Issue.record("seed \(seed): \(before) becomes \(devices[1].shown)")
                return
            }
        }
    }

    @Test func whatAgreesIsNotWritten() {
        var devices = Device.household(2, RandomSaves.rules, sharing: RandomSaves.start)
        devices.sync(0, 1)
        #expect(devices.map(\.shown) == [RandomSaves.start, RandomSaves.start])
        #expect(devices.map(\.wouldEdit) == [0, 0])
    }

    @Test func insertionsLookLikeTheirSiblings() {
        var devices = Device.household(
            2, sharing: "{\n  \"a\": 1,\n  \"list\": [\n    1\n  ],\n  \"deep\": {\n    \"x\": 1\n  }\n}\n")
        devices[1].file = Array(#"{"a":1,"list":[1],"deep":{"x":1}}"#.utf8)
        devices[1].snapshots = [Device.Snapshot(document: document(devices[1].shown), vector: devices[1].state.vector)]
        devices[1].edit { _ in json(#"{"a":1,"list":[1],"deep":{"x":1,"y":{"z":2}},"b":[]}"#) }
        devices.sync(0, 1)
        #expect(
            devices[0].shown
                == "{\n  \"a\": 1,\n  \"list\": [\n    1\n  ],\n"
                + "  \"deep\": {\n    \"x\": 1,\n    \"y\": {\n      \"z\": 2\n    }\n  },\n  \"b\": []\n}\n"
        )
        #expect(devices[1].shown == #"{"a":1,"list":[1],"deep":{"x":1,"y":{"z":2}},"b":[]}"#)
    }

    @Test func aRootOfAnyKindSyncs() {
        for (first, second) in [
            ("1", "2"), ("[1,2]", "[3]"), ("null", "{}"), ("{}", "{\"a\":1}"), ("{\"a\":1}", "{}"), ("\"x\"", "[{}]"),
        ] {
            var devices = Device.household(2, sharing: first)
            devices[0].save(second)
            devices.sync(0, 1)
            #expect(devices.map(\.value) == [json(second), json(second)], "\(first) to \(second)")
            #expect(devices.map(\.wouldEdit) == [0, 0], "\(first) to \(second)")
        }
    }
}
