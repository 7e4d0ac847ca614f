import LosslessJSON
import MergeCore
import Testing

/// What a save says of the rules that are meant for it.
@Suite struct RuleFindingTests {
    private static let save = """
        {"coins": 5, "name": "Ada", "player": {"level": 3, "xp": 10}, "items": [{"id": "sword", "count": 1}],
         "done": false, "empty": {}, "none": null, "tags": ["a"], "best": {"1": 10, "2": 20}, "when": "2024-01-01T00:00:00Z"}
        """

    private func findings(_ pattern: String, _ rule: MergeRule) throws -> [String] {
        let set = try RuleSet([RuleSet.Entry(try RulePattern(parsing: pattern), rule)])
        return set.findings(in: try JSONDocument(parsing: Array(Self.save.utf8))).map(\.message)
    }

    @Test(arguments: [
        ("/coinz", "no place matches /coinz; did you mean /coins?"),
        ("/Coins", "no place matches /Coins; did you mean /coins?"),
        ("/coins/", "no place matches /coins/; did you mean /coins?"),
        ("/player/levle", "no place matches /player/levle; did you mean /player/level?"),
        ("/plaier/level", "no place matches /plaier/level; did you mean /player/level?"),
        ("/level", "no place matches /level; did you mean /player/level?"),
        ("/items[key]/count", "no place matches /items[key]/count"),
        ("/items[idd]/count", "no place matches /items[idd]/count; did you mean /items[id]/count?"),
        ("/items[id]/cuont", "no place matches /items[id]/cuont; did you mean /items[id]/count?"),
        ("/**/nothing", "no place matches /**/nothing"),
        ("/", #"no place matches "/", which is the member with an empty name; the whole document is """#),
    ]) func whatMatchesNothingIsSaid(pattern: String, message: String) throws {
        #expect(try findings(pattern, MergeRule(.counter)) == [message])
    }

    @Test(arguments: ["/coins", "/player/level", "/items[id]/count", "/best/*", "/**/level"]) func whatMatchesIsFine(
        pattern: String
    ) throws {
        #expect(try findings(pattern, MergeRule(.counter)) == [])
    }

    /// What an empty container will hold nobody can tell.
    @Test(arguments: ["/empty/anything", "/empty/*", "/none/anything", "/none", "/empty[id]/count"])
    func whatMayComeIsFine(pattern: String) throws {
        #expect(try findings(pattern, MergeRule(.counter)) == [])
    }

    @Test func whatARuleCannotReadIsSaid() throws {
        #expect(
            try findings("/name", MergeRule(.counter)) == [
                "/name: counter takes a number, but the save has a text there"
            ])
        #expect(
            try findings("/tags", MergeRule(.max)) == ["/tags: max takes one value here, but the save has a list there"]
        )
        #expect(
            try findings("/name", MergeRule(.flag)) == [
                "/name: flag takes true or false, but the save has a text there"
            ])
        #expect(
            try findings("/coins", MergeRule(.union)) == ["/coins: union takes a list, but the save has a number there"]
        )
        #expect(
            try findings("/best", MergeRule(.max)) == [
                "/best: the save has an object there, and max takes one value; for every member of it write /best/*"
            ])
        #expect(
            try findings("/name", MergeRule(.max, as: .date)) == [
                "/name: max takes a date here, but the save has a text there"
            ])
    }

    @Test func whatARuleCanReadIsFine() throws {
        for (pattern, rule) in [
            ("/name", MergeRule(.max)), ("/when", MergeRule(.min, as: .date)), ("/tags", MergeRule(.union)),
            ("/done", MergeRule(.flag)), ("", MergeRule(.choice)), ("/player", MergeRule(.furthest, by: ["level"])),
            ("/best", MergeRule(.local)), ("/name", MergeRule(.latest)), ("/coins", MergeRule(.union, as: .bits)),
            ("/done", MergeRule(.max, as: .date, none: [.bool(false)])),
        ] { #expect(try findings(pattern, rule) == [], "\(pattern) \(rule)") }
    }

    // MARK: Large saves

    private func findings(
        _ rules: [(String, MergeRule)], in save: String, lookingAt limit: Int = 500_000
    ) throws -> [RuleFinding] {
        let entries = try rules.map { RuleSet.Entry(try RulePattern(parsing: $0.0), $0.1) }
        return try RuleSet(entries).findings(in: try JSONDocument(parsing: Array(save.utf8)), lookingAt: limit)
    }

    /// A save of more than 4 MB, with more values than a search may look at.
    private static let large: String = {
        let items = (0..<150_000).map { #"{"id":"item\#($0)","count":\#($0 % 7)}"# }
        return #"{"items":[\#(items.joined(separator: ","))],"name":"Ada","coins":5}"#
    }()

    /// Rules of names are compared whatever the size and whichever rules stand before them.
    @Test func rulesOfALargeSaveAreCompared() throws {
        #expect(Self.large.utf8.count > 4 << 20)
        let found = try findings(
            [
                ("/**/xp", MergeRule(.max)), ("/name", MergeRule(.counter)), ("/coinz", MergeRule(.counter)),
                ("/", MergeRule(.counter)), ("/items[id]/count", MergeRule(.counter)), ("/coins", MergeRule(.counter)),
            ], in: Self.large)
        #expect(
            found.map(\.message) == [
                "/**/xp was not compared with the whole save, which has too many places",
                "/name: counter takes a number, but the save has a text there",
                "no place matches /coinz; did you mean /coins?",
                #"no place matches "/", which is the member with an empty name; the whole document is """#,
            ])
        #expect(found.map(\.isCertain) == [false, true, true, true])
    }

    /// With time enough it is compared as well.
    @Test func whatWasNotComparedIsComparedWithALargerLimit() throws {
        let found = try findings([("/**/xp", MergeRule(.max))], in: Self.large, lookingAt: 20_000_000)
        #expect(found.map(\.message) == ["no place matches /**/xp"] && found[0].isCertain)
    }

    /// A rule that takes all that it may look at leaves the others their shares: none of them seems to fit unseen.
    @Test func noRuleIsTakenToFitUnseen() throws {
        let item = #"{"count":1,"id":2}"#
        let save = #"{"items":[\#(Array(repeating: item, count: 2_000).joined(separator: ","))],"coins":"many"}"#
        let rules = ["/**/xp", "/*/*/cuont", "/*/nothing", "/coins"].map { ($0, MergeRule(.counter)) }
        let found = try findings(rules, in: save, lookingAt: 3_000)
        #expect(found.map(\.rule) == [0, 1, 2, 3])
        #expect(found.filter(\.isCertain).map(\.rule).contains(3))
        #expect(found[0].isCertain == false)
        #expect(try findings(rules, in: save).allSatisfy(\.isCertain))
    }

    /// However many rules look however deep, it ends soon.
    @Test(.timeLimit(.minutes(5))) func manyRulesOfAnyDepthEnd() throws {
        let rules = try (0..<50).map {
            RuleSet.Entry(try RulePattern(parsing: "/**/a/**/b\($0)"), MergeRule(.counter))
        }
        var save = "0"
        for _ in 0..<200 { save = #"{"a":\#(save),"c":{"a":1}}"# }
        _ = try RuleSet(rules).findings(in: try JSONDocument(parsing: Array(save.utf8)))
    }
}
