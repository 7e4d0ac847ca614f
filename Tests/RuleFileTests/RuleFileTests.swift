import LosslessJSON
import MergeCore
import RuleFile
import TestSupport
import Testing

/// What a good rule file says.
struct RuleFileTests {
    private func rule(_ yaml: String, at path: [PathStep]) throws -> MergeRule {
        try RuleSet(yaml: yaml).rule(for: DocumentPath(path))
    }

    @Test func everyFieldAndForm() throws {
        let yaml = """
            profile: Universe RPG
            version: "1.1.0"
            versionAt: /saveVersion
            rules:
              /playerLevel: max
              /bestLap: {merge: min, none: [0, -1, null, "never", ~]}
              "/inventory[id]/count": counter
              /inventory[id]/name: "latest"
              /lastPlayed:
                merge: max
                as: date
              /position: {merge: latest, whole: true}
              /settings/**: local
            """
        let rules = try RuleSet(yaml: yaml)
        #expect(rules.profile == "Universe RPG")
        #expect(rules.versionAt == "/saveVersion")
        #expect(rules.source == yaml)
        #expect(
            rules.entries.map(\.pattern.description) == [
                "/playerLevel", "/bestLap", "/inventory[id]/count", "/inventory[id]/name", "/lastPlayed", "/position",
                "/settings/**",
            ]
        )
        let none: [JSONValue] = [
            .number(JSONNumber(0)), .number(JSONNumber(-1)), .null, .string("never"), .null,
        ]
        #expect(
            rules.entries.map(\.rule) == [
                MergeRule(.max), MergeRule(.min, none: none), MergeRule(.counter), MergeRule(.latest),
                MergeRule(.max, as: .date), MergeRule(.latest, whole: true), MergeRule(.local),
            ]
        )
    }

    @Test(arguments: MergeRule.Merge.allCases)
    func everyRule(_ merge: MergeRule.Merge) throws {
        let by = merge == .furthest ? ", by: [level, \"x p\"]" : ""
        if by.isEmpty { #expect(try rule("rules: {/a: \(merge)}", at: [.member("a")]).merge == merge) }
        let rule = try rule("rules: {/a: {merge: \(merge)\(by)}}", at: [.member("a")])
        #expect(rule.merge == merge && rule.by == (by.isEmpty ? [] : ["level", "x p"]))
    }

    @Test func everyNewOption() throws {
        let yaml = """
            rules:
              /progress: {merge: furthest, by: [level, xp], as: number}
              /history: {merge: union, sort: playedAt, limit: 200}
              /friends: {merge: set, limit: 1e3}
              /seen: {merge: max, as: date, format: "%d.%m.%Y"}
              /bits: {merge: union, as: bits}
              /ending: choice
            resets:
              progress: [/progress, "/inv[id]/**"]
              all: [""]
            resetAt: /meta/reset
            """
        let rules = try RuleSet(yaml: yaml)
        #expect(
            rules.entries.map(\.rule) == [
                MergeRule(.furthest, as: .number, by: ["level", "xp"]),
                MergeRule(.union, sort: "playedAt", limit: 200), MergeRule(.set, limit: 1_000),
                MergeRule(.max, as: .date, format: "%d.%m.%Y"), MergeRule(.union, as: .bits), MergeRule(.choice),
            ]
        )
        #expect(rules.resets.map(\.name) == ["progress", "all"])
        #expect(rules.resets.map { $0.patterns.map(\.description) } == [["/progress", "/inv[id]/**"], [""]])
        #expect(rules.resetAt == "/meta/reset")
        #expect(rules.rule(for: DocumentPath([.member("meta"), .member("reset")])).merge == .local)
    }

    @Test(arguments: ["rules:", "rules: {}", "rules: ~", "rules: null", "profile: X", "{}", "--- \nrules:\n...\n"])
    func noRules(_ yaml: String) throws {
        #expect(try RuleSet(yaml: yaml).entries.isEmpty)
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func anyLineEnd(_ end: String) throws {
        let lines = ["profile: A", "rules:", "  /a: max  # why", "  /b:", "    merge: min", "    none: [0]", ""]
        let yaml = lines.joined(separator: end)
        #expect(
            try RuleSet(yaml: yaml).entries.map(\.rule) == [
                MergeRule(.max), MergeRule(.min, none: [.number(JSONNumber(0))]),
            ]
        )
        #expect(try RuleSet(yaml: "\u{FEFF}" + yaml).entries.count == 2)
        #expect(try RuleSet(yaml: "\u{FEFF}" + yaml).source == "\u{FEFF}" + yaml)
        #expect(try RuleSet(yaml: [0xEF, 0xBB, 0xBF] + Array(yaml.utf8)).entries.count == 2)
        #expect(throws: RuleFileError(line: 3, column: 7, message: unknownRule("maxx"))) {
            try RuleSet(yaml: "\u{FEFF}" + yaml.replacing("max", with: "maxx"))
        }
    }

    @Test func numbersKeepTheirText() throws {
        let values = ["1.50", "1E3", "-0", "123456789012345678901234567890.5", "1e+400000"]
        let rule = try rule("rules: {/a: {merge: max, none: [\(values.joined(separator: ", "))]}}", at: [.member("a")])
        #expect(rule.none.map { if case .number(let number) = $0 { number.text } else { "" } } == values)
    }

    @Test func ampersandsAndStarsInsideWordsStay() throws {
        // The private-use characters make sure that whatever stands in for "&" and "*" is not one of the file's own.
        let yaml = """
            profile: Rock &Roll & *Stars \u{E000}\u{E001}\u{E003}
            rules: # &a *b
              /*/&x/**: {merge: max, none: ["*a", '&b', a*b]}
              "/*&": max
              /x: min
            """
        let rules = try RuleSet(yaml: yaml)
        #expect(rules.profile == "Rock &Roll & *Stars \u{E000}\u{E001}\u{E003}")
        #expect(rules.entries.map(\.pattern.description) == ["/*/&x/**", "/*&", "/x"])
        #expect(rules.entries[0].rule.none == [.string("*a"), .string("&b"), .string("a*b")])
    }

    @Test func theWholeDocument() throws {
        #expect(try rule("rules: {\"\": {merge: latest, whole: true}}", at: [.member("a"), .index(3)]) == .standard)
        #expect(try rule("rules: {\"\": {merge: latest, whole: true}}", at: []).whole)
    }

    @Test(arguments: ExampleFiles.examples)
    func examplesAreValid(_ name: String) throws {
        let bytes = try #require(ExampleFiles.rules(name), "Examples/rules/\(name).yaml is missing")
        let rules = try RuleSet(yaml: bytes)
        #expect(rules.profile != nil && rules.versionAt != nil && !rules.entries.isEmpty)
        // What travels to the other devices says the same.
        #expect(try RuleSet(json: rules.json) == rules)
    }

    @Test func theTeachingExampleShowsEveryRuleAndOption() throws {
        let rules = try RuleSet(yaml: #require(ExampleFiles.rules("universe-rpg"))).entries.map(\.rule)
        #expect(Set(rules.map(\.merge)) == Set(MergeRule.Merge.allCases))
        #expect(Set(rules.compactMap(\.reading)) == Set(MergeRule.Reading.allCases))
        #expect(rules.contains { $0.whole } && rules.contains { !$0.none.isEmpty })
        #expect(rules.contains { $0.sort != nil && $0.limit != nil } && rules.contains { $0.format != nil })
    }
}

func unknownRule(_ word: String) -> String {
    "the rule \"\(word)\" is not known to this version of Hearth, which knows "
        + MergeRule.Merge.allCases.map(\.rawValue).joined(separator: ", ") + "; did you mean max?"
}
