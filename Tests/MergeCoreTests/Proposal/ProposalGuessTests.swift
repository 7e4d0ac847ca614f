import LosslessJSON
import MergeCore
import Testing

/// What is guessed of a save, field by field.
@Suite struct ProposalGuessTests {
    static let save = #"""
        {
          "saveVersion": 12, "playerLevel": 7, "high_score": 9001, "XP": 120, "rank": 3, "longest-streak": 12,
          "bestLapTime": 0, "fewestMoves": 31, "coins": 120, "perkPoints": 3, "totalKills": 44, "playTime": 3600.5,
          "highestDamage": "7.18e+369377954", "antimatterTotal": "1e12", "tutorialDone": true, "hasBeatenBoss": false,
          "unlockedThemes": ["dark", "neon"], "achievements": [1, 5, 7], "friends": ["ann"], "favoriteSongs": [],
          "achievementBits": 255, "firstLogin": "2023-05-01T10:00:00Z", "lastPlayed": "2024-05-01 10:00:00 +0200",
          "createdAt": 1671293406234, "displayName": "Ann", "seed": 77, "currentLevel": 4, "health": 10,
          "position": {"x": 1.5, "y": 2, "z": -3}, "tint": {"r": 1, "g": 2, "b": 3},
          "settings": {"volume": 3, "keys": {"jump": "space"}}, "musicVolume": 4, "grid": [[0, 1], [1, 0]],
          "currentGame": {"score": 3}, "selectedTheme": "dark", "language": "en",
          "inventory": [{"id": "potion", "count": 3, "level": 2}, {"id": "axe", "count": 1, "level": 1}],
          "levels": {"forest": {"stars": 3, "bestTime": 31.5, "done": true},
                     "cave": {"stars": 1, "bestTime": 0, "done": false},
                     "keep": {"stars": 0, "bestTime": -1, "done": false}},
          "stats": {"jumps": 12, "deaths": 3, "distance": 12.5, "bestCombo": 9, "currentStreak": 2},
          "mined": {"minecraft:stone": 3, "minecraft:dirt": 9},
          "kills": {"troll": 3, "zombie": 5}, "slots": {"1": {"score": 5}, "2": {"score": 7}},
          "history": [{"playedAt": "2024-01-01", "score": 3}, {"playedAt": "2024-01-02", "score": 4}],
          "quests": [{"name": "a", "completed": true}, {"name": "b", "completed": false}],
          "stars": [3, 2, 0], "bestTimes": [12.5, 0, 33], "path": [1, 2, 2], "trophies": ["a", "a"],
          "thisRun": {"coins": 3}, "checksum": "a5f0", "loadout": null
        }
        """#

    static let guesses: [(String, MergeRule)] = [
        ("/saveVersion", .init(.max)), ("/playerLevel", .init(.max)), ("/high_score", .init(.max)),
        ("/XP", .init(.max)),
        ("/rank", .init(.max)), ("/longest-streak", .init(.max)),
        ("/bestLapTime", .init(.min, none: [0, -1, .null])), ("/fewestMoves", .init(.min, none: [0, -1, .null])),
        ("/coins", .init(.counter)), ("/perkPoints", .init(.counter)), ("/totalKills", .init(.counter)),
        ("/playTime", .init(.counter)), ("/highestDamage", .init(.max, as: .number)),
        ("/antimatterTotal", .init(.counter, as: .number)), ("/tutorialDone", .init(.flag)),
        ("/hasBeatenBoss", .init(.flag)), ("/unlockedThemes", .init(.union)), ("/achievements", .init(.union)),
        ("/friends", .init(.set)), ("/favoriteSongs", .init(.set)), ("/achievementBits", .init(.union, as: .bits)),
        ("/firstLogin", .init(.min, as: .date)), ("/lastPlayed", .init(.max, as: .date)),
        ("/createdAt", .init(.min, none: [0, -1, .null])), ("/position", .init(.latest, whole: true)),
        ("/tint", .init(.latest, whole: true)), ("/settings/**", .init(.local)), ("/musicVolume", .init(.local)),
        ("/grid", .init(.local)), ("/currentGame/**", .init(.local)), ("/selectedTheme", .init(.local)),
        ("/language", .init(.local)), ("/inventory[id]", .init(.latest)), ("/inventory[id]/count", .init(.counter)),
        ("/inventory[id]/level", .init(.max)), ("/levels/*/stars", .init(.max)),
        ("/levels/*/bestTime", .init(.min, none: [0, -1, .null])), ("/levels/*/done", .init(.flag)),
        ("/stats/*", .init(.counter)), ("/stats/bestCombo", .init(.max)),
        ("/stats/currentStreak", .init(.latest)), ("/mined/*", .init(.counter)),
        ("/kills/*", .init(.counter)), ("/slots/*/score", .init(.max)), ("/history", .init(.union, sort: "playedAt")),
        ("/quests[name]", .init(.latest)), ("/quests[name]/completed", .init(.flag)), ("/stars/*", .init(.max)),
        ("/bestTimes/*", .init(.min, none: [0, -1, .null])), ("/thisRun", .init(.latest, whole: true)),
    ]

    private func proposal(_ text: String) -> RuleProposal { RuleProposal(for: document(text)) }

    @Test func everyFieldOfATypicalSave() {
        let proposal = proposal(Self.save)
        var found = Dictionary(uniqueKeysWithValues: proposal.guesses.map { ($0.pattern.description, $0.rule) })
        for (path, rule) in Self.guesses {
            let guess = found.removeValue(forKey: path)
            #expect(guess == rule, "\(path)")
        }
        // Names, seeds, what is full or empty, where one is: nothing is guessed of them.
        #expect(found.isEmpty)
        #expect(proposal.rules.versionAt == "/saveVersion")
        #expect(proposal.checksums.map(\.description) == ["/checksum"])
        #expect(proposal.guesses.allSatisfy { !$0.reason.isEmpty && !$0.reason.contains("\n") })
        #expect(proposal.guesses.map(\.group) == proposal.guesses.map(\.group).sorted())
    }

    /// Values change sides of what is guessed of their names.
    @Test(
        arguments: [
            (#"{"coins": "many"}"#, []), (#"{"level": true}"#, []), (#"{"level": null}"#, []), (#"{"done": 1}"#, []),
            (#"{"unlocked": [[1]]}"#, []), (#"{"unlocked": [1, true]}"#, []), (#"{"unlocked": {}}"#, []),
            (#"{"achievementBits": -1}"#, []), (#"{"achievementBits": 1.5}"#, []),
            (#"{"secretBits": [1, 2]}"#, ["/secretBits/*"]), (#"{"unlocked": [true, false]}"#, ["/unlocked/*"]),
            (#"{"totalDamage": "1e999"}"#, ["/totalDamage"]),
            (#"{"a*": {"coins": 1}, "*": 3, "a[b]": {"coins": 1}}"#, ["/a*/coins"]),
            (#"[{"id": 1, "coins": 3}]"#, ["/[id]/coins", "/[id]"]), (#"[{"name": "x", "coins": 3}]"#, []),
            (#"{"things": [{"id": 1, "coins": 3}, {"id": 1, "coins": 3}]}"#, []),
            (#"{"things": [{"id": 1, "coins": 3}, {"coins": 3}]}"#, []),
            (#"{"things": [{"id": {}, "coins": 3}]}"#, []),
            (#"{"heroes": [{"heroId": 4, "xp": 3}]}"#, ["/heroes[heroId]/xp", "/heroes[heroId]"]),
            (#"{"levels": {"1": 3, "2": 1}}"#, ["/levels/*"]), (#"{"level1": 3, "level2": 1, "level3": 0}"#, ["/*"]),
            (
                #"{"minecraft:a": {"done": true}, "b:c": {"done": false}, "d:e": {}, "f:g": {}, "coins": 3}"#,
                ["/coins", "/*/done"]
            ),
            (#"{"log": [{"at": "2024-01-01"}]}"#, ["/log"]), (#"{"log": [{"x": "2024"}]}"#, []),
            (#"{"\ud800": {"coins": 1}, "a\u0000": {"coins": 1}}"#, []),
            ("{\"\u{301}\": {\"coins\": 1}}", ["/\u{301}/coins"]),
        ] as [(String, [String])]
    )
    func valuesDecideToo(text: String, patterns: [String]) {
        #expect(proposal(text).guesses.map(\.pattern.description) == patterns)
    }

    @Test func hugeTotalsAreNotAddedUp() {
        #expect(proposal(#"{"totalDamage": "1e999"}"#).guesses[0].rule == MergeRule(.max, as: .number))
    }

    @Test func aCollectionsNameSaysMoreThanItsNumbers() {
        let guesses = proposal(#"{"bestTimes": {"level1": 3, "level2": 1, "level3": 0}}"#).guesses
        #expect(guesses.map(\.rule) == [MergeRule(.min, none: [0, -1, .null])])
    }

    /// Members beside a dictionary's entries are none of them.
    @Test func scalarsBesideADictionaryKeepTheStandard() {
        let rules = proposal(
            #"{"kills":{"a:":3,"b:":1,"c:":2, "d:": 3, "e:": 1, "f:": 1, "g:": 1, "h:": 1, "best": 3, "note": 2}}"#
        ).rules
        #expect(rules.rule(for: DocumentPath([.member("kills"), .member("m:z")])) == MergeRule(.counter))
        #expect(rules.rule(for: DocumentPath([.member("kills"), .member("best")])) == MergeRule(.max))
        #expect(rules.rule(for: DocumentPath([.member("kills"), .member("note")])) == .standard)
    }
}
