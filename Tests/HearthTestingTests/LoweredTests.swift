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

    /// The laptop wakes, and a friend and a better record of the deck come in within milliseconds. What its game plays next
    /// lowers the record: it is measured against what stood there, not against what passed.
    @Test func aLoweredRecordIsNotMeasuredAgainstWhatPassed() throws {
        let rules = "rules:\n  /coins: counter\n  /level: max\n  /best: max\n  /friends: set\n  /done: flag\n"
        let save = #"{"coins":100,"level":3,"best":7,"friends":["Cy","Bo"],"done":false}"#
        let home = try PlainHousehold(["laptop", "deck"], rules: rules, save: save, seed: 321264)
        home.laptop.plays(.set("/best", "14"), .set("/done", "true"), .add("/coins", -1))
        home.deck.plays(.insert("/friends", #""Bo~46""#))
        home.deck.plays(.set("/best", "20"), .set("/done", "true"), .add("/coins", -1))
        home.settle()
        home.laptop.plays(.set("/best", "16"), .add("/coins", 88), .set("/level", "12"))
        home.laptop.plays(.set("/done", "true"))
        home.settle()
        #expect(home.findings.isEmpty, "\(home)")
    }
}
