import LosslessJSON
import MergeCore
import RuleProposals
import Testing

/// What two machines played apart must not cost: where a purse adds up, what it buys does, too. And what is no evidence.
struct BoughtThingsTests {
    private func guesses(_ text: String) throws -> [String: MergeRule] {
        let proposal = RuleProposal(for: try JSONDocument(parsing: Array(text.utf8)))
        return Dictionary(uniqueKeysWithValues: proposal.guesses.map { ($0.pattern.description, $0.rule) })
    }

    private static let least = MergeRule(.min, none: [0, -1, .null])
    private static let one = MergeRule(.latest, whole: true)

    static let rows: [(save: String, rules: [String: MergeRule])] = [
        // A list of stacks, each of another kind. "itemId" is the id of what an inventory holds.
        (
            #"{"gold": 830, "inventory": [{"itemId": "potion", "quantity": 5}, {"itemId": "rope", "quantity": 1}]}"#,
            [
                "/gold": .init(.counter), "/inventory[itemId]": .init(.latest),
                "/inventory[itemId]/quantity": .init(.counter),
            ]
        ),
        // A slot says that a second stack of one id may follow, and under a list by that id nothing is synced then. By the
        // slot, a bag that is sorted here and used there would hold things twice. So the bag of one machine is right.
        (
            #"{"inventory": [{"slot": 0, "id": "hoe", "qty": 1}, {"slot": 1, "id": "wood", "qty": 140}]}"#,
            ["/inventory": one]
        ),
        (#"{"bag": [{"slot": 0, "item": "hoe"}, {"slot": 1, "item": "wood"}]}"#, [:]),
        (
            #"{"pets": [{"id": "wolf", "uid": "a1", "xp": 3}, {"id": "owl", "uid": "a2", "xp": 3}]}"#,
            ["/pets[uid]": .init(.latest)]
        ),
        // Equipment: no stacks, so the id is that of one thing.
        (
            #"{"equipment": [{"slot": "head", "id": "i7"}, {"slot": "feet", "id": "i9"}]}"#,
            ["/equipment[id]": .init(.latest)]
        ),
        (
            #"{"equipment": [{"slot": "head", "item": "cap"}, {"slot": "feet", "item": "cap"}]}"#,
            ["/equipment[slot]": one]
        ),
        // An id of something else, or of a collection with another name, identifies nothing.
        (#"{"houses": [{"ownerId": 1, "quantity": 1}, {"ownerId": 2, "quantity": 2}]}"#, [:]),
        (#"{"things": [{"itemId": 1, "quantity": 1}, {"itemId": 2, "quantity": 2}]}"#, [:]),
        (#"{"inventory": [{"itemId": 1, "quantity": 1}, {"itemId": 1, "quantity": 2}]}"#, [:]),
        // Outside a collection of things "count" may be anything.
        (#"{"waves": [{"id": 1, "count": 4}, {"id": 2, "count": 9}]}"#, ["/waves[id]": .init(.latest)]),
        // Bought with coins. In a level it is how many were used.
        (#"{"hints": 5, "levels": {"1": {"hints": 1}, "2": {"hints": 0}}}"#, ["/hints": .init(.counter)]),
        (#"{"hints": true}"#, [:]), (#"{"hint": 3}"#, [:]),
        // Beside the fewest moves a best time is the shortest; beside a score it may be the longest.
        (
            #"{"levels": {"1": {"bestMoves": 9, "bestTime": 20.5}, "2": {"bestMoves": 0, "bestTime": 0}}}"#,
            ["/levels/*/bestMoves": least, "/levels/*/bestTime": least]
        ),
        (
            #"{"levels": {"1": {"bestScore": 9, "bestTime": 20.5}, "2": {"bestScore": 0, "bestTime": 0}}}"#,
            ["/levels/*/bestScore": .init(.max)]
        ),
        (#"{"bestMoves": 3, "bestTime": 7}"#, ["/bestMoves": least]),
        (
            #"{"lastUnlockedLevel": 13, "highestLevel": 7, "highestRating": 1250}"#,
            ["/lastUnlockedLevel": .init(.max), "/highestLevel": .init(.max), "/highestRating": .init(.max)]
        ),
        (#"{"lastLevel": 3, "highestBid": 7, "maxLevel": 9, "highestRank": 2}"#, [:]),
        // Lists of which a game keeps a book. A list of one level, of a screen or of today starts over.
        (
            #"""
            {"visitedMaps": ["town"], "chestsOpened": [], "mailReceived": ["m1"], "collectedStickers": ["cat", "sun"],
             "discovered_recipes": [3, 4], "completedQuests": ["q1"]}
            """#,
            [
                "/visitedMaps": .init(.union), "/chestsOpened": .init(.union), "/mailReceived": .init(.union),
                "/collectedStickers": .init(.union), "/discovered_recipes": .init(.union),
                "/completedQuests": .init(.union),
            ]
        ),
        (
            #"""
            {"visited": ["lake"], "collectedKeys": ["red"], "openedTabs": ["a"], "completedTasks": [1], "foundWords": ["cat"],
             "dailyCompleted": ["2024-05-01"], "lettersReceived": ["a", "a"], "visitedMaps": {"town": true}}
            """#, [:]
        ),
        (#"{"prestige": 2, "visitedMaps": ["town"], "lastUnlockedLevel": 4, "highestLevel": 7}"#, [:]),
        // What is over stays as it was; each machine adds its own.
        (
            #"{"totalRuns": 2, "runs": [{"runId": "r1", "coins": 3, "won": true}, {"runId": "r2", "coins": 4, "won": false}]}"#,
            ["/totalRuns": .init(.counter), "/runs[runId]": one]
        ),
        (
            #"{"games": [{"id": 1, "coins": 3}, {"id": 2, "coins": 4}]}"#,
            ["/games[id]": .init(.latest), "/games[id]/coins": .init(.counter)]
        ),
        (#"{"enemies": [{"id": 1, "hp": 3}, {"id": 2, "hp": 4}], "thisRun": [{"id": 1}, {"id": 2}]}"#, [:]),
        (
            #"{"enemiesKilled": 312, "stepsWalked": 90211, "damageTaken": 4, "enemiesSeen": 5}"#,
            ["/enemiesKilled": .init(.counter), "/stepsWalked": .init(.counter)]
        ),
        // Numbers as text, where Hearth spells a sum as the game does.
        (#"{"gold": "1234", "silver": "1.57e9", "gems": "007"}"#, ["/gold": .init(.counter, as: .number)]),
        // Upgrades are gone with the run, and the list says no more than that they are here now.
        (#"{"upgrades": ["cursor", "farm"]}"#, [:]),
        // In a game with prestige what was bought falls to nothing with its purse, and so may achievements by bits.
        (
            #"{"eternities": 0, "antimatter": "1e30", "totalTickBought": 40, "achievementBits": [255, 3]}"#, [:]
        ),
        (
            #"{"totalPotionsBought": 40, "achievementBits": [255, 3], "bits": [1, 2]}"#,
            ["/totalPotionsBought": .init(.counter), "/achievementBits/*": .init(.union, as: .bits)]
        ),
        (#"{"achievementBits": [255, 1.5]}"#, [:]), (#"{"achievementBits": ["a"]}"#, [:]),
        // An achievement with what it asks for, each with a date.
        (
            #"""
            {"game:story/iron": {"criteria": {"used_iron": "2023-05-01 10:00:00 +0200"}, "done": true},
             "game:story/gold": {"criteria": {"found_gold": "2023-05-02 10:00:00 +0200"}, "done": false}}
            """#,
            ["/*/criteria/*": .init(.min, as: .date), "/*/done": .init(.flag)]
        ),
        (#"{"contract": {"criteria": {"speed": "fast", "height": "low"}, "done": true}}"#, [:]),
    ]

    @Test(arguments: rows.indices) func whatIsGuessed(row: Int) throws {
        let found = try guesses(Self.rows[row].save)
        #expect(found == Self.rows[row].rules, "\(Self.rows[row].save)")
    }
}
