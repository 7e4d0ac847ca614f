import LosslessJSON
import MergeCore
import Testing

/// The places that a guess names: what was lost there if it is wrong.
@Suite struct GuessLossTests {
    private static let rules = MergeCoreTests.rules([
        "/coins": .init(.counter), "/wood": .init(.counter), "/ore": .init(.counter), "/level": .init(.max),
        "/tags": .init(.set), "/seen": .init(.union), "/crew[id]/count": .init(.counter),
    ])

    private func choice(
        _ save: String, _ snapshots: [String], _ sightings: BaseChoice.Sightings = .init()
    ) -> BaseChoice {
        BaseChoice(among: snapshots.map { document($0) }, for: document(save), rules: Self.rules, sightings: sightings)
    }

    private func lost(
        _ save: String, _ snapshots: [String], _ sightings: BaseChoice.Sightings = .init()
    ) -> [String] {
        choice(save, snapshots, sightings).lostIfWrong.map(\.description)
    }

    private static let own = #"{"coins":100,"wood":10,"ore":5,"level":1,"name":"Ada"}"#
    private static let came = #"{"coins":500,"wood":50,"ore":5,"level":1,"name":"Ada"}"#

    /// The counters that fell below what was known, and those that would have risen further.
    @Test func countersThatCountForLessAreNamed() {
        let save = #"{"coins":490,"wood":51,"ore":9,"level":1,"name":"Ada"}"#
        let choice = choice(save, [Self.own, Self.came])
        #expect(choice.base == 1 && choice.evidence == .nearer(votes: 2, against: 0))
        #expect(choice.lostIfWrong.map(\.description) == ["/coins", "/wood"])
    }

    /// If a game had read what came in after all, its counters count for too much by the guess, and nothing is lost.
    @Test func aGuessThatCountsForMoreLosesNothing() {
        let save = #"{"coins":101,"wood":11,"ore":9,"level":1,"name":"Ada"}"#
        let choice = choice(save, [Self.own, Self.came])
        #expect(choice.base == 0 && choice.evidence.certainty == .guess)
        #expect(choice.lostIfWrong.isEmpty)
    }

    /// A spending machine: by the older snapshot less is left.
    @Test func anOlderSnapshotLosesToo() {
        let spent = #"{"coins":20,"wood":2,"ore":5,"level":1,"name":"Ada"}"#
        let save = #"{"coins":95,"wood":9,"ore":5,"level":1,"name":"Ada"}"#
        #expect(choice(save, [Self.own, spent]).base == 0)
        #expect(lost(save, [Self.own, spent]) == ["/coins", "/wood"])
    }

    /// What another machine set, added or made is gone by the guess that the game had read it.
    @Test func whatAnotherMachineWroteIsNamed() {
        let own = #"{"coins":100,"wood":10,"name":"Ada","tags":["a"],"crew":[],"seen":[]}"#
        let came =
            #"{"coins":500,"wood":50,"name":"Bo","tags":["a","b"],"crew":[{"id":"x","count":1}],"seen":["y","z"]}"#
        let save = #"{"coins":500,"wood":50,"name":"Ada","tags":["a"],"crew":[],"seen":["y","z"]}"#
        let choice = choice(save, [own, came])
        #expect(choice.base == 1)
        #expect(choice.evidence == .nearer(votes: 10, against: 10))
        // By the other reading the game has earned the coins and the wood itself.
        let places = choice.lostIfWrong.map { "\($0)".prefix(5) }
        #expect(Set(places) == ["/crew", "/coin", "/name", "/tags", "/wood"])
        #expect(lost(save, [own, came], .init(startedAfter: 1)).isEmpty, "nothing is guessed")
    }

    @Test func aNameThatIsSetBackIsNamed() {
        let own = #"{"coins":100,"wood":10,"ore":5,"level":1,"name":"Ada","tags":["a"]}"#
        let came = #"{"coins":500,"wood":50,"ore":55,"level":1,"name":"Bo","tags":["a"]}"#
        let save = #"{"coins":499,"wood":51,"ore":56,"level":1,"name":"Ada","tags":["a","c"]}"#
        let choice = choice(save, [own, came])
        #expect(choice.base == 1 && choice.evidence == .nearer(votes: 3, against: 2))
        #expect(choice.lostIfWrong.map(\.description) == ["/coins", "/name", "/ore", "/wood"])
    }

    @Test func whatNobodyOpenedIsNotLookedAt() {
        let between = #"{"coins":480,"wood":48,"ore":5,"level":1,"name":"Ada"}"#
        let save = #"{"coins":490,"wood":51,"ore":9,"level":1,"name":"Ada"}"#
        let snapshots = [Self.own, between, Self.came]
        #expect(lost(save, snapshots) == ["/coins", "/wood"])
        #expect(lost(save, snapshots, .init(unread: [1])) == ["/coins", "/wood"])
        #expect(lost(save, snapshots, .init(startedAfter: 2)).isEmpty)
    }
}
