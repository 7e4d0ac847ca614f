import LosslessJSON
import MergeCore
import Testing

/// A game that keeps no more of a log than its rule's `limit` loses nothing by it.
@Suite struct TrimmedListTests {
    static let sorted = MergeRule(.union, sort: "at", limit: 2)

    private func doubt(_ save: String, after snapshot: String, _ rule: MergeRule) -> SaveMeaning.Doubt? {
        let others = #""name":"Robin","day":1,"coins":5"#
        return meaning(
            of: #"{"log":\#(save),\#(others)}"#, after: #"{"log":\#(snapshot),\#(others)}"#, rules(["/log": rule])
        ).doubt
    }

    @Test func whatTheLimitLeavesOutIsNotLost() {
        #expect(doubt(#"[{"at":3},{"at":2}]"#, after: #"[{"at":2},{"at":1}]"#, Self.sorted) == nil)
        #expect(doubt(#"[{"at":5},{"at":4}]"#, after: #"[{"at":2},{"at":1}]"#, Self.sorted) == nil)
        #expect(doubt("[2,3]", after: "[1,2]", MergeRule(.union, limit: 2)) == nil)
    }

    @Test func anOlderLogOrAShorterOneIs() {
        #expect(doubt(#"[{"at":2},{"at":1}]"#, after: #"[{"at":3},{"at":2}]"#, Self.sorted) != nil)
        #expect(doubt(#"[{"at":2}]"#, after: #"[{"at":2},{"at":1}]"#, Self.sorted) != nil)
        #expect(doubt(#"[{"at":3}]"#, after: #"[{"at":1}]"#, Self.sorted) != nil)
        #expect(doubt("[2,3]", after: "[1,2]", MergeRule(.union)) != nil)
    }
}
