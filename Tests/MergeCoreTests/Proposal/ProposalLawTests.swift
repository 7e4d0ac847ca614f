import LosslessJSON
import TestSupport
import Testing

@testable import MergeCore
@testable import RuleProposals

/// Whatever the document, the rules that are proposed for it can be used.
@Suite struct ProposalLawTests {
    private static let names = [
        "coins", "level", "settings", "position", "stats", "kills", "unlocked", "done", "id", "name", "best", "time",
        "x", "y",
        "1", "2", "3", "a:b", "c:d", "level1", "level2", "levels", "history", "at", "thisRun", "grid", "version",
        "checksum",
        "achievementBits", "*", "**", "a[id]", "~/", "", "é", "lastPlayed", "first", "friends", "records", "inventory",
        "amount",
    ]

    private func random(_ depth: Int, _ random: inout SeededRandom) -> JSONValue {
        switch random.below(depth > 0 ? 12 : 7) {
        case 0: return .bool(random.chance(50))
        case 1: return .number(JSONNumber(random.below(2_000_000_000)))
        case 2:
            return json(random.pick(["0", "-1", "1.5", "1e400", "1e1000000", "1671293406234", "18446744073709551616"]))
        case 3:
            return .string(
                JSONString(random.pick(["x", "", "2024-01-01", "7.18e+369377954", "12", "2020-01-01 10:00"]))
            )
        case 4: return .null
        case 5: return random.chance(50) ? [] : [:]
        case 6: return .array((0..<random.below(4)).map { _ in .number(JSONNumber(random.below(5))) })
        case 7, 8:
            let shape = self.random(depth - 1, &random)
            return .array(
                (0..<random.below(4)).map { _ in random.chance(70) ? shape : self.random(depth - 1, &random) }
            )
        default:
            var object: JSONValue = [:]
            for _ in 0..<random.below(9) {
                object = object.setting(JSONString(random.pick(Self.names)), to: self.random(depth - 1, &random))
            }
            return object
        }
    }

    @Test func aProposalIsAlwaysAValidRuleSet() throws {
        var guesses = 0
        let count = TestDepth.count(quick: 500, usual: 500, all: 1_500)
        for seed in 0..<UInt64(count) {
            var generator = SeededRandom(seed: seed)
            let value = random(6, &generator)
            let proposal = RuleProposal(for: document(value))
            guesses += proposal.guesses.count
            #expect(proposal.rules.entries == proposal.guesses.map { .init($0.pattern, $0.rule) }, "seed \(seed)")
            let whole = WholeSave(document(value))
            let candidates = ProposalWalk(document(value), startsOver: whole.startsOver).candidates
            #expect(proposal.guesses.isEmpty == (candidates.isEmpty && whole.guess == nil), "seed \(seed)")
            // Spelled and read again, as in a file or from another device.
            #expect(
                try RuleSet(json: JSONValue(parsing: proposal.rules.json.jsonBytes)) == proposal.rules,
                "seed \(seed)"
            )
        }
        #expect(guesses > count / 20)
    }

    @Test(.timeLimit(.minutes(5))) func aHugeDocumentGetsAtMostItsLimit() throws {
        var text = "{"
        for index in 0..<30_000 {
            text += (index == 0 ? "" : ",") + "\"g\(index)k\": {\"coins\": \(index), \"level\(index)k\": 1}"
        }
        let proposal = RuleProposal(for: document(text + "}"))
        #expect((1...RuleSet.entryLimit).contains(proposal.guesses.count))
        let deep = String(repeating: "{\"a\":", count: 500) + "{\"coins\":1}" + String(repeating: "}", count: 500)
        #expect(RuleProposal(for: document(deep)).guesses.isEmpty)
        let wide = "{\"things\":[" + (0..<60_000).map { "{\"id\":\($0),\"coins\":1}" }.joined(separator: ",") + "]}"
        #expect(RuleProposal(for: document(wide)).guesses.count == 2)
    }

    /// Steps, not seconds: four times the document makes no more guesses and the same rules.
    @Test func aDictionaryIsOneRuleHoweverLarge() {
        for count in [10, 1_000, 20_000] {
            let text = "{\"kills\":{" + (0..<count).map { "\"m:\($0)\":\($0)" }.joined(separator: ",") + "}}"
            #expect(RuleProposal(for: document(text)).guesses.map(\.pattern.description) == ["/kills/*"])
        }
    }

    @Test(arguments: [
        ("bestLapTime", "best lap time"), ("best_lap_time", "best lap time"), ("best-lap.time", "best lap time"),
        ("BEST_LAP", "best lap"), ("XPTotal2", "xp total 2"), ("level12b", "level 12 b"), ("HTTPServer", "http server"),
        ("a", "a"), ("", ""), ("__", ""), ("Größe", "größe"), ("minecraft:play_time", "minecraft play time"),
    ])
    func namesAreSplitIntoWords(name: String, words: String) {
        #expect(NameWords(JSONString(name)).words.joined(separator: " ") == words)
        #expect(NameWords(JSONString(String(repeating: "a", count: 65))).words.isEmpty)
    }
}
