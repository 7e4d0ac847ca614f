import LosslessJSON
import MergeCore
import Testing

/// What a save says of the rules that are meant for it.
@Suite struct RuleFindingTests {
    private static let save = """
        {"coins": 5, "name": "Ada", "player": {"level": 3, "xp": 10}, "items": [{"id": "sword", "count": 1}],
         "done": false, "empty": {}, "none": null, "tags": ["a"], "best": {"1": 10, "2": 20}, "when": "2024-01-01T00:00:00Z"}
        """

    private static let digits = 4_096

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

    // MARK: What a status would say at once

    /// What `sync` calls "not read" as soon as the save is there.
    @Test func whatWouldNotBeSyncedIsSaid() throws {
        func said(_ pattern: String, _ rule: MergeRule, _ save: String) throws -> [String] {
            try findings([(pattern, rule)], in: save).map(\.message)
        }
        let twice = """
            {"l":[{"id":1,"n":1},{"id":2},{"id":1}],"t":["a","b","a"],"q":[{"id":1},{"n":2}],"r":[{"id":1},7]}
            """
        let list = "; the array is not synced as it is"
        #expect(try said("/l[id]/n", MergeRule(.counter), twice) == [#"/l[id]: two elements have the "id" 1"# + list])
        #expect(
            try said("/q[id]/n", MergeRule(.latest), twice) == [
                #"/q[id]: not every element is an object with its own "id""# + list
            ])
        #expect(
            try said("/r[id]", MergeRule(.latest), twice) == [
                #"/r[id]: not every element is an object with its own "id""# + list
            ])
        for (word, rule) in [("union", MergeRule(.union)), ("set", MergeRule(.set))] {
            #expect(
                try said("/t", rule, twice) == [
                    #"/t: \#(word) holds each element once, but the list there has "a" more than once; "#
                        + "the list is not synced as it is"
                ])
        }
        let digits = "a number of at most 1,000 digits, but the save has a longer one there"
        let huge = #"{"n":\#(String(repeating: "9", count: 1_001)),"e":2e1500,"t":"1e1500","b":-1,"c":1.5,"d":"x"}"#
        #expect(try said("/n", MergeRule(.counter), huge) == ["/n: counter takes " + digits])
        #expect(try said("/e", MergeRule(.counter), huge) == ["/e: counter takes " + digits])
        #expect(try said("/t", MergeRule(.counter, as: .number), huge) == ["/t: counter takes " + digits])
        #expect(
            try said("/d", MergeRule(.counter), huge) == ["/d: counter takes a number, but the save has a text there"])
        for (place, what) in [("b", "another number"), ("c", "another number"), ("d", "a text")] {
            #expect(
                try said("/\(place)", MergeRule(.union, as: .bits), huge) == [
                    "/\(place): as: bits takes a whole number from 0 on, of at most \(Self.digits) binary digits, "
                        + "but the save has \(what) there"
                ])
        }
        #expect(
            try said("", MergeRule(.max), #"{"a":1}"#) == [
                #""": the save has an object there, and max takes one value; for every member of it write /*"#
            ])
    }

    /// An array that no key tells apart is named once, by the first rule below it; and not where its elements are local,
    /// nor where none of them has the key.
    @Test func anArrayIsNamedOnce() throws {
        let save = #"{"l":[{"id":1,"n":1,"m":2},{"id":1,"n":3,"m":4}]}"#
        let both = try findings([("/l[id]/n", MergeRule(.counter)), ("/l[id]/m", MergeRule(.max))], in: save)
        #expect(both.map(\.rule) == [0])
        #expect(try findings([("/l[id]", MergeRule(.local))], in: save) == [])
        #expect(
            try findings([("/l[idd]/n", MergeRule(.max))], in: save).map(\.message) == [
                "no place matches /l[idd]/n; did you mean /l[id]/n?"
            ])
    }

    @Test(arguments: [
        (
            "/run", MergeRule(.furthest, by: ["levle", "xp"]), #"{"run":{"level":1,"xp":2}}"#,
            #"/run: no value there has the member "levle" by which furthest compares; did you mean "level"?"#
        ),
        (
            "/runs/*", MergeRule(.furthest, by: ["level", "gold"]), #"{"runs":{"a":{"level":1},"b":{"level":2}}}"#,
            #"/runs/*: no value there has the member "gold" by which furthest compares"#
        ),
        (
            "/top", MergeRule(.union, sort: "plaiedAt"), #"{"top":[{"playedAt":1},{"playedAt":2}]}"#,
            #"/top: no element of the list has the member "plaiedAt" by which union compares; did you mean "playedAt"?"#
        ),
    ])
    func aMemberThatNoValueHasIsSaid(pattern: String, rule: MergeRule, save: String, message: String) throws {
        #expect(try findings([(pattern, rule)], in: save).map(\.message) == [message])
    }

    @Test func aMemberThatSomeValueHasIsFine() throws {
        let save = #"{"runs":{"a":{"level":1},"b":{"xp":2}},"none":{},"top":[{"at":1},{"n":2}],"old":null,"empty":[]}"#
        let furthest = MergeRule(.furthest, by: ["level", "xp"])
        for (pattern, rule) in [
            ("/runs/*", furthest), ("/none", furthest), ("/old", furthest), ("/top", MergeRule(.set, sort: "at")),
            ("/empty", MergeRule(.union, sort: "at")),
        ] { #expect(try findings([(pattern, rule)], in: save) == [], "\(pattern)") }
    }

    // MARK: Lists on the way

    /// A `**` with steps after it goes through objects only. A rule that would match in a list says so.
    @Test func aListAtWhichAnyDepthStopsIsSaid() throws {
        let save = #"{"a":{"c":1,"b":[{"c":1,"l":[{"c":2}]}]},"d":{"e":[{"x":1}]}}"#
        func said(_ rules: [(String, MergeRule)]) throws -> [String] { try findings(rules, in: save).map(\.message) }
        let stops = "does not reach into the list at /a/b, since ** with steps after it goes through objects only; "
        let ways = "for the elements write /a/b/*/c, for the list as one value /a/b: latest"
        for rule in [MergeRule(.counter), MergeRule(.max), MergeRule(.local)] {
            #expect(try said([("/**/c", rule)]) == ["/**/c " + stops + ways])
            #expect(try said([("/a/**/c", rule)]) == ["/a/**/c " + stops + ways])
        }
        #expect(try said([("/**/b/0/c", MergeRule(.max))]) == [])
        // What is inside the list as well is named next.
        #expect(
            try said([("/**/c", MergeRule(.counter)), ("/a/b/*/c", MergeRule(.max))]) == [
                "/**/c does not reach into the list at /a/b/0/l, since ** with steps after it goes through objects only; "
                    + "for the elements write /a/b/0/l/*/c, for the list as one value /a/b/0/l: latest"
            ])
        // Nothing to say where it is meant, or where the rules reach in.
        for other in ["/a/b", "/a/b/**"] {
            #expect(try said([("/**/c", MergeRule(.counter)), (other, MergeRule(.local))]) == [], "\(other)")
        }
        #expect(try said([("/**/c", MergeRule(.counter)), ("/a/b", MergeRule(.latest))]) == [])
        #expect(try said([("/**", MergeRule(.max)), ("/**/c", MergeRule(.counter))]) == [])
        #expect(try said([("/**/x", MergeRule(.counter)), ("/d/e[x]/y", MergeRule(.max))]).count == 1)
    }

    /// A rule that ends in `**` is for what is in the containers that it matches as well.
    @Test func whatIsInAContainerIsMeant() throws {
        let save = #"{"a":1,"b":{"c":2,"l":[3]}}"#
        #expect(try findings([("/**", MergeRule(.max)), ("/b/**", MergeRule(.counter))], in: save) == [])
        #expect(
            try findings([("/b/**", MergeRule(.counter))], in: #"{"b":{"c":"two"}}"#).map(\.message) == [
                "/b/c: counter takes a number, but the save has a text there"
            ])
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
