import LosslessJSON
import MergeCore
import TestSupport
import Testing

/// What holds for every merge of two documents, with random saves under every rule.
struct MergeLawTests {
    /// A random story: what both came from, and what each game made of it.
    private struct Story {
        let base: String
        let a: String
        let b: String
        /// What to print where it fails.
        var text: String { "\nbase \(base)\na    \(a)\nb    \(b)" }

        init(seed: UInt64, edits: Int = 4) {
            var random = SeededRandom(seed: seed)
            func played(_ save: JSONValue) -> JSONValue {
                var save = save
                for _ in 0..<1 + random.below(edits) { save = RandomSaves.edited(save, &random) }
                return save
            }
            let base = played(json(RandomSaves.start))
            (self.base, a, b) = (base.spelled, played(base).spelled, played(base).spelled)
        }
    }

    @Test(arguments: [RandomSaves.rules, .empty]) func bothOrdersGiveTheSameValues(rules: RuleSet) throws {
        for seed in 0..<50 as Range<UInt64> {
            let it = Story(seed: seed)
            for base in [it.base, nil] {
                let one = try merge(it.a, it.b, base: base, rules: rules, times: (100, 200))
                let other = try merge(it.b, it.a, base: base, rules: rules, times: (200, 100))
                try #require(
                    Agreed(json(one), rules) == Agreed(json(other), rules),
                    "seed \(seed), base \(base == nil ? "unknown" : "known"):\(it.text)\none \(one)\nother \(other)"
                )
            }
        }
    }

    @Test func whoeverChangedAloneIsTheResult() throws {
        for seed in 0..<50 as Range<UInt64> {
            let it = Story(seed: seed)
            #expect(try merge(it.a, it.base, base: it.base) == it.a, "seed \(seed)\(it.text)")
            let taken = try merge(it.base, it.b, base: it.base)
            #expect(json(taken) == json(it.b), "seed \(seed): \(taken)\(it.text)")
            let alone = try merging(it.base, it.b, base: it.base, rules: RandomSaves.rules)
            #expect(alone.decisions.isEmpty, "seed \(seed): \(alone.decisions)\(it.text)")
        }
    }

    @Test(arguments: [RandomSaves.rules, .empty]) func mergingTheResultAgainChangesNothing(rules: RuleSet) throws {
        for seed in 0..<40 as Range<UInt64> {
            let it = Story(seed: seed)
            let result = try merge(it.a, it.b, base: it.base, rules: rules)
            #expect(try merge(result, result, rules: rules) == result, "seed \(seed)\(it.text)")
            let once = try merge(result, it.a, base: it.a, rules: rules)
            #expect(once == result, "seed \(seed): \(once) instead of \(result)\(it.text)")
        }
    }

    @Test(arguments: [
        (100, 120, 130, 150), (100, 80, 90, 70), (100, 150, 40, 90), (0, 7, 0, 7), (5, 5, 5, 5), (100, 0, 20, 0),
    ]) func countersAdd(base: Int, a: Int, b: Int, sum: Int) throws {
        let purse = rules(["/coins": .init(.counter)])
        func save(_ coins: Int) -> String { "{\"coins\": \(coins)}" }
        #expect(try merge(save(a), save(b), base: save(base), rules: purse) == save(sum))
        #expect(try merge(save(b), save(a), base: save(base), rules: purse) == save(sum))
    }

    /// Only the bytes of what changed are touched, whatever the layout around them.
    @Test func layoutAndSpellingOfAStay() throws {
        let rules = rules(["/n": .init(.counter), "/t": .init(.union), "/m/**": .init(.max)])
        let layouts = [
            "{\"n\":@,\"t\":[ \"x\" ],\"m\":{\"u\":1.50,\"v\":2e1},\"z\":\"\\u0041\"}",
            "\u{FEFF}{\r\n\t\"z\" : \"A\" ,\r\n\t\"m\":{\"v\":2e1  ,\"u\":1.50},\"t\":[\"x\"],\r\n\"n\":  @ }\r\n\r\n",
            "{  \"t\" :[\n\"x\"\n], \"z\":\"A\",\"n\":@, \"m\" : {\"u\" :1.50,\"v\":2e1 }}  ",
        ]
        for layout in layouts {
            func save(_ number: String) -> String { layout.replacing("@", with: number) }
            let other = #"{"z":"A","t":["x"],"m":{"u":1.50,"v":2e1},"n":8}"#
            #expect(try merge(save("5"), other, base: save("3"), rules: rules) == save("10"))
        }
    }

    @Test func unreadablePlacesAreNamedOnceAndStayAsInA() throws {
        let it = try merging(
            #"{"level":"high","n":2}"#, #"{"level":7,"n":"many"}"#, base: #"{"level":3,"n":1}"#,
            rules: rules(["/level": .init(.max), "/n": .init(.counter)]))
        #expect(text(it.bytes) == #"{"level":"high","n":2}"#)
        #expect(it.unreadable.map(\.path.description) == ["/level", "/n"])
    }
}
