import LosslessJSON
import MergeCore
import RuleFile
import TestSupport
import Testing

/// Rules written as a file read back as the same rules.
struct RuleFileWriterTests {
    private func withoutSource(_ rules: RuleSet) throws -> RuleSet {
        try RuleSet(
            rules.entries,
            profile: rules.profile,
            version: rules.version,
            versionAt: rules.versionAt,
            resets: rules.resets,
            resetAt: rules.resetAt,
            migrations: rules.migrations,
            legacy: rules.legacy
        )
    }

    private func expectRoundTrip(_ rules: RuleSet, _ comment: Comment? = nil) throws {
        let back = try RuleSet(yaml: rules.yaml)
        #expect(try withoutSource(back) == withoutSource(rules), comment)
        #expect(back.source == rules.yaml)
        #expect(back.yaml == rules.yaml)
    }

    @Test(arguments: ExampleFiles.examples)
    func examples(_ name: String) throws {
        try expectRoundTrip(RuleSet(yaml: #require(ExampleFiles.rules(name))))
    }

    @Test func nothing() throws { try expectRoundTrip(.empty) }

    @Test(arguments: [
        "", "/", "//", "/a b", "/a: b", "/a:", "/#x", "/a #b", "/minecraft:custom/*", "/**", "/inv[id]/n", "/[id]",
        "/~0~1",
        "/\"q\"\\", "/tab\there", "/line\nend\u{2028}\u{85}", "/\u{7}\u{0}\u{FEFF}", "/é/e\u{301}/\u{301}", "/&x/*y",
        "/null",
        "/-", "/{a}", "/[x", "/\u{1F600}", "/'", "/!x", "/a\r\nb", "/" + String(repeating: "long", count: 400),
    ])
    func oddPaths(_ path: String) throws {
        let pattern = try RulePattern(parsing: path)
        let reset = Reset("r", [pattern])
        try expectRoundTrip(
            RuleSet([.init(pattern, MergeRule(.max))], profile: String(path.prefix(50)), resets: [reset])
        )
    }

    @Test func randomRules() throws {
        let words = [
            "level", "x y", "null", "true", "12", "é", "a: b", "", "~0", "-", "#", "\"", "*", "yes", "\n", "0x1",
        ]
        for seed in 0..<400 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            func name() -> String { words.randomElement(using: &random)! }
            func names() -> [JSONString] { Set([name(), name(), name()]).sorted().map { JSONString($0) } }
            let none: [JSONValue] = [
                0, -1, .null, true, .string(JSONString(name())), .number(JSONNumber(text: "1.50e+400")!),
            ]
            let rules: [MergeRule] = [
                .init(.max, as: .number, none: [none.randomElement(using: &random)!, .null]),
                .init(.choice, whole: true),
                .init(.min, as: .date, none: none, format: "%d.%m.%Y é\"\\"), .init(.furthest, as: .date, by: names()),
                .init(.union, sort: JSONString(name()), limit: 7), .init(.set, limit: 1_000_000),
                .init(.union, as: .bits),
                .init(.latest, whole: true), .init(.local), .init(.counter, as: .number), .init(.flag),
            ]
            let entries = try rules.shuffled(using: &random).enumerated().map {
                RuleSet.Entry(try RulePattern(parsing: "/p\($0.offset)/" + name()), $0.element)
            }
            let resets = try Set([name(), name()]).subtracting([""]).sorted().map {
                Reset($0, [try RulePattern(parsing: "/" + name())])
            }
            try expectRoundTrip(
                RuleSet(
                    entries,
                    profile: "P" + name(),
                    versionAt: "/" + "v",
                    resets: resets,
                    resetAt: "/reset/" + (seed % 2 == 0 ? "here" : "é: x")
                ),
                "seed \(seed)"
            )
        }
    }
}
