import LosslessJSON
import MergeCore
import RuleFile
import SampleSaves
import Testing

/// Saves like those of real games, edited on both sides, under the rules that the project ships.
@Suite struct SampleMergeTests {
    typealias Edits = [(from: String, to: String)]

    private func expect(_ sample: SampleSave, a: Edits, b: Edits, result: Edits) throws {
        let file = sample.bytes
        let base = try JSONDocument(parsing: file)
        let set = try RuleSet(yaml: sample.rules)
        let merge = try ThreeWayMerge(
            a: ThreeWayMerge.Side(JSONDocument(parsing: edited(file, a)), time: 1_000),
            b: ThreeWayMerge.Side(JSONDocument(parsing: edited(file, b)), time: 2_000),
            base: ThreeWayMerge.Side(base, time: 0),
            rules: set
        )
        #expect(merge.unreadable.isEmpty)
        expectSame(merge.bytes, try edited(file, result))
    }

    @Test(arguments: SampleSave.all(.statistics)) func statistics(_ sample: SampleSave) throws {
        try expect(
            sample,
            a: [
                ("\"minecraft:jump\":973", "\"minecraft:jump\":1000"),
                ("\"minecraft:time_since_death\":51946", "\"minecraft:time_since_death\":60000"),
            ],
            b: [
                ("\"minecraft:jump\":973", "\"minecraft:jump\":980"),
                ("\"minecraft:time_since_death\":51946", "\"minecraft:time_since_death\":12"),
                ("\"minecraft:deaths\":2", "\"minecraft:deaths\":3"),
            ],
            result: [
                ("\"minecraft:jump\":973", "\"minecraft:jump\":1007"),
                ("\"minecraft:time_since_death\":51946", "\"minecraft:time_since_death\":12"),
                ("\"minecraft:deaths\":2", "\"minecraft:deaths\":3"),
            ]
        )
    }

    @Test(arguments: SampleSave.all(.advancements)) func advancements(_ sample: SampleSave) throws {
        let lever = "minecraft:recipes/redstone/lever\": {\n    \"criteria\": {\n      \"has_cobblestone\": "
        let dragon =
            "  \"minecraft:end/kill_dragon\": {\n    \"criteria\": {\n"
            + "      \"killed_dragon\": \"2022-01-05 20:00:00 -0600\"\n    },\n    \"done\": true\n  },\n"
        try expect(
            sample,
            a: [("  \"DataVersion\": 2865", dragon + "  \"DataVersion\": 2865")],
            b: [
                (lever + "\"2021-12-10 22:51:34 -0600\"", lever + "\"2021-12-11 05:51:32 +0100\""),
                ("  \"DataVersion\": 2865", "  \"DataVersion\": 2975"),
            ],
            result: [
                (lever + "\"2021-12-10 22:51:34 -0600\"", lever + "\"2021-12-11 05:51:32 +0100\""),
                ("  \"DataVersion\": 2865", dragon + "  \"DataVersion\": 2975"),
            ]
        )
    }

    @Test(arguments: SampleSave.all(.incremental)) func antimatter(_ sample: SampleSave) throws {
        try expect(
            sample,
            a: [
                ("\"perkPoints\":35475217.00414753", "\"perkPoints\":35475215.00414753"),
                ("\"perks\":[0,57,31", "\"perks\":[0,57,31,107"),
                ("\"notation\":\"Scientific\"", "\"notation\":\"Letters\""),
            ],
            b: [
                (
                    "\"totalAntimatter\":\"1.0611338393110181e+451546774583606\"",
                    "\"totalAntimatter\":\"1.5e+451546774583607\""
                ),
                ("\"perkPoints\":35475217.00414753", "\"perkPoints\":35475222.00414753"),
                ("\"updateRate\":51", "\"updateRate\":33"),
            ],
            result: [
                (
                    "\"totalAntimatter\":\"1.0611338393110181e+451546774583606\"",
                    "\"totalAntimatter\":\"1.5e+451546774583607\""
                ),
                ("\"perkPoints\":35475217.00414753", "\"perkPoints\":35475220.00414753"),
                ("\"perks\":[0,57,31", "\"perks\":[0,57,31,107"),
                // Options are local to this machine.
                ("\"notation\":\"Scientific\"", "\"notation\":\"Letters\""),
            ]
        )
    }

    /// A save merged with itself does not change; neither do two equal copies without a common ancestor.
    @Test(arguments: SampleSave.all) func copies(_ sample: SampleSave) throws {
        let file = sample.bytes
        let side = ThreeWayMerge.Side(try JSONDocument(parsing: file), time: 1_000)
        let set = try RuleSet(yaml: sample.rules)
        for base in [nil, side] {
            let merge = try ThreeWayMerge(a: side, b: side, base: base, rules: set)
            #expect(merge.unreadable.isEmpty)
            expectSame(merge.bytes, file)
        }
    }

    /// The file with each text replaced. Each text must occur once.
    private func edited(_ file: [UInt8], _ edits: Edits) throws -> [UInt8] {
        var text = String(decoding: file, as: UTF8.self)
        for edit in edits {
            let ranges = text.ranges(of: edit.from)
            try #require(ranges.count == 1, "\(edit.from) stands \(ranges.count) times")
            text.replaceSubrange(ranges[0], with: edit.to)
        }
        return Array(text.utf8)
    }

    /// Compares two files and reports the first difference only, because 300 KB in a message help nobody.
    private func expectSame(_ file: [UInt8], _ expected: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
        guard file != expected else { return }
        let index =
            zip(file, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
            ?? min(file.count, expected.count)
        func around(_ bytes: [UInt8]) -> String {
            String(decoding: bytes[max(0, min(index, bytes.count) - 60)..<min(bytes.count, index + 60)], as: UTF8.self)
        }
        Issue.record(
            "at byte \(index): …\(around(file))… instead of …\(around(expected))…",
            sourceLocation: sourceLocation
        )
    }
}
