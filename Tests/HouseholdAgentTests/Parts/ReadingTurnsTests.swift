import MergeCore
import Testing

@testable import HouseholdAgent

/// Links that bring much in few bytes wait for one another, and nobody else waits for them.
@Suite struct ReadingTurnsTests {
    private let links = (1...33).map { ConnectionID(rawValue: $0) }
    private let chunk = 60 << 20

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

    /// All links of a bad household together unfold no more than the allowance, and each has its turn. Whoever brings little
    /// goes on in between.
    @Test func whoeverBringsMuchWaitsForATurn() throws {
        var (turns, now, unfolded) = (ReadingTurns(), Int64(0), 0)
        var served: [ConnectionID] = []
        for link in links { _ = turns.mayGoOn(link, after: chunk, now: time(now)) }
        while now < 100_000 {
            let next = try #require(turns.deadline)
            now = max(now, next.milliseconds - 5_000)
            let goesOn = turns.mayGoOn(ConnectionID(rawValue: 99), after: 1_000, now: time(now))
            #expect(goesOn)
            guard let link = turns.take(now: time(now)) else { continue }
            served.append(link)
            unfolded += chunk
            let hasAnother = turns.mayGoOn(link, after: chunk, now: time(now))
            #expect(!hasAnother)
        }
        #expect(unfolded <= Int(now) * ReadingTurns.rate / 1_000 + 2 * chunk, "\(unfolded)")
        // The first two were within the allowance.
        #expect(Set(served).count == 31 && served.count > 45, "\(served)")
    }

    /// A machine that sends everything it has gets its share of what is unfolded, beside those that bring a thousand times as
    /// much as they send. In the order of their coming it would get one piece in a minute.
    @Test func whoeverHasBroughtLeastComesFirst() throws {
        var (turns, now, count) = (ReadingTurns(), Int64(0), 0)
        for link in links { _ = turns.mayGoOn(link, after: chunk, now: time(now)) }
        let honest = ConnectionID(rawValue: 99)
        while now < 12_000 {
            count += 1
            guard !turns.mayGoOn(honest, after: 1_600_000, now: time(now)) else { continue }
            while true {
                now = max(now, try #require(turns.deadline).milliseconds - 5_000)
                let next = turns.take(now: time(now))
                let link = try #require(next)
                if link == honest { break }
                _ = turns.mayGoOn(link, after: chunk, now: time(now))
            }
        }
        #expect(count > 40, "\(count) pieces")
    }

    @Test func aLinkThatIsGoneHasNoTurn() {
        var turns = ReadingTurns()
        let goOn = [(links[0], 200), (links[1], 20)].map { turns.mayGoOn($0, after: $1 << 20, now: time(0)) }
        #expect(goOn == [false, false])
        turns.closed(links[0])
        let (early, late) = (turns.take(now: time(1_000)), turns.take(now: time(10_000)))
        #expect(early == nil, "the allowance is not there yet")
        #expect(late == links[1])
        #expect(turns.deadline == nil)
    }
}
