import LosslessJSON
import MergeCore
import Testing

/// Which places of a save each rule decides about.
@Suite struct RuleReachTests {
    private static let save = #"""
        {"coins": 5, "player": {"level": 3, "name": "Ada"}, "best": {"1": 10, "2": 20}, "themes": ["day", "night"],
         "items": [{"id": "sword", "count": 1}, {"id": "bow", "count": 2}], "settings": {"sound": {"left": 1, "right": 2}},
         "empty": {}}
        """#

    private func reach(_ lines: [(String, MergeRule)], lookingAt limit: Int = 50_000) throws -> RuleReach {
        let rules = try RuleSet(lines.map { RuleSet.Entry(try RulePattern(parsing: $0.0), $0.1) })
        return RuleReach(of: rules, in: try JSONDocument(parsing: Array(Self.save.utf8)), lookingAt: limit)
    }

    @Test func eachPlaceCountsForTheMostSpecificRule() throws {
        let lines: [(String, MergeRule)] = [
            ("/best/*", MergeRule(.max)), ("/best/2", MergeRule(.min)), ("/items[id]/count", MergeRule(.counter)),
            ("/themes", MergeRule(.union)), ("/player", MergeRule(.latest, whole: true)),
            ("/settings", MergeRule(.local)),
            ("/nothing", MergeRule(.flag)),
        ]
        let reach = try reach(lines)
        #expect(reach.counts == [1, 1, 2, 1, 1, 2, 0])
        // The coins, both names of items, and the empty object.
        #expect(reach.others == 4 && reach.isWhole)
        #expect(reach.places["/items[id]/count"] == MergeRule(.counter) && reach.places["/coins"] == .standard)
        #expect(reach.places["/player"]?.whole == true && reach.places["/player/level"] == nil)
        #expect(reach.places["/settings/sound/left"] == MergeRule(.local))
    }

    @Test func withoutRulesEveryLeafIsTheLastWriters() throws {
        let reach = try reach([])
        #expect(reach.counts == [] && reach.places.values.allSatisfy { $0 == .standard })
        // An array that no rule takes apart is one value.
        #expect(reach.others == 10 && reach.places["/items"] != nil)
    }

    @Test func theWorkIsBounded() throws {
        let some = try reach([("/coins", MergeRule(.counter))], lookingAt: 5)
        #expect(!some.isWhole && some.counts == [1] && some.others < 5)
        let many = try reach((0..<100).map { ("/**/a\($0)", MergeRule(.max)) }, lookingAt: 60)
        #expect(!many.isWhole)
    }
}
