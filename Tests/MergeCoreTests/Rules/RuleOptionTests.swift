import LosslessJSON
import Testing

@testable import MergeCore

/// Which options go with which merge.
@Suite struct RuleOptionTests {
    static let good: [MergeRule] = [
        .init(.max, as: .number), .init(.min, as: .number), .init(.counter, as: .number),
        .init(.furthest, as: .number, by: ["level"]), .init(.max, as: .date), .init(.min, as: .date),
        .init(.furthest, as: .date, by: ["at"]), .init(.union, as: .bits), .init(.max, none: [0]),
        .init(.min, as: .date, none: [.null, ""]), .init(.latest, whole: true), .init(.choice, whole: true),
        .init(.furthest, whole: true, by: ["a", "b", "c", "d", "e", "f", "g", "h"]),
        .init(.max, as: .date, format: "%d.%m.%Y"), .init(.union, sort: "playedAt", limit: 1),
        .init(.set, limit: 1_000_000), .init(.set, sort: ""),
    ]

    @Test(arguments: good)
    func isAllowed(rule: MergeRule) throws {
        let set = try RuleSet([.init(RulePattern(parsing: "/a"), rule)])
        #expect(try RuleSet(json: set.json) == set)
        #expect(try JSONValue(parsing: set.json.jsonBytes) == set.json)
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        let rule: MergeRule
        let word: String
        let says: String

        init(_ rule: MergeRule, _ word: String, _ says: String) {
            (self.rule, self.word, self.says) = (rule, word, says)
        }

        var testDescription: String { "\(rule.merge) \(word): \(says)" }
    }

    /// Every merge but some, with an option that it does not take.
    private static func all(
        but merges: [MergeRule.Merge],
        _ word: String,
        _ says: String,
        _ change: (inout MergeRule) -> Void
    ) -> [Bad] {
        MergeRule.Merge.allCases.filter { !merges.contains($0) }.map { merge in
            var rule = MergeRule(merge, by: merge == .furthest ? ["x"] : [])
            change(&rule)
            return Bad(rule, word, says)
        }
    }

    static let misplaced: [[Bad]] = [
        all(but: [.max, .min, .counter, .furthest], "as", "\"as: number\" does nothing with") { $0.reading = .number },
        all(but: [.max, .min, .furthest], "as", "goes with max, min and furthest") { $0.reading = .date },
        all(but: [.union], "as", "goes with union") { $0.reading = .bits },
        all(but: [.max, .min], "none", "goes with max and min") { $0.none = [0] },
        all(but: [.latest, .furthest, .choice], "whole", "goes with latest, furthest and choice") { $0.whole = true },
        all(but: [.furthest], "by", "goes with furthest") { $0.by = ["x"] },
        all(but: [.union, .set], "sort", "goes with union and set") { $0.sort = "x" },
        all(but: [.union, .set], "limit", "goes with union and set") { $0.limit = 5 },
    ]

    static let others: [Bad] = [
        Bad(.init(.max, none: [0, [1]]), "none", "plain values"),
        Bad(.init(.max, none: Array(repeating: 0, count: 101)), "none", "more than 100"),
        Bad(.init(.furthest), "merge", "furthest needs the members"),
        Bad(.init(.furthest, by: ["a", "b", "c", "d", "e", "f", "g", "h", "i"]), "by", "more than 8"),
        Bad(.init(.furthest, by: ["a", "a"]), "by", "twice"),
        Bad(.init(.union, as: .bits, sort: "x"), "sort", "as: bits"),
        Bad(.init(.union, as: .bits, limit: 1), "limit", "as: bits"),
        Bad(.init(.union, limit: 0), "limit", "from 1 to 1000000"),
        Bad(.init(.set, limit: 1_000_001), "limit", "from 1"),
        Bad(.init(.set, limit: -1), "limit", "from 1"),
        Bad(.init(.max, format: "%Y"), "format", "\"as: date\" only"),
        Bad(.init(.max, as: .number, format: "%Y"), "format", "\"as: date\" only"),
        Bad(.init(.max, as: .date, format: "%Q"), "format", "none of"),
    ]

    @Test(arguments: misplaced.flatMap { $0 } + others)
    func isRefused(_ bad: Bad) throws {
        let entries = [
            RuleSet.Entry(try RulePattern(parsing: "/good"), .init(.max)),
            .init(try RulePattern(parsing: "/a"), bad.rule),
        ]
        let error = try #require(throws: RuleError.self) { try RuleSet(entries) }
        #expect(error.rule == 1 && error.word == bad.word && error.message.contains(bad.says), "\(error)")
    }
}
