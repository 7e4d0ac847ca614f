import HearthCLI
import LosslessJSON
import MergeCore
import RuleFile
import Testing

/// The values that the demo expects are those that its rules give.
struct DemoStoryTests {
    private func side(_ bytes: [UInt8], _ time: WallTime) throws -> ThreeWayMerge.Side {
        ThreeWayMerge.Side(try JSONDocument(parsing: bytes), time: time)
    }

    @Test func wantedIsWhatTheRulesGive() throws {
        let rules = try RuleSet(yaml: DemoStory.rules)
        #expect(rules.profile == DemoStory.profile)
        let base = try side(Array(DemoStory.save.utf8), 0)
        // Settings are local, so the other machine's file has none.
        let arrived = try base.document.patched([
            .remove(#require(base.document.member(base.document.root, named: "settings")))
        ])
        let laptop = try side(DemoStory.played(.laptop, on: base.document), 1_000)
        let desktop = try side(DemoStory.played(.desktop, on: JSONDocument(parsing: arrived)), 2_000)
        for (machine, merge) in [
            (DemoStory.Machine.laptop, try ThreeWayMerge(a: laptop, b: desktop, base: base, rules: rules)),
            (.desktop, try ThreeWayMerge(a: desktop, b: laptop, base: base, rules: rules)),
        ] {
            let wrong = DemoStory.wrong(machine, in: try JSONDocument(parsing: merge.bytes))
            #expect(
                wrong.isEmpty,
                "\(machine): \(wrong.map(\.name)) in \(String(decoding: merge.bytes, as: UTF8.self))"
            )
        }
    }

    /// The check of the demo notices every wrong field.
    @Test func everyWrongFieldIsNoticed() throws {
        let first = try JSONDocument(parsing: Array(DemoStory.save.utf8))
        #expect(DemoStory.wrong(.laptop, in: first).map(\.name) == DemoStory.fields.map(\.name))
        let played = try JSONDocument(parsing: DemoStory.played(.laptop, on: first))
        #expect(DemoStory.wrong(.laptop, in: played).map(\.name) == ["coins", "themes", "displayName"])
        #expect(DemoStory.wrong(.desktop, in: try document("[]")).count == DemoStory.fields.count)
    }
}
