import LosslessJSON
import MergeCore
import RuleProposals
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
          "stars": [3, 2, 0], "bestTimes": [12.5, 0, 33], "path": [1, 2, 2], "trophies": ["a", "b"], "badges": ["a", "a"],
          "thisRun": {"coins": 3}, "loadout": null
        }
        """#

    static let guesses: [(String, MergeRule)] = [
        ("/high_score", .init(.max)), ("/longest-streak", .init(.max)), ("/highestDamage", .init(.max, as: .number)),
        ("/bestLapTime", .init(.min, none: [0, -1, .null])), ("/fewestMoves", .init(.min, none: [0, -1, .null])),
        ("/coins", .init(.counter)), ("/totalKills", .init(.counter)), ("/playTime", .init(.counter)),
        ("/kills/*", .init(.counter)), ("/stats/deaths", .init(.counter)), ("/stats/jumps", .init(.counter)),
        ("/stats/bestCombo", .init(.max)), ("/levels/*/stars", .init(.max)),
        ("/tutorialDone", .init(.flag)), ("/unlockedThemes", .init(.union)), ("/achievements", .init(.union)),
        ("/trophies", .init(.union)), ("/achievementBits", .init(.union, as: .bits)),
        ("/position", .init(.latest, whole: true)), ("/tint", .init(.latest, whole: true)),
        ("/currentGame", .init(.latest, whole: true)), ("/thisRun", .init(.latest, whole: true)),
        ("/inventory[id]", .init(.latest)), ("/inventory[id]/count", .init(.counter)), ("/settings/**", .init(.local)),
    ]

    private func proposal(_ text: String) -> RuleProposal { RuleProposal(for: document(text)) }

    @Test func everyFieldOfATypicalSave() {
        let proposal = proposal(Self.save)
        var found = Dictionary(uniqueKeysWithValues: proposal.guesses.map { ($0.pattern.description, $0.rule) })
        for (path, rule) in Self.guesses {
            let guess = found.removeValue(forKey: path)
            #expect(guess == rule, "\(path)")
        }
        // In doubt nothing: levels and experience are spent, dates and versions are set anew, totals start over.
        #expect(found.isEmpty, "\(found)")
        #expect(proposal.rules.versionAt == "/saveVersion")
        #expect(proposal.checksums.isEmpty)
        #expect(proposal.guesses.allSatisfy { !$0.reason.isEmpty && !$0.reason.contains("\n") })
        #expect(proposal.guesses.map(\.group) == proposal.guesses.map(\.group).sorted())
    }

    /// Values change sides of what is guessed of their names.
    @Test(
        arguments: [
            (#"{"coins": "many"}"#, []), (#"{"coins": "12"}"#, ["/coins"]), (#"{"coins": "1.2e3"}"#, []),
            (#"{"coins": "012"}"#, []), (#"{"coins": -1}"#, []), (#"{"coins": 1e999}"#, []),
            (#"{"coins": 1.5}"#, ["/coins"]), (#"{"highScore": true}"#, []), (#"{"highScore": null}"#, []),
            (#"{"tutorialDone": 1}"#, []), (#"{"unlockedSkins": [[1]]}"#, []), (#"{"unlockedSkins": [1, true]}"#, []),
            (#"{"unlockedSkins": {}}"#, []), (#"{"unlockedSkins": ["a", "a"]}"#, []),
            (#"{"achievementBits": -1}"#, []), (#"{"achievementBits": 1.5}"#, []),
            (#"{"levels": {"1": {"stars": 3}, "2": {"stars": 9}}}"#, []),
            (#"{"a*": {"coins": 1}, "*": 3, "a[b]": {"coins": 1}}"#, ["/a*/coins"]),
            (#"[{"id": 1, "coins": 3}]"#, []),
            (#"[{"id": 1, "coins": 3}, {"id": 2, "coins": 3}]"#, ["/[id]/coins", "/[id]"]),
            (#"{"things": [{"id": 1, "coins": 3}, {"id": 1, "coins": 3}]}"#, []),
            (#"{"things": [{"id": 1, "coins": 3}, {"coins": 3}]}"#, []),
            (#"{"things": [{"name": "a", "coins": 3}, {"name": "b", "coins": 3}]}"#, []),
            (#"{"log": [{"at": "2024-01-01"}]}"#, []),
            (#"{"\ud800": {"coins": 1}, "a\u0000": {"coins": 1}}"#, []),
            ("{\"\u{301}\": {\"coins\": 1}}", ["/\u{301}/coins"]),
            (#"{"settings": {"volume": 3, "coins": 3}}"#, ["/settings/coins"]),
            (#"{"settings": {"difficulty": 3}}"#, []),
            (#"{"userSettings": {"deep": [{"music": true}]}}"#, ["/userSettings/**"]),
            (#"{"options": {"ask": true}}"#, []), (#"{"keybindings": {"jump": "space"}}"#, ["/keybindings/**"]),
        ] as [(String, [String])]
    )
    func valuesDecideToo(text: String, patterns: [String]) {
        #expect(proposal(text).guesses.map(\.pattern.description) == patterns)
    }

    /// Names that once misled, or may: none of them is enough.
    @Test(arguments: [
        "_used_key", "usedPotions", "xp", "level", "rank", "score", "stars", "totalStars", "maxHp", "maxLevel",
        "bestTime",
        "bestWeapon", "mostRecentRun", "killsToNextLevel", "killsThisRun", "winStreak", "coinMultiplier",
        "goldPerSecond",
        "moneyUpgradeLevel", "gemCost", "deathsRemaining", "runCount", "playMode", "dailyHighScore",
        "previousBestScore",
        "createdAt", "lastPlayed", "count", "amount", "energy", "saveVersion", "window", "cacheSize", "musicVolume",
    ])
    func inDoubtNothing(name: String) {
        #expect(proposal(#"{"\#(name)": 3, "player": {"\#(name)": 4}}"#).guesses.isEmpty)
    }

    @Test(arguments: [
        "window_open", "cache_found", "door_closed", "vault_unlocked", "quest_completed", "seen_intro", "board",
    ])
    func aSwitchIsNoFlagAndStaysNotHere(name: String) {
        #expect(proposal(#"{"\#(name)": true, "world": {"\#(name)": false}}"#).guesses.isEmpty)
    }

    /// What rises in other games falls in one that starts over.
    @Test func aGameThatStartsOverKeepsOnlyItsHighScore() {
        let text = #"""
            {"prestige": 3, "highestZone": 7, "highScore": 5, "unlockedUpgrades": ["a"], "unlockedSkins": ["b"], "money": 3}
            """#
        let guesses = proposal(text).guesses.map(\.pattern.description)
        #expect(guesses == ["/highScore", "/money", "/unlockedSkins"])
    }

    /// Members beside a dictionary's entries are none of them.
    @Test func scalarsBesideADictionaryKeepTheStandard() {
        let rules = proposal(
            #"{"kills":{"a:":3,"b:":1,"c:":2, "d:": 3, "e:": 1, "f:": 1, "g:": 1, "h:": 1, "note": 2}}"#
        ).rules
        #expect(rules.rule(for: DocumentPath([.member("kills"), .member("m:z")])) == MergeRule(.counter))
        #expect(rules.rule(for: DocumentPath([.member("kills"), .member("note")])) == .standard)
    }

    // MARK: The save as one whole

    @Test(arguments: [
        (#"{"coins": 3, "checksum": "a5f0"}"#, MergeRule(.choice, whole: true)),
        (#"{"data": {"coins": 3}, "salt": "9f3aa1c0de", "hash": "77aa01"}"#, MergeRule(.choice, whole: true)),
        (#"{"coins": 3, "salt": "9f3aa1c0de"}"#, MergeRule(.choice, whole: true)),
        (#"{"data": "AAAA", "meta": {"crc": 305419896}}"#, MergeRule(.choice, whole: true)),
        (#"{"coins": 3, "playTime": 60, "signature": "qg=="}"#, MergeRule(.furthest, whole: true, by: ["playTime"])),
    ])
    func aSaveWithAChecksumIsOneWhole(text: String, rule: MergeRule) {
        let proposal = proposal(text)
        #expect(proposal.guesses.map(\.rule) == [rule] && proposal.guesses[0].pattern.description.isEmpty)
        #expect(!proposal.checksums.isEmpty)
    }

    @Test(arguments: [
        #"{"inventory": {"salt": 3}}"#, #"{"salt": 12}"#, #"{"player": {"passwordHash": "a5f0c3"}}"#,
        #"{"worldHash": "a5f0c3"}"#, #"{"hash": 3}"#, #"{"a": {"b": {"hash": "a5f0c3"}}}"#, #"{"hash": "not one"}"#,
    ])
    func otherHashesAreNone(text: String) {
        #expect(proposal(text).checksums.isEmpty && proposal(text).guesses.isEmpty)
    }

    @Test func aStoryIsOneWhole() {
        let whole = [MergeRule(.choice, whole: true)]
        let switches = (0..<20).map { #""door_\#($0)x": \#($0 % 2 == 0)"# }.joined(separator: ",")
        #expect(proposal("{\(switches), \"coins\": 3, \"scene\": \"hall\"}").guesses.map(\.rule) == whole)
        let used = (0..<20).map { #""_used_\#($0)x": \#($0 % 2)"# }.joined(separator: ",")
        #expect(proposal("{\(used), \"coins\": 3}").guesses.map(\.rule) == whole)
        let list = (0..<20).map { $0 == 0 ? "null" : "\($0 % 2 == 0)" }.joined(separator: ",")
        #expect(proposal("{\"switches\": {\"data\": [\(list)]}, \"coins\": 3}").guesses.map(\.rule) == whole)
        // Achievements, settings, and one switch of many things are no story.
        let done = (0..<20).map { #""l\#($0)x": {"solved": true, "tries": 3}"# }.joined(separator: ",")
        for text in [
            "{\"achievements\": {\(switches)}, \"coins\": 3}", "{\"settings\": {\(switches)}, \"coins\": 3}",
            "{\"levels\": {\(done)}, \"coins\": 3}",
        ] {
            #expect(!proposal(text).guesses.contains { $0.rule.isWhole }, "\(text)")
        }
    }
}
