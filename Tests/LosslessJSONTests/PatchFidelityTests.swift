import TestSupport
import Testing

@testable import LosslessJSON

/// Random documents, random edits: the result means what it should, and nothing else moved.
@Suite struct PatchFidelityTests {
    @Test func randomEdits() throws {
        for seed in 0..<3_000 {
            var random = RandomJSON(seed: UInt64(seed))
            let input = random.document()
            let before = try JSONDocument(parsing: utf8(input))
            let plan = EditPlan(before, &random) { $0.value() }
            let output = try before.patched(plan.edits.shuffledKeepingInserts(&random))
            let after: JSONDocument
            do {
                after = try JSONDocument(parsing: output)
            } catch {
                Issue.record("seed \(seed): \(error)\n\(input)\n\(text(output))")
                return
            }
            let expected = plan.expected(before, before.root) ?? .null
            guard after.value(after.root).jsonBytes == expected.jsonBytes else {
                Issue.record("seed \(seed): wrong value\n\(input)\n\(text(output))")
                return
            }
            guard plan.isUntouchedOutside(before, after) else {
                Issue.record("seed \(seed): bytes moved\n\(input)\n\(text(output))")
                return
            }
        }
    }

    /// Replacing alone changes exactly the replaced ranges.
    @Test func randomReplacements() throws {
        for seed in 0..<1_000 {
            var random = RandomJSON(seed: UInt64(seed))
            let before = try JSONDocument(parsing: utf8(random.document()))
            var nodes: [JSONNode] = []
            before.walk(before.root) { node in
                if before.count(node) == 0, random.random.once(in: 3) { nodes.append(node) }
            }
            var expected: [UInt8] = []
            var position = 0
            for node in nodes {
                expected += before.bytes[position..<before.range(node).lowerBound] + utf8("-7")
                position = before.range(node).upperBound
            }
            expected += before.bytes[position...]
            #expect(try before.patched(nodes.map { .replace($0, -7) }) == expected, "seed \(seed)")
        }
    }
}
