import MergeCore
import Testing

@testable import HouseholdAgent

/// Links that bring much in few bytes wait for one another, and nobody else waits for them.
@Suite struct ReadingTurnsTests {
    private let links = (1...33).map { ConnectionID(rawValue: $0) }

    private func time(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(milliseconds: 5_000 + milliseconds) }

    @Test func whatAHouseholdBringsAtOnceWaitsForNothing() {
        var turns = ReadingTurns()
        for _ in 0..<128 {
            let goesOn = turns.mayGoOn(links[0], after: 1 << 20, now: time(0))
            #expect(goesOn)
        }
        let next = turns.take(now: time(0))
        #expect(turns.deadline == nil && next == nil)
    }

    /// All links of a bad household together unfold no more than the allowance, and each has its turn.
    @Test func whoeverBringsMuchWaitsForATurn() throws {
        var turns = ReadingTurns()
        let chunk = 60 << 20
        var (now, unfolded) = (Int64(0), 0)
        var served: [ConnectionID] = []
        for link in links {
            unfolded += chunk
            _ = turns.mayGoOn(link, after: chunk, now: time(now))
        }
        while now < 100_000 {
            let next = try #require(turns.deadline)
            now = max(now, next.milliseconds - 5_000)
            // Whoever brings little goes on in between.
            let goesOn = turns.mayGoOn(ConnectionID(rawValue: 99), after: 1_000, now: time(now))
            #expect(goesOn)
            guard let link = turns.take(now: time(now)) else { continue }
            served.append(link)
            unfolded += chunk
            let hasAnother = turns.mayGoOn(link, after: chunk, now: time(now))
            #expect(!hasAnother)
        }
        #expect(unfolded - ReadingTurns.burst <= Int(now) * ReadingTurns.rate / 1_000 + chunk, "\(unfolded)")
        #expect(served.count > 20 && Set(served).count == served.count, "\(served)")
    }

    @Test func aLinkThatIsGoneHasNoTurn() {
        var turns = ReadingTurns()
        let goOn = [(links[0], 200), (links[1], 2)].map { turns.mayGoOn($0, after: $1 << 20, now: time(0)) }
        #expect(goOn == [false, false])
        turns.closed(links[0])
        let (early, late) = (turns.take(now: time(2_000)), turns.take(now: time(10_000)))
        #expect(early == nil, "the allowance is not there yet")
        #expect(late == links[1])
        #expect(turns.deadline == nil)
    }
}
