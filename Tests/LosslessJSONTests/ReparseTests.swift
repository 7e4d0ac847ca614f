import TestSupport
import Testing

@testable import LosslessJSON

/// Parsing after a former version comes to what parsing alone comes to: the same table, or the same error.
@Suite struct ReparseTests {
    /// A former text, and what became of it; true where values alone changed.
    @Test(arguments: [
        ("[1,2,3]", "[1,20,3]", true), ("[1,2,3]", "[1,2.5e7,3]", true), ("[10]", "[1]", true), ("12", "123", true),
        ("12", "1", true), ("12", "true", true), ("12", "12 ", false), (" 12", "12", false), ("[true]", "[null]", true),
        ("[true]", "[trueX]", false), ("[\"a\",\"b\"]", "[\"a,\"b\"]", false), ("{\"a\":1}", "{\"b\":1}", false),
        ("{\"a\":1,\"b\":2}", "{\"a\":1,\"a\":2}", false), ("[\"a\"]", "[\"a\\\"\"]", true),
        ("[\"\"]", "[\"]\"]", true),
        ("[\"a\"]", "[[]]", false), ("[1]", "[\"1\"]", true), ("[1]", "[01]", false), ("[1]", "[1.]", false),
        ("[1,2]", "[1 2]", false), ("[1,2]", "[12]", false), ("[12]", "[1,2]", false), ("[[1],2]", "[[1000],2]", true),
        ("[[1],2]", "[1000,2]", false), ("[{}]", "[1]", false), ("[1]", "[{}]", false), ("[1]", "[1", false),
        ("[1]", "", false), ("[\"\u{e9}\"]", "[\"\u{ea}\"]", true), ("[1,[2,[3]],4]", "[5,[600,[7]],80]", true),
        ("[-1]", "[-]", false), ("[-1]", "[1]", true), ("[1]", "[-1]", true), ("[\"a\"]", "[\"\n\"]", false),
    ])
    func values(_ former: String, _ next: String, isShort: Bool) throws {
        let document = try JSONDocument(parsing: utf8(former))
        #expect((ChangedScalars(from: document, to: utf8(next)) != nil) == isShort)
        expectSame(document, utf8(next))
    }

    /// Halves of a character apart: no scalar, and no document.
    @Test func brokenCharacters() throws {
        let document = try JSONDocument(parsing: utf8("[\"\u{e9}\"]"))
        expectSame(document, Array("[\"".utf8) + [0xC3] + Array("\"]".utf8))
    }

    @Test func randomValues() throws {
        var short = 0
        for seed in 0..<3_000 {
            var random = RandomJSON(seed: UInt64(seed))
            let before = try JSONDocument(parsing: utf8(random.document()))
            var edits: [JSONEdit] = []
            before.walk(before.root) { node in
                guard before.kind(node) != .object, before.kind(node) != .array, random.random.once(in: 3) else {
                    return
                }
                edits.append(.replace(node, random.value(depth: 0)))
            }
            let after = try before.patched(edits)
            if ChangedScalars(from: before, to: after) != nil { short += 1 }
            expectSame(before, after, "seed \(seed)")
        }
        #expect(short == 3_000)
    }

    @Test func randomEdits() throws {
        for seed in 0..<2_000 {
            var random = RandomJSON(seed: UInt64(seed))
            let before = try JSONDocument(parsing: utf8(random.document()))
            expectSame(before, try before.patched(EditPlan(before, &random) { $0.value() }.edits), "seed \(seed)")
            expectSame(before, utf8(random.document()), "seed \(seed)")
        }
    }

    /// What a bad disk or a torn write leaves.
    @Test func randomDamage() throws {
        for seed in 0..<2_000 {
            var random = RandomJSON(seed: UInt64(seed))
            let before = try JSONDocument(parsing: utf8(random.document()))
            for _ in 0..<20 {
                var bytes = before.bytes
                for _ in 0...random.random.below(3) where !bytes.isEmpty {
                    let index = random.random.below(bytes.count)
                    switch random.random.below(4) {
                    case 0: bytes[index] = UInt8(random.random.below(256))
                    case 1: bytes.insert(utf8("{}[]:,\"\\ue0-.1 \n")[random.random.below(16)], at: index)
                    case 2: bytes.remove(at: index)
                    default:
                        bytes.insert(contentsOf: Array(bytes[index...].prefix(8)), at: random.random.below(bytes.count))
                    }
                }
                expectSame(before, bytes, "seed \(seed)")
            }
        }
    }

    private func expectSame(_ former: JSONDocument, _ bytes: [UInt8], _ comment: String = "") {
        let (whole, short) = (
            outcome { try JSONDocument(parsing: bytes) }, outcome { try JSONDocument(parsing: bytes, after: former) }
        )
        #expect(whole == short, "\(comment): \(text(former.bytes)) became \(text(bytes))")
    }

    private func outcome(_ parse: () throws -> JSONDocument) -> String {
        do {
            let document = try parse()
            return "\(document.bytes) \(document.nodeCount) \(document.tape)"
        } catch {
            return "\(error)"
        }
    }
}
