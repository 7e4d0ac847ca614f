import LosslessJSON
import MergeCore
import Testing

/// A counter that changes by one or two comes back to a former amount by chance: that tells little of what a game had read.
@Suite struct SmallStepTests {
    private let rules = MergeCoreTests.rules(["/coins": .init(.counter), "/gems": .init(.counter)])

    private func choice(_ save: String, after snapshots: String..., opened: Set<Int> = []) -> BaseChoice {
        BaseChoice(
            among: snapshots.map { document($0) }, for: document(save), rules: rules,
            sightings: .init(openedAfterSwap: opened))
    }

    /// 257 coins and a gem came in. The game that read them earned 7 coins and spent the gem. Had it read what stood before,
    /// it would have earned just what came in, to within 7.
    @Test func aGemThatCameInAndWasSpentDoesNotOutweighAPurse() {
        let (before, after) = (#"{"coins":746,"gems":13}"#, #"{"coins":1003,"gems":14}"#)
        let save = #"{"coins":1010,"gems":13}"#
        for opened in [Set<Int>(), [1]] {
            let chosen = choice(save, after: before, after, opened: opened)
            #expect(chosen.base == 1 && chosen.evidence.certainty == .guess, "\(chosen.evidence)")
        }
        // Nor does it beside a third snapshot.
        let later = #"{"coins":1003,"gems":20}"#
        #expect(choice(#"{"coins":1010,"gems":13}"#, after: before, later, after).base == 2)
        // The game that runs on, and had read neither.
        #expect(choice(#"{"coins":753,"gems":13}"#, after: before, after).base == 0)
        // A larger amount comes back by chance far less often.
        #expect(choice(#"{"coins":1010,"gems":13}"#, after: before, #"{"coins":1003,"gems":90}"#).base == 0)
    }
}
