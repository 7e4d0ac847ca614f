import LosslessJSON
import MergeCore
import TestSupport
import Testing

/// What a merge says about the places that both sides changed.
struct DecisionTests {
    static let game = rules([
        "/coins": .init(.counter), "/level": .init(.max), "/themes": .init(.union), "/bag[id]/n": .init(.counter),
        "/secret": .init(.local),
    ])

    private func lines(_ a: String, _ b: String, base: String?) throws -> [String] {
        try merging(a, b, base: base, rules: Self.game).decisions.map(\.description)
    }

    @Test func everyRuleSaysWhatItDid() throws {
        #expect(
            try lines(
                #"{"coins":120,"level":4,"themes":["a","b"],"name":"Ada","secret":1,"x":1}"#,
                #"{"coins":130,"level":3,"themes":["a","c"],"name":"Bob","secret":2,"y":1}"#,
                base: #"{"coins":100,"level":2,"themes":["a"],"name":"","secret":0}"#
            ) == [
                "/coins (counter): 100 became 120 in A and 130 in B; the result is 150",
                "/level (max): 2 became 4 in A and 3 in B; the result is 4",
                #"/name (latest): "" became "Ada" in A and "Bob" in B; the result is "Bob""#,
                #"/themes (union): ["a"] became ["a","b"] in A and ["a","c"] in B; the result is ["a","b","c"]"#,
            ])
    }

    @Test func whatOneSideChangedAloneIsNoDecision() throws {
        #expect(try lines(#"{"coins":120,"x":1}"#, #"{"coins":100,"x":2}"#, base: #"{"coins":100,"x":1}"#) == [])
        #expect(try lines(#"{"x":2,"themes":["b","a"]}"#, #"{"x":2.0,"themes":["a","b"]}"#, base: #"{"x":1}"#) == [])
    }

    @Test func theSameGainOnBothSidesIsADecisionWhereItAdds() throws {
        #expect(
            try lines(#"{"coins":120}"#, #"{"coins":120}"#, base: #"{"coins":100}"#)
                == ["/coins (counter): 100 became 120 in A and 120 in B; the result is 140"])
    }

    @Test func withoutAnAncestorEveryDifferenceIs() throws {
        #expect(
            try lines(#"{"coins":100,"x":1,"only":1}"#, #"{"coins":120,"x":1}"#, base: nil)
                == ["/coins (counter): 100 in A and 120 in B; the result is 120"])
    }

    @Test func removedHereAndChangedThere() throws {
        #expect(
            try lines(#"{"y":1}"#, #"{"x":5,"y":1}"#, base: #"{"x":1,"y":1}"#)
                == ["/x (latest): 1 became nothing in A and 5 in B; the result is 5"])
        #expect(
            try lines(
                #"{"bag":[{"id":2}]}"#, #"{"bag":[{"id":1,"name":"long rope"},{"id":2}]}"#,
                base: #"{"bag":[{"id":1,"name":"rope"},{"id":2}]}"#
            ) == [
                #"/bag/[1] (set): {"id":1,"name":"rope"} became nothing in A and {"id":1,"name":"long rope"} in B; "#
                    + #"the result is {"id":1,"name":"long rope"}"#
            ])
    }

    @Test func elementsAreReadWhereverTheyStand() throws {
        #expect(
            try lines(
                #"{"bag":[{"id":2,"n":7},{"id":1,"n":1}]}"#, #"{"bag":[{"id":1,"n":1},{"n":9,"id":2}]}"#,
                base: #"{"bag":[{"id":1,"n":1},{"id":2,"n":5}]}"#
            ) == ["/bag/[2]/n (counter): 5 became 7 in A and 9 in B; the result is 11"])
    }

    @Test func theOtherOrderSaysTheSameWithSidesExchanged() throws {
        for seed in 0..<60 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            func played(_ save: JSONValue) -> JSONValue {
                (0..<4).reduce(save) { save, _ in RandomSaves.edited(save, &random) }
            }
            let base = json(RandomSaves.start)
            let (a, b) = (played(base).spelled, played(base).spelled)
            let one = try merging(a, b, base: base.spelled, rules: RandomSaves.rules)
            let other = try merging(b, a, base: base.spelled, rules: RandomSaves.rules, times: (200, 100))
            #expect(one.decisions.map(\.path) == other.decisions.map(\.path), "seed \(seed)\na \(a)\nb \(b)")
            #expect(one.decisions.map(\.a) == other.decisions.map(\.b), "seed \(seed)\na \(a)\nb \(b)")
            #expect(one.decisions.map(\.path) == one.decisions.map(\.path).sorted())
        }
    }
}
