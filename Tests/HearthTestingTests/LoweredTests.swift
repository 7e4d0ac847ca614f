import HearthTesting
import Testing

/// A game lowers what its rule only lets grow, on a file in which another machine's play stands.
@Suite struct LoweredTests {
    @Test func whatAnotherMachineEarnedCountsOnce_afterASaveThatWasSetAside() throws {
        let rules = "rules:\n  /coins: counter\n  /score: counter\n  /level: max\n  /best: max\n"
        let save = #"{"coins":100,"score":993,"level":3,"best":7}"#
        let home = try PlainHousehold(["deck", "desktop"], rules: rules, save: save, seed: 1088)
        home.desktop.plays(.set("/level", "1"))
        home.deck.plays(.set("/best", "10"), .add("/score", 1), .add("/coins", 1))
        home.settle()
        home.deck.plays(.set("/best", "11"))
        home.desktop.plays(.set("/best", "8"))
        home.settle()
        #expect(home.findings.isEmpty, "\(home)")
    }
}
