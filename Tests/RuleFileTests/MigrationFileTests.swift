import LosslessJSON
import MergeCore
import RuleFile
import TestSupport
import Testing

/// Migrations as a rule file spells them.
struct MigrationFileTests {
    private static let head = "version: \"2\"\nversionAt: /v\n"

    private static let everything = """
        version: "2.0"
        versionAt: /saveVersion
        migrations:
          - from: "1.0"
            to: "1.1"
            steps:
              - rename: {path: /hp, to: "12"}
              - move: {path: /coins, to: /wallet/coins}
              - copy: {path: /name, to: /profile/name}
              - remove: /cheats
              - remove: {path: /old/*}
              - default: {path: /settings, value: {volume: 5, keys: [w, "1", null, {}]}}
              - map: {path: /hard, values: {true: hard, false: "normal", 0: [], "yes": 1.50}}
              - map:
                  path: /m
                  values: [[1, one], ["1", text]]
          - {from: 1.1, to: 2.0, steps: [wrap: {path: /a, as: amount}]}
        legacy:
          to: "1.0"
          steps:
            - split: {path: /at, by: ",", into: [x, "y"], is: number}
            - split: {path: "/p[id]/at", into: [x, y]}
            - compensate: {path: /coins, add: 1e2, for: /sword}
            - require: {path: /level, is: number}
            - require: /name
        """

    @Test func everyStepAndForm() throws {
        let rules = try RuleSet(yaml: Self.everything)
        let path = { (text: String) throws in try RulePattern(parsing: text) }
        let place = { (text: String) throws in try JSONPointer(parsing: text) }
        #expect(rules.version == "2.0" && VersionOrder(rules).versions == ["1.0", "1.1", "2.0"])
        #expect(
            try rules.migrations.first?.steps == [
                .rename(path("/hp"), to: "12"), .move(place("/coins"), to: place("/wallet/coins")),
                .copy(place("/name"), to: place("/profile/name")), .remove(path("/cheats")), .remove(path("/old/*")),
                .fill(path("/settings"), value: ["volume": 5, "keys": ["w", "1", .null, [:]]]),
                .map(
                    path("/hard"),
                    [
                        .init(true, "hard"), .init(false, "normal"), .init(0, []),
                        .init("yes", .number(JSONNumber(text: "1.50")!)),
                    ]
                ),
                .map(path("/m"), [.init(1, "one"), .init("1", "text")]),
            ]
        )
        #expect(
            try rules.migrations.last == Migration(from: "1.1", to: "2.0", steps: [.wrap(path("/a"), as: "amount")])
        )
        #expect(
            try rules.legacy?.steps == [
                .split(path("/at"), by: ",", into: ["x", "y"], asNumbers: true),
                .split(path("/p[id]/at"), by: nil, into: ["x", "y"], asNumbers: false),
                .compensate(place("/coins"), add: JSONNumber(100), for: place("/sword")),
                .require(path("/level"), .number), .require(path("/name"), nil),
            ]
        )
        #expect(try RuleSet(json: rules.json) == rules)
    }

    @Test func whatIsWrittenReadsTheSame() throws {
        let rules = try RuleSet(yaml: Self.everything)
        let back = try RuleSet(yaml: rules.yaml)
        #expect(back.migrations == rules.migrations && back.legacy == rules.legacy && back.version == rules.version)
        #expect(back.yaml == rules.yaml)
    }

    struct Case: CustomTestStringConvertible {
        let place: String
        let says: String
        let yaml: String

        init(_ place: String, _ says: String, _ yaml: String) {
            (self.place, self.says, self.yaml) = (place, says, yaml)
        }

        var testDescription: String { yaml.debugDescription }
    }

    private static func step(_ place: String, _ says: String, _ step: String) -> Case {
        Case(place, says, head + "migrations:\n- from: \"1\"\n  to: \"2\"\n  steps:\n  - \(step)")
    }

    static let refusals = [
        Case("1:13", "\"migrations\" takes a list", "migrations: {from: 1}"),
        Case("4:3", "a migration has the fields from, to, steps", head + "migrations:\n- x"),
        Case("4:3", "the field \"form\" is not known", head + "migrations:\n- form: x"),
        Case("4:3", "did you mean from?", head + "migrations:\n- form: x"),
        Case("4:3", "a migration needs \"to\"", head + "migrations:\n- from: \"1\""),
        Case("3:9", "a migration needs \"to\"", head + "legacy: {steps: []}"),
        Case("3:10", "the field \"from\" is not known", head + "legacy: {from: 1}"),
        Case("5:3", "begins at \"3\"", head + "migrations:\n- {from: 1, to: 2}\n- {from: 3, to: 2}"),
        Case("1:10", "the migrations end at \"3\"", head + "migrations:\n- {from: 1, to: 3}"),
        Case("2:1", "needs \"version\"", "migrations:\n- {from: 1, to: 2}"),
        Case("3:9", "which is no version of this file", head + "legacy: {to: 7}"),
        Case("4:27", "\"steps\" takes a list", head + "migrations:\n- {from: 1, to: 2, steps: x}"),
        step("7:5", "the step \"renme\" is not known to this version of Hearth, which knows rename, move", "renme: /a"),
        step("7:5", "did you mean rename?", "renme: /a"),
        step("7:5", "a step is one word with its options", "[a]"),
        step("7:18", "a step is one word with its options", "{remove: /a, move: /b}"),
        step("7:13", "\"rename\" takes options", "rename: /a"),
        step("7:24", "the option \"too\" is not known", "rename: {path: /a, too: b}"),
        step("7:5", "\"rename\" needs \"to\"", "rename: {path: /a}"),
        step("7:28", "takes the new name without a path", "rename: {path: /a, to: /b}"),
        step("7:13", "must begin with \"/\"", "remove: a"),
        step("7:13", "has no \"**\"", "remove: /**"),
        step("7:13", "cannot take the whole document", "remove: \"\""),
        step("7:26", "cannot go from a place into itself", "move: {path: /a, to: /a/b}"),
        step("7:32", "0x10 is no number", "default: {path: /a, value: 0x10}"),
        step("7:32", "yes can mean several things", "default: {path: /a, value: yes}"),
        step("7:32", "no aliases", "default: {path: /a, value: *x}"),
        step("7:29", "old values with their new ones", "map: {path: /a, values: 5}"),
        step("7:29", "\"values\" is empty", "map: {path: /a, values: {}}"),
        step("7:29", "names one old value twice", "map: {path: /a, values: {1: a, 1.0: b}}"),
        step("7:29", "takes two names or more", "split: {path: /a, into: [x]}"),
        step("7:33", "takes a number above 0", "compensate: {path: /a, add: -1}"),
        step("7:29", "\"is\" takes one of number, text, bool, list, object", "require: {path: /a, is: int}"),
    ]

    @Test(arguments: refusals) func whatIsWrongIsNamedWithItsPlace(_ test: Case) throws {
        let error = try #require(throws: RuleFileError.self) { try RuleSet(yaml: test.yaml) }
        #expect(error.description.hasPrefix(test.place + ": ") && error.message.contains(test.says), "\(error)")
    }

    @Test(.timeLimit(.minutes(5))) func counts() throws {
        func file(_ count: Int) -> String {
            "version: \"\(count)\"\nversionAt: /v\nmigrations:\n"
                + (0..<count).map { "- {from: \($0), to: \($0 + 1)}\n" }.joined()
        }
        #expect(try RuleSet(yaml: file(200)).migrations.count == 200)
        let error = try #require(throws: RuleFileError.self) { try RuleSet(yaml: file(201)) }
        #expect(error.line == 204 && error.message.contains("200 migrations"))
        let steps = Self.head + "migrations:\n- from: 1\n  to: 2\n  steps:\n"
        #expect(throws: Never.self) { try RuleSet(yaml: steps + String(repeating: "  - remove: /a\n", count: 2_000)) }
        let other = try #require(throws: RuleFileError.self) {
            try RuleSet(yaml: steps + String(repeating: "  - remove: /a\n", count: 2_001))
        }
        #expect(other.line == 2_007 && other.message.contains("2000 steps"))
        let deep = Self.head + "legacy: {to: 2, steps: [default: {path: /a, value: "
        let brackets = { (count: Int) in String(repeating: "[", count: count) + String(repeating: "]", count: count) }
        #expect(throws: Never.self) { try RuleSet(yaml: deep + brackets(32) + "}]}") }
        #expect(throws: RuleFileError.self) { try RuleSet(yaml: deep + brackets(33) + "}]}") }
    }

    @Test func theTeachingExampleShowsEveryStepAndUpcastsASave() throws {
        let rules = try RuleSet(yaml: #require(ExampleFiles.rules("universe-rpg")))
        let words = Set((rules.migrations.flatMap(\.steps) + (rules.legacy?.steps ?? [])).map(\.word))
        #expect(
            words == ["rename", "move", "copy", "remove", "default", "map", "wrap", "split", "compensate", "require"]
        )
        let old =
            #"{"saveVersion": "0.9", "level": 7, "gold": 120, "easyMode": true, "place": "3,4", "amulet": 1, "#
            + #""odd": 1.0}"#
        let save = try JSONDocument(parsing: Array(old.utf8))
        let result = Migration.run(save, rules: rules)
        let text = try #require(result.text, "\(result.report.errors)")
        #expect(
            String(decoding: text, as: UTF8.self) == Self.upcasted,
            "\(result.report)"
        )
        #expect(result.report.dropped.map(\.place.description) == ["/amulet"])
    }

    private static let upcasted =
        #"{"saveVersion": "1.1.0", "playerLevel": 7, "difficulty": "easy", "position": {"x": 3, "y": 4}, "odd": 1.0, "#
        + #""coins": 620, "settings": {"volume": 5}, "campaign": {"chapter": 7}}"#
}
