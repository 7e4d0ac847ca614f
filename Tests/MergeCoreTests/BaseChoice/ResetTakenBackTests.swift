import LosslessJSON
import MergeCore
import Testing

/// A reset and its undo leave a snapshot from before, the empty one, and the newest. What the first and the last hold alike
/// speaks for both of them against the empty one, and says nothing between them.
@Suite struct ResetTakenBackTests {
    private static let rules = MergeCoreTests.rules(["/coins": .init(.counter), "/herd/*/count": .init(.counter)])

    private func choice(_ save: String, before: String, now: String) -> BaseChoice {
        BaseChoice(
            among: [before, #"{"coins":0}"#, now].map { document($0) }, for: document(save), rules: Self.rules,
            sightings: .init(outdated: [0, 1]))
    }

    private func save(_ coins: Int, _ herd: String) -> String {
        #"{"coins":\#(coins),"name":"Ada","path":"fern","team":"oak","herd":{\#(herd)}}"#
    }

    /// What was removed before the reset is there again with another amount, which the game may have started over. By the
    /// older snapshot, all that it just played would be put aside.
    @Test func whatIsThereAgainWithAnotherAmountCounts() {
        let choice = choice(
            save(60, #""moss":{"count":23,"mood":"mill"}"#), before: save(60, #""moss":{"count":20,"mood":"gate"}"#),
            now: save(60, ""))
        #expect(choice.base == 2 && choice.evidence == .undecided, "\(choice.evidence)")
    }

    /// An amount is hardly nearer to the one from before the reset.
    @Test func anAmountThatIsHardlyNearerPutsNothingAside() {
        let choice = choice(save(20, ""), before: save(19, ""), now: save(24, ""))
        #expect(choice.base == 2 && choice.evidence == .undecided, "\(choice.evidence)")
    }

    /// One that is clearly nearer comes from there, and so does a value in common.
    @Test func whatIsClearlyOfTheOlderOneIsMeasuredAgainstIt() {
        #expect(choice(save(101, ""), before: save(100, ""), now: save(500, "")).base == 0)
        let renamed = save(24, "").replacing("Ada", with: "Bo")
        #expect(choice(save(20, ""), before: save(19, ""), now: renamed).base == 0)
    }
}
