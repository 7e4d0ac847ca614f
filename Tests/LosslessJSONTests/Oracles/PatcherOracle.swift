import TestSupport

@testable import LosslessJSON

/// What must hold of patches. The input is a JSON text, a NUL, and a script from which edits are made.
enum PatcherOracle {
    /// One sentence on what does not hold, or nil.
    static func fault(_ input: [UInt8]) -> String? {
        let parts = input.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        guard let document = try? JSONDocument(parsing: Array(parts[0])) else { return nil }
        var script = ScriptedChoices(parts.count > 1 ? parts[1] : [])
        return script.once(in: 3) ? wildFault(document, &script) : planFault(document, &script)
    }

    /// Edits that fit: the result parses, means what it should, and nothing else moved.
    private static func planFault(_ document: JSONDocument, _ script: inout ScriptedChoices) -> String? {
        let plan = EditPlan(document, &script) { random in value(&random, depth: 2) }
        let edits = plan.edits.shuffledKeepingInserts(&script)
        let output: [UInt8]
        do throws(JSONPatchError) {
            output = try document.patched(edits)
        } catch {
            // The new keys of a plan may be there already.
            return error.reason == .duplicateKey ? nil : "edits that fit are refused: \(error)"
        }
        // An edit may nest deeper than what was parsed.
        guard let after = try? JSONDocument(parsing: output, limits: JSONLimits(depth: 1_024)) else {
            return "the patched text does not parse: \(String(decoding: output, as: UTF8.self))"
        }
        guard let expected = plan.expected(document, document.root),
            after.value(after.root).jsonBytes == expected.jsonBytes
        else { return "the patched text means something else: \(String(decoding: output, as: UTF8.self))" }
        guard plan.isUntouchedOutside(document, after) else {
            return "bytes moved that no edit names: \(String(decoding: output, as: UTF8.self))"
        }
        return nil
    }

    /// Any edits at all: refused, or a text that parses.
    private static func wildFault(_ document: JSONDocument, _ script: inout ScriptedChoices) -> String? {
        let edits = (0..<script.below(8)).map { _ -> JSONEdit in
            let node = JSONNode(script.below(document.tape.count + 3) - 1)
            let value = value(&script, depth: 1)
            return switch script.below(4) {
            case 0: .replace(node, value)
            case 1: .remove(node)
            case 2: .insertMember(into: node, key: key(&script), value)
            default: .appendElement(to: node, value)
            }
        }
        do throws(JSONPatchError) {
            let output = try document.patched(edits)
            let isJSON = (try? JSONDocument(parsing: output, limits: JSONLimits(depth: 1_024))) != nil
            return isJSON ? nil : "wild edits give no JSON: \(String(decoding: output, as: UTF8.self))"
        } catch {
            return error.message.isEmpty ? "no sentence" : nil
        }
    }

    private static func key(_ random: inout ScriptedChoices) -> JSONString {
        JSONString(["a", "", "b", "e\u{301}", "\u{E9}", "\"\\\n", "\u{0}", "new0"][random.below(8)])
    }

    private static func value(_ random: inout ScriptedChoices, depth: Int) -> JSONValue {
        switch random.below(depth == 0 ? 6 : 8) {
        case 0: .null
        case 1: .bool(random.once(in: 2))
        case 2: .number(JSONNumber(random.below(1_000)))
        case 3: .number(JSONNumber(text: "-1.50e\(random.below(400))") ?? JSONNumber(0))
        case 4: .string(key(&random))
        case 5: .string(JSONString(bytes: [0x61, 0xED, 0xA0, 0x80]))
        case 6: .array((0..<random.below(4)).map { _ in value(&random, depth: depth - 1) })
        default:
            .object(
                (0..<random.below(4)).map { .init(key: JSONString("n\($0)"), value: value(&random, depth: depth - 1)) }
            )
        }
    }
}

/// Choices read from a script, one byte each, so that a fuzzer can steer them; after its end they go on by a seed.
struct ScriptedChoices: RandomNumberGenerator {
    private var script: ArraySlice<UInt8>
    private var rest: SeededRandom

    init(_ script: ArraySlice<UInt8>) {
        self.script = script
        rest = SeededRandom(seed: UInt64(script.count))
    }

    /// The byte lies on top, where a number below a bound is taken from.
    mutating func next() -> UInt64 { script.popFirst().map { UInt64($0) << 56 | 1 << 55 } ?? rest.next() }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
    mutating func once(in times: Int) -> Bool { below(times) == 0 }
}
