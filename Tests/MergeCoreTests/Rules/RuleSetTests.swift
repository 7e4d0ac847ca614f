import LosslessJSON
import Testing

@testable import MergeCore

@Suite struct RuleSetTests {
    private func entries(_ list: KeyValuePairs<String, MergeRule>) throws -> [RuleSet.Entry] {
        try list.map { RuleSet.Entry(try RulePattern(parsing: $0.key), $0.value) }
    }

    private func error(_ list: KeyValuePairs<String, MergeRule>, resetAt: String? = nil) throws -> RuleError {
        try #require(throws: RuleError.self) { try RuleSet(entries(list), resetAt: resetAt) }
    }

    static let wholes: [MergeRule] = [
        .init(.latest, whole: true), .init(.choice), .init(.choice, whole: true), .init(.furthest, by: ["level"]),
    ]

    @Test(arguments: wholes)
    func nothingHasARuleBelowAWholeValue(rule: MergeRule) throws {
        for (above, below) in [
            ("/a", "/a/b"), ("", "/a"), ("", "/**"), ("", "/a/*/b"), ("/*", "/a/b"), ("/a", "/**/b"),
            ("/a", "/a[id]/n"),
        ] {
            for flipped in [false, true] {
                let list = try entries([above: rule, below: .init(.max)])
                let error = try #require(throws: RuleError.self) { try RuleSet(flipped ? list.reversed() : list) }
                #expect(
                    error.rule == (flipped ? 0 : 1) && error.message.contains("lies below"),
                    "\(above) \(below) \(error)"
                )
            }
        }
        #expect(try error(["/**": rule]).message.contains("below itself"))
        #expect(try RuleSet(entries(["": rule])).rule(for: .root) == rule)
        #expect(throws: Never.self) { try RuleSet(entries(["/a": rule, "/ab": .init(.max), "/*": .init(.max)])) }
    }

    @Test func equalRanksAreRefused() throws {
        #expect(try error(["/a/*": .init(.max), "/*/b": .init(.min)]).rule == 1)
        #expect(try error(["/a": .init(.max), "/x": .init(.max), "/a": .init(.max)]).rule == 2)
        #expect(throws: Never.self) { try RuleSet(entries(["/a/*": .init(.max), "/*/b": .init(.max)])) }
    }

    @Test(.timeLimit(.minutes(5))) func manyRulesAreChecked() throws {
        let list = try (0..<2_000).map {
            RuleSet.Entry(try RulePattern(parsing: "/r\($0)/*"), .init($0 % 2 == 0 ? .max : .min))
        }
        #expect(try RuleSet(list).entries.count == 2_000)
        #expect(throws: RuleError.self) { try RuleSet(list + list.prefix(1)) }
    }

    // MARK: Resets

    private func reset(_ name: String, _ paths: String...) throws -> Reset {
        Reset(name, try paths.map { try RulePattern(parsing: $0) })
    }

    @Test func resetsTravel() throws {
        let set = try RuleSet(
            entries(["/level": .init(.max), "/log": .init(.union, sort: "at", limit: 9)]),
            profile: "P",
            versionAt: "/v",
            resets: [reset("progress", "/level", "/levels/**"), reset("all", "")],
            resetAt: "/a~1b/reset",
            source: "# x"
        )
        let back = try RuleSet(json: JSONValue(parsing: set.json.jsonBytes))
        #expect(back == set)
        #expect(back.resets.map(\.name) == ["progress", "all"] && back.resetAt == "/a~1b/reset")
    }

    @Test func resetsAreChecked() throws {
        func error(_ resets: [Reset]) throws -> RuleError {
            try #require(throws: RuleError.self) { try RuleSet([], resets: resets) }
        }
        #expect(try error([reset("a", "/x"), reset("", "/x")]).reset == 1)
        #expect(try error([reset(String(repeating: "é", count: 33), "/x")]).message.contains("64 bytes"))
        #expect(try error([reset("a", "/x"), reset("a", "/y")]).message.contains("occurs twice"))
        #expect(try error([Reset("a", [])]).message.contains("covers nothing"))
        #expect(try error([reset("a", "/x", "/y", "/x")]).pattern == 2)
        #expect(try error((0...100).map { try reset("r\($0)", "/x") }).message == "more than 100 resets")
        #expect(throws: Never.self) { try RuleSet([], resets: (0..<100).map { try reset("r\($0)", "/x") }) }
        let long = String(repeating: "/x", count: 60)
        #expect(
            try error([Reset("a", (0..<140).map { try RulePattern(parsing: long + "/\($0)") })]).message.contains(
                "8192 steps"
            )
        )
    }

    @Test(arguments: [
        #"{"rules":[],"resets":{}}"#, #"{"rules":[],"resets":[{"name":"a"}]}"#,
        #"{"rules":[],"resets":[{"paths":["/a"]}]}"#,
        #"{"rules":[],"resets":[{"name":"a","paths":["b"]}]}"#, #"{"rules":[],"resets":[{"name":"a","paths":[1]}]}"#,
        #"{"rules":[],"resets":[{"name":"a","paths":["/a"],"x":1}]}"#, #"{"rules":[],"resetAt":1}"#,
        #"{"rules":[],"resetAt":"x"}"#, #"{"rules":[{"path":"/a","merge":"furthest","by":["a",1]}]}"#,
        #"{"rules":[{"path":"/a","merge":"union","limit":1.5}]}"#,
        #"{"rules":[{"path":"/a","merge":"union","limit":1e400}]}"#,
        #"{"rules":[{"path":"/a","merge":"union","sort":null}]}"#,
        #"{"rules":[{"path":"/a","merge":"max","format":"%Y"}]}"#,
        #"{"rules":[{"path":"/a","merge":"furthest"}]}"#, #"{"rules":[{"path":"/a","merge":"later"}]}"#,
    ])
    func theTravellingFormIsReadStrictly(text: String) {
        #expect(throws: RuleError.self) { try RuleSet(json: json(text)) }
    }

    // MARK: The place that asks for a reset

    @Test func thePlaceOfAResetRequestStaysOnTheDevice() throws {
        let path = DocumentPath([.member("run"), .member("reset")])
        for list in [
            [:], ["/**": .init(.max)], ["/run/*": .init(.max)], ["/run/reset": .init(.local)],
            ["/run/**": .init(.local)],
        ]
            as [KeyValuePairs<String, MergeRule>]
        {
            let set = try RuleSet(entries(list), resetAt: "/run/reset")
            #expect(set.rule(for: path).merge == .local)
            #expect(set.rule(for: path.appending(.member("scope"))).merge == .local || !list.isEmpty)
            #expect(set.entries.count == list.count)
            #expect(try RuleSet(json: set.json) == set)
        }
        let odd = try RuleSet([], resetAt: "/*/a[id]")
        #expect(odd.rule(for: DocumentPath([.member("*"), .member("a[id]")])).merge == .local)
        #expect(odd.rule(for: DocumentPath([.member("x"), .member("a[id]")])).merge == .latest)
    }

    @Test func aSyncedRuleForItIsAnError() throws {
        #expect(try error(["/x": .init(.max), "/reset": .init(.latest)], resetAt: "/reset").rule == 1)
        #expect(try error(["/reset/scope": .init(.max)], resetAt: "/reset").rule == 0)
        #expect(try error(["/run": .init(.choice)], resetAt: "/run/reset").word == "resetAt")
        #expect(try error(["": .init(.latest, whole: true)], resetAt: "/reset").word == "resetAt")
        #expect(try error([:], resetAt: "").word == "resetAt")
        #expect(try error([:], resetAt: "reset").word == "resetAt")
        #expect(try error([:], resetAt: String(repeating: "/a", count: 65)).word == "resetAt")
    }

    // MARK: Patterns

    @Test func aCombiningMarkBelongsToTheNameBehindTheSlash() throws {
        let pattern = try RulePattern(parsing: "/a/\u{301}b/~1\u{301}")
        #expect(pattern.steps == [.literal("a"), .literal("\u{301}b"), .literal("/\u{301}")])
    }

    @Test func stepsAreSpelled() throws {
        for text in ["", "/a~1b/~0/*/**", "/inv[id]/n", "/[id]", "//a", "/*[k]/x", "/a[x~1y]"] {
            let pattern = try RulePattern(parsing: text)
            #expect(RulePattern(steps: pattern.steps) == pattern)
            #expect(pattern.isSpelled)
        }
        for step in [RulePattern.Step.literal("*"), .literal("**"), .literal("a[b]"), .keyed("")] {
            #expect(!RulePattern(steps: [.literal("x"), step]).isSpelled)
        }
    }
}
