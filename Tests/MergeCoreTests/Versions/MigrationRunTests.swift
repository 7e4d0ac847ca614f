import LosslessJSON
import MergeCore
import Testing

/// A save through several versions of a game.
struct MigrationRunTests {
    private static let history = versioned(
        [
            Migration(
                from: "1.0",
                to: "1.1",
                steps: [
                    .rename(at("/hp"), to: "health"), .map(at("/hard"), [.init(true, "hard"), .init(false, "normal")]),
                    .rename(at("/hard"), to: "difficulty"),
                ]
            ),
            Migration(
                from: "1.1",
                to: "1.2",
                steps: [
                    .wrap(at("/coins"), as: "amount"), .rename(at("/coins"), to: "wallet"),
                    .fill(at("/volume"), value: 5),
                ]
            ),
            Migration(from: "1.2", to: "2.0", steps: [.split(at("/at"), by: ";", into: ["x", "y"], asNumbers: true)]),
        ],
        legacy: Migration(
            from: nil,
            to: "1.0",
            steps: [.move(pointer("/life"), to: pointer("/hp")), .fill(at("/hard"), value: false)]
        ),
        ["/health": .init(.max), "/wallet/amount": .init(.counter)]
    )

    static let saves = [
        "1.0": #"{"v":"1.0","hp":7,"hard":true,"coins":10,"at":"1;2","odd":"\u0041"}"#,
        "1.1": #"{"v":"1.1","health":7,"difficulty":"hard","coins":10,"at":"1;2","odd":"\u0041"}"#,
        "1.2":
            #"{"v":"1.2","health":7,"difficulty":"hard","wallet":{"amount": 10},"at":"1;2","odd":"\u0041","volume":5}"#,
        "2.0":
            #"{"v":"2.0","health":7,"difficulty":"hard","wallet":{"amount": 10},"x":1,"y":2,"odd":"\u0041","#
            + #""volume":5}"#,
    ]

    @Test(arguments: ["1.0", "1.1", "1.2", "2.0"]) func everyFormerVersionBecomesTheNewest(_ version: String) throws {
        let save = try #require(Self.saves[version])
        let result = Migration.run(document(save), rules: Self.history)
        #expect(result.string == Self.saves["2.0"], "\(result.report.errors)")
        #expect(result.report.from == version && result.report.to == "2.0" && result.report.errors.isEmpty)
        #expect(result.report.kept.contains(pointer("/odd")))
        #expect(result.report.defaulted.map(\.place.description) == (version < "1.2" ? ["/volume"] : []))
    }

    @Test(arguments: ["1.0", "1.1", "1.2", "2.0"]) func everyVersionComesBackByteForByte(_ version: String) throws {
        let (old, new) = (try #require(Self.saves[version]), try #require(Self.saves["2.0"]))
        let result = Migration.rollBack(document(new), rules: Self.history, to: version, former: document(old))
        #expect(result.string == old, "\(result.report.errors)")
        // The oldest save serves for every version.
        let oldest = document(try #require(Self.saves["1.0"]))
        let other = Migration.rollBack(document(new), rules: Self.history, to: version, former: oldest)
        #expect(other.string == old, "\(other.report.errors)")
    }

    @Test func whatWasPlayedSinceComesBackToo() throws {
        let new =
            #"{"v":"2.0","health":9,"difficulty":"normal","wallet":{"amount": 99,"bank":1},"x":1,"y":5,"#
            + #""odd":"\u0041","volume":7,"more":[1]}"#
        let old = document(try #require(Self.saves["1.0"]))
        let result = Migration.rollBack(document(new), rules: Self.history, to: "1.0", former: old)
        #expect(result.string == #"{"v":"1.0","hp":9,"hard":false,"coins":99,"at":"1;5","odd":"\u0041","more":[1]}"#)
        #expect(result.report.dropped.map(\.place.description) == ["/volume", "/coins/bank"])
    }

    @Test func aDeviceCanStayAtAVersionInBetween() throws {
        let result = Migration.run(document(try #require(Self.saves["1.0"])), rules: Self.history, to: "1.2")
        #expect(result.string == Self.saves["1.2"])
    }

    @Test(arguments: [
        #"{"life":7,"coins":10}"#, #"{"v":"0.1 alpha","life":7,"coins":10}"#, #"{"v":null,"life":7,"coins":10}"#,
    ])
    func theLegacyStepsTryWhatNobodyKnows(_ save: String) throws {
        let result = Migration.run(document(save), rules: Self.history)
        let text = try #require(result.text, "\(result.report.errors)")
        let value = try JSONValue(parsing: text)
        #expect(
            value == ["v": "2.0", "health": 7, "difficulty": "normal", "wallet": ["amount": 10], "volume": 5]
        )
        #expect(result.report.from == (save.contains("alpha") ? "0.1 alpha" : nil))
        #expect(result.report.defaulted.map(\.place.description) == ["/hard", "/volume"])
    }

    @Test func withoutLegacyStepsAnUnknownVersionIsRefused() {
        let rules = stepping(.remove(at("/a")))
        for (save, says) in [
            (#"{"v":"0.x","a":1}"#, "nobody knows the save's version \"0.x\""), ("{}", "the save says no version"),
        ] {
            let result = Migration.run(document(save), rules: rules)
            #expect(result.text == nil && result.report.errors.first?.hasPrefix(says) == true)
        }
    }

    @Test(arguments: ["2.1", "10", "v3.0-beta"]) func aNewerSaveIsRefused(_ version: String) {
        let result = Migration.run(document(#"{"v":"\#(version)","life":1}"#), rules: Self.history)
        #expect(result.text == nil && result.report.steps.isEmpty)
        #expect(
            result.report.errors == [
                "the save is of version \"\(version)\" and this is \"2.0\"; update the game on this device"
            ]
        )
    }

    @Test func aDryRunChangesNothingAndReportsTheSame() throws {
        let save = document(try #require(Self.saves["1.0"]))
        let dry = Migration.run(save, rules: Self.history, dryRun: true)
        #expect(dry.text == nil && dry.report == Migration.run(save, rules: Self.history).report)
        let new = document(try #require(Self.saves["2.0"]))
        let dryBack = Migration.rollBack(new, rules: Self.history, to: "1.0", former: save, dryRun: true)
        #expect(dryBack.text == nil && dryBack.report.errors.isEmpty && dryBack.report.sizeAfter == save.bytes.count)
    }

    @Test func aResultThatTheRulesCannotReadIsRefused() {
        let rules = versioned(
            [Migration(from: "1", to: "2", steps: [.rename(at("/rank"), to: "level")])],
            ["/level": .init(.max, as: .number), "/coins": .init(.counter), "/tags": .init(.set)]
        )
        let result = Migration.run(document(#"{"v":"1","rank":"high"}"#), rules: rules)
        #expect(result.text == nil && result.report.errors == ["\"/level\" does not fit its rule: max cannot read it"])
        // What was unreadable before is no reason to lock the player out.
        let other = Migration.run(document(#"{"v":"1","rank":"7","coins":"x","tags":[]}"#), rules: rules)
        #expect(other.string == #"{"v":"2","level":"7","coins":"x","tags":[]}"#)
        #expect(other.report.unreadable.map(\.place.description) == ["/coins"])
    }

    @Test func theVersionStaysANumberWhereItWasOne() {
        let rules = versioned([Migration(from: "13", to: "14", steps: [])])
        #expect(Migration.run(document(#"{"v": 13.0}"#), rules: rules).string == #"{"v": 14}"#)
        #expect(Migration.run(document(#"{"v": "13"}"#), rules: rules).string == #"{"v": "14"}"#)
        #expect(Migration.rollBack(document(#"{"v": 14}"#), rules: rules, to: "13").string == #"{"v": 13}"#)
    }

    @Test func aRollBackGoesToAnEarlierListedVersionOnly() {
        for (version, target) in [("1.0", "2.0"), ("3.0", "1.0"), ("2.0", "0.9")] {
            let result = Migration.rollBack(document(#"{"v":"\#(version)"}"#), rules: Self.history, to: target)
            #expect(result.text == nil && result.report.errors.count == 1)
        }
    }

    @Test func aLargeSaveComesBackByteForByteToo() {
        let levels = (0..<3_000).map { "\"l\($0)\": {\"s\": \($0).0, \"at\": \"1;2\"}" }.joined(separator: ",\n")
        let save = document("{\"v\": \"1\", \"levels\": {\(levels)}}")
        let rules = stepping(
            .rename(at("/levels/*/s"), to: "stars"),
            .fill(at("/levels/*/best/lap/ms"), value: 0),
            .split(at("/levels/*/at"), by: ";", into: ["x", "y"], asNumbers: true),
            .wrap(at("/levels/*/stars"), as: "n")
        )
        let there = Migration.run(save, rules: rules)
        #expect(there.outcomes == Array(repeating: .done(3_000), count: 4))
        let new = document(there.string ?? "0")
        let back = Migration.rollBack(new, rules: rules, to: "1", former: save)
        #expect(back.text == save.bytes, "\(back.report.errors)")
    }

    @Test func aSaveThatWouldGrowWithoutBoundIsRefused() {
        let name = JSONString(String(repeating: "x", count: 200_000))
        let save = document(
            .object([.init(key: "v", value: "1"), .init(key: "a", value: .array(Array(repeating: 1, count: 1_000)))])
        )
        let result = Migration.run(save, rules: stepping(.wrap(at("/a/*"), as: name)))
        #expect(result.report.errors.first?.contains("would have more than 67108864 bytes") == true)
        let deep = document(
            #"{"v":"1","a":\#(String(repeating: "[", count: 510))\#(String(repeating: "]", count: 510))}"#
        )
        let wraps = Array(repeating: MigrationStep.wrap(at("/a"), as: "b"), count: 5)
        let deeper = Migration.run(deep, rules: versioned([Migration(from: "1", to: "2", steps: wraps)]))
        #expect(deeper.text == nil && deeper.outcomes.count == 2)
    }
}
