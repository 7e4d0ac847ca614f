import HearthKit
import LosslessJSON
import MergeCore
import RuleFile
import Testing

/// The merge rule that each kind of field declares.
struct FieldRuleTests {
    static let expected: [(path: String, rule: MergeRule)] = [
        ("/level", MergeRule(.max)),
        ("/lastPlayed", MergeRule(.max, as: .date)),
        ("/bestScores/*", MergeRule(.max)),
        ("/bestLap", MergeRule(.min, none: [0])),
        ("/fewestMoves", MergeRule(.min, none: [-1, 0])),
        ("/bestTime", MergeRule(.min)),
        ("/firstWin", MergeRule(.min, as: .date)),
        ("/unlockedAt/*", MergeRule(.min, as: .date)),
        ("/coins", MergeRule(.counter)),
        ("/kills/*", MergeRule(.counter)),
        ("/themes", MergeRule(.union)),
        ("/hints/*", MergeRule(.union)),
        ("/friends", MergeRule(.set)),
        ("/tutorialDone", MergeRule(.flag)),
        ("/chests/*", MergeRule(.flag)),
        ("/badges", MergeRule(.union, as: .bits)),
        ("/achievementBits", MergeRule(.union, as: .bits)),
        ("/displayName", MergeRule(.latest)),
        ("/colours/*", MergeRule(.latest, whole: true)),
        ("/keys", MergeRule(.latest, whole: true)),
        ("/ending", MergeRule(.choice)),
        ("/campaign", MergeRule(.furthest, by: ["chapter", "xp"])),
        ("/grid", MergeRule(.local)),
        ("/volume", MergeRule(.local)),
        ("/history", MergeRule(.union, sort: "playedAt", limit: 200)),
        ("/inventory[id]/id", MergeRule(.latest)),
        ("/inventory[id]/count", MergeRule(.counter)),
        ("/inventory[id]/name", MergeRule(.latest)),
        ("/equipment[slot]/slot", MergeRule(.latest)),
        ("/equipment[slot]/power", MergeRule(.max)),
        ("/theme", MergeRule(.latest)),
        ("/position", MergeRule(.latest, whole: true)),
        ("/outcome", MergeRule(.latest, whole: true)),
        ("/note", MergeRule(.latest)),
        ("/pet/name", MergeRule(.latest)),
        ("/pet/treats", MergeRule(.counter)),
        ("/stats/games", MergeRule(.counter)),
        ("/stats/streak", MergeRule(.max)),
        ("/stats/quickest", MergeRule(.min)),
        ("/levels/*/stars", MergeRule(.max)),
        ("/levels/*/moves", MergeRule(.min)),
        ("/levels/*/skin", MergeRule(.latest)),
        ("/tags", MergeRule(.set)),
        ("/route", MergeRule(.latest)),
        ("/options/*", MergeRule(.latest)),
    ]

    @Test("each field declares its rule, in the order of the type") func rules() throws {
        let entries = try Player.rules.entries
        #expect(entries.map(\.pattern.description) == Self.expected.map(\.path))
        for (entry, expected) in zip(entries, Self.expected) {
            #expect(entry.rule == expected.rule, "\(expected.path)")
        }
    }

    @Test("a printed rule file reads back as the same rules, with version and resets") func ruleFile() throws {
        for type in [Player.self, Versioned.self] as [any Profile.Type] {
            let (rules, file) = (try type.rules, try type.ruleFile)
            let back = try RuleSet(yaml: file)
            #expect(back.entries == rules.entries)
            #expect(back.profile == "\(type)" && back.version == type.version && back.versionAt == "/version")
            #expect(back.resets == rules.resets && back.migrations == rules.migrations && back.legacy == rules.legacy)
            #expect(back.yaml == file)
        }
        let resets = try Player.rules.resets
        #expect(resets.map(\.name) == ["progress", "games", "everything"])
        #expect(
            resets.map { $0.patterns.map(\.description) } == [
                ["/level", "/coins", "/levels"], ["/stats/games", "/inventory[id]/count"], [""],
            ]
        )
    }

    @Test("a rule file is what a person would have written") func spelling() throws {
        struct Small: Profile {
            @Highest var level = 1
            @Lowest var bestLap = 0
            @Counter var coins = 0
            var levels: [String: LevelResult] = [:]
            static let profileName = "Small game"
            static let resets = [ResetScope("progress", CodingKeys.level, .coins)]
        }
        #expect(
            try Small.ruleFile == """
                profile: "Small game"
                version: "1"
                versionAt: /version
                rules:
                  /level: max
                  /bestLap: {merge: min, none: [0]}
                  /coins: counter
                  /levels/*/stars: max
                  /levels/*/moves: min
                  /levels/*/skin: latest
                resets:
                  progress: [/level, /coins]

                """
        )
    }

    @Test("a field is found by its place, with the names of that place") func fields() throws {
        let codec = try ProfileCodec<Player>()
        func name(_ steps: PathStep...) -> String? { codec.field(at: DocumentPath(steps))?.description }
        #expect(name(.member("coins")) == "@Counter coins: Int")
        #expect(name(.member("levels"), .member("7"), .member("stars")) == "@Highest levels.7.stars: Int")
        #expect(
            name(.member("inventory"), .element(Array("\"sword\"".utf8)), .member("count"))
                == "@Counter inventory.\"sword\".count: Int"
        )
        #expect(name(.member("position"), .member("x")) == "position: Position")
        #expect(name(.member("cheats")) == nil)
        #expect(codec.field(at: DocumentPath([.member("kills"), .member("orc")]))?.path == "/kills/*")
    }

    @Test("types of one's own can be ranked and counted") func ownTypes() throws {
        struct Profile1: Profile {
            @Highest var rank = Rank.bronze
            @Highest var score = BigNumber(text: "0")
            @Counter var gold = Gold(amount: 0)
        }
        #expect(try rule("/rank", of: Profile1.self) == MergeRule(.max))
        #expect(try rule("/score", of: Profile1.self) == MergeRule(.max, as: .number))
        #expect(try rule("/gold", of: Profile1.self) == MergeRule(.counter))
        let profile = Profile1(rank: .gold, score: BigNumber(text: "1e400"), gold: Gold(amount: 3))
        #expect(
            try fresh(profile) == """
                {
                  "version": "1",
                  "rank": 3,
                  "score": "1e400",
                  "gold": 3
                }

                """
        )
    }
}

enum Rank: Int, Codable, RankedValue { case bronze = 1, silver, gold }

struct BigNumber: Codable, RankedValue {
    var text: String
    static let ranking = Ranking.numericText
    init(text: String) { self.text = text }
    init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

struct Gold: Codable, CounterValue {
    var amount: Int
    init(amount: Int) { self.amount = amount }
    init(from decoder: any Decoder) throws { amount = try decoder.singleValueContainer().decode(Int.self) }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(amount)
    }
}
