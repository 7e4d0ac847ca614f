import HouseholdSimulation
import MergeCore
import ProfileKeeping
import Testing

@testable import HouseholdAgent

/// When a file's size and times are enough to know what is in it.
@Suite struct WholeReadsTests {
    private let one = ProfileID(high: 0, low: 1)
    private let two = ProfileID(high: 0, low: 2)
    private let file = FileIdentity([1, 7, 40, 1_000], modified: 1_000)
    private let other = FileIdentity([1, 7, 40, 1_001], modified: 1_001)

    /// The readings after a file was read every 30 s from 0 on, until a read counted.
    private func settled() -> (WholeReads, MonotonicTime) {
        var (reads, now) = (WholeReads(), MonotonicTime(milliseconds: 0))
        while !reads.covers(one, file, now: now), now < 600_000 {
            now += .seconds(30)
            reads.read(one, file, now: now)
        }
        return (reads, now)
    }

    /// A write in the same tick as the one before it would not show, nor one through a mapping.
    @Test func aReadCountsOnceTheFileHasLookedTheSameForLong() {
        var reads = WholeReads()
        reads.read(one, file, now: 0)
        #expect(!reads.covers(one, file, now: 0))
        let due = MonotonicTime(milliseconds: 0) + WholeReads.settling
        reads.read(one, file, now: due - .milliseconds(1))
        #expect(!reads.covers(one, file, now: due) && !reads.covers(one, file, now: due + .seconds(600)))
        reads.read(one, file, now: due)
        #expect(reads.covers(one, file, now: due) && !reads.covers(two, file, now: due))
    }

    @Test func aFileThatLooksDifferentIsReadUntilItHasSettledAgain() {
        var (reads, now) = settled()
        #expect(!reads.covers(one, other, now: now))
        reads.read(one, other, now: now)
        #expect(!reads.covers(one, other, now: now) && !reads.covers(one, file, now: now))
        now += WholeReads.settling
        reads.read(one, other, now: now)
        #expect(reads.covers(one, other, now: now))
    }

    @Test func aFileThatLooksTheSameIsReadOnceAnHour() {
        var (reads, now) = settled()
        let due = now + WholeReads.interval
        #expect(reads.covers(one, file, now: due - .milliseconds(1)) && !reads.covers(one, file, now: due))
        reads.read(one, file, now: due)
        #expect(reads.covers(one, file, now: due + .seconds(30)))
    }

    @Test func whatIsForgottenIsReadAgain() {
        var (reads, now) = settled()
        reads.forget(one)
        reads.read(one, file, now: now)
        #expect(!reads.covers(one, file, now: now))
    }

    /// Then the time of a file's last change may come again. A clock that is set forward, or is corrected a little as time
    /// servers do, changes nothing.
    @Test func aClockThatIsSetBackEndsAll() {
        var (reads, now) = settled()
        func at(_ wall: Duration) -> Moment { Moment(monotonic: now, wall: WallTime(milliseconds: 1_000_000) + wall) }
        reads.clocksShow(at(.zero))
        reads.clocksShow(at(.seconds(3_600)))
        now += .seconds(30)
        reads.clocksShow(at(.seconds(3_630) - .milliseconds(500)))
        #expect(reads.covers(one, file, now: now))
        reads.clocksShow(at(.seconds(30)))
        #expect(!reads.covers(one, file, now: now))
    }
}
