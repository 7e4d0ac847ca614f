import LosslessJSON
import MergeCore
import TestSupport
import Testing

/// Random saves through random steps.
struct MigrationLawTests {
    private static let names: [JSONString] = ["a", "b", "c", "hp", "at", "e\u{301}"]

    private static func pattern(_ random: inout SeededRandom) -> RulePattern {
        let count = 1 + random.below(3)
        return at((0..<count).map { $0 > 0 && random.chance(25) ? "/*" : "/" + random.pick(names).string }.joined())
    }

    private static func place(_ random: inout SeededRandom) -> JSONPointer {
        JSONPointer(tokens: (0...random.below(3)).map { _ in random.pick(names) })
    }

    private static func step(_ random: inout SeededRandom) -> MigrationStep {
        switch random.below(10) {
        case 0: return .rename(pattern(&random), to: random.pick(names))
        case 1: return .move(place(&random), to: place(&random))
        case 2: return .copy(place(&random), to: place(&random))
        case 3: return .remove(pattern(&random))
        case 4: return .fill(pattern(&random), value: random.chance(50) ? 5 : ["b": [1]])
        case 5: return .map(pattern(&random), [.init(0, "zero"), .init(true, random.chance(50) ? "zero" : 1)])
        case 6: return .wrap(pattern(&random), as: random.pick(names))
        case 7: return .split(pattern(&random), by: random.chance(50) ? "," : nil, into: ["x", "y"], asNumbers: false)
        case 8: return .compensate(place(&random), add: JSONNumber(5), for: random.chance(30) ? place(&random) : nil)
        default: return .require(pattern(&random), random.chance(50) ? .number : nil)
        }
    }

    private static func value(_ depth: Int, _ random: inout SeededRandom) -> String {
        switch random.below(depth > 0 ? 10 : 6) {
        case 0: return "0"
        case 1: return random.pick(["1.50", "-0", "1e2", "123456789012345678901"])
        case 2: return random.pick(["true", "null"])
        case 3: return random.pick([#""\u0041,\/""#, #""1,2""#, #""""#])
        case 4: return "[ ]"
        case 5: return "{\n}"
        case 6: return "[" + (0..<2).map { _ in value(depth - 1, &random) }.joined(separator: " , ") + "]"
        default: return object(depth - 1, &random)
        }
    }

    private static func object(_ depth: Int, _ random: inout SeededRandom, _ more: [String] = []) -> String {
        let spellings = ["\"a\"", #""\u0062""#, "\"c\"", "\"hp\"", "\"at\"", "\"e\u{301}\""]
        let members = spellings.filter { _ in random.chance(45) }.map { "\($0) :\(value(depth, &random))" }
        return "{ " + random.shuffled(members + more).joined(separator: ",\n  ") + " }"
    }

    /// The save after some of its members became something else.
    private static func played(_ save: JSONDocument, _ random: inout SeededRandom) throws -> [UInt8] {
        var edits: [JSONEdit] = []
        for (key, node) in save.members(save.root) where key != "v" && !key.string.hasPrefix("keep") {
            guard random.chance(50) else { continue }
            edits.append(random.chance(30) ? .remove(node) : .replace(node, json(value(2, &random))))
        }
        return try save.patched(edits)
    }

    /// No step of these tests names a member that begins with "keep".
    private static func untouched(_ document: JSONDocument) -> [[UInt8]] {
        document.members(document.root).filter { $0.key.string.hasPrefix("keep") }.map {
            Array(document.keyText(of: $0.value) ?? []) + Array(document.text($0.value))
        }
    }

    /// Parts of a hundred saves each, which run beside one another.
    private static let parts = TestDepth.count(quick: 5, usual: 10, all: 20)

    @Test(.timeLimit(.minutes(5)), arguments: 0..<parts) func nothingUntouchedIsEverLost(_ part: Int) throws {
        var (migrated, returned) = (0, 0)
        for seed in part * 100..<part * 100 + 100 {
            var random = SeededRandom(seed: UInt64(seed))
            let keep = [#""keep\u0031": { "x" :1.0 }"#, #""keep2":"\u00e9""#, #""keep3" : [ {} , 1E5]"#]
            let save = document(Self.object(3, &random, keep + ["\"v\": \"1\""]))
            let steps = (0...random.below(6)).map { _ in Self.step(&random) }
            // Some steps are refused before they come near a save.
            guard
                let rules = try? RuleSet(
                    [],
                    version: "2",
                    versionAt: "/v",
                    migrations: [Migration(from: "1", to: "2", steps: steps)]
                )
            else { continue }
            let there = Migration.run(save, rules: rules)
            guard let text = there.text else {
                #expect(there.report.errors.count == 1, "seed \(seed)")
                continue
            }
            migrated += 1
            let new = try JSONDocument(parsing: text)
            #expect(Self.untouched(new) == Self.untouched(save), "seed \(seed): \(there.string ?? "")")
            #expect(SaveVersion.detect(new, rules) == .same, "seed \(seed)")
            let back = Migration.rollBack(new, rules: rules, to: "1", former: save)
            if let former = back.text {
                returned += 1
                #expect(former == save.bytes, "seed \(seed): \(there.string ?? "") came back as \(back.string ?? "")")
            } else {
                let stands = steps.contains { !$0.hasInverse }
                #expect(stands, "seed \(seed): \(back.report.errors) of \(there.string ?? "")")
            }
            // The game went on with the new version.
            let played = try JSONDocument(parsing: Self.played(new, &random))
            if let old = Migration.rollBack(played, rules: rules, to: "1", former: save).text {
                #expect(Self.untouched(try JSONDocument(parsing: old)) == Self.untouched(save), "seed \(seed)")
            }
            // Without the save from before: never a trap, and nothing untouched lost.
            if let alone = Migration.rollBack(new, rules: rules, to: "1").text {
                #expect(Self.untouched(try JSONDocument(parsing: alone)) == Self.untouched(save), "seed \(seed)")
            }
        }
        #expect(migrated > 20 && returned > 10, "\(migrated) migrated, \(returned) returned")
    }
}
