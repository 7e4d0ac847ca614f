import MergeCore
import Testing

/// A game was updated, and where it had a counter it writes a container: no other file loses the place.
@Suite struct CounterFormTests {
    @Test(arguments: [#"{"n":5}"#, #"{"n":{"m":[1]}}"#, "{}", "[]"])
    func whatTakesACountersPlaceShows(form: String) throws {
        let rules = rules(["/stats/*": .init(.counter)])
        let base = #"{"stats":{"k":5,"m":1},"x":1}"#
        let played = #"{"stats":{"k":5,"m":3},"x":1}"#
        let updated = #"{"stats":{"k":\#(form),"m":1},"x":1}"#
        for (a, b) in [(updated, played), (played, updated)] {
            let merged = try merge(a, b, base: base, rules: rules, times: (1, 2))
            #expect(json(merged) == json(#"{"stats":{"k":\#(form),"m":3},"x":1}"#), "\(merged)")
        }
    }
}
