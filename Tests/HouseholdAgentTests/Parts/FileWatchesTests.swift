import HearthTesting
import MergeCore
import ProfileKeeping
import Testing

@testable import HouseholdAgent

/// The watches of files: when one is looked at, when it is written, and which of them have anything to do.
@Suite struct FileWatchesTests {
    private let one = ProfileID(high: 0, low: 1)
    private let two = ProfileID(high: 0, low: 2)

    @Test func aChangeIsLookedAtOnceItIsQuiet() {
        var watches = FileWatches()
        #expect(watches.bind(one, to: "/a") && !watches.bind(one, to: "/a") && watches.bind(two, to: "/b"))
        #expect(watches.paths == ["/a", "/b"] && watches.active == [])
        watches.happened(.written, to: one, now: 1_000)
        #expect(watches.active == [one] && !watches.isSettled(one) && watches.isSettled(two) && watches.isHeard(one))
        #expect(!watches.step(one, now: 1_100) { [1] }, "somebody may still be writing")
        var now: MonotonicTime = 1_000
        var looks = 0
        while watches.active == [one], looks < 10 {
            guard let deadline = watches.deadline(one, isToBeWritten: false) else { break }
            now = deadline
            if watches.step(one, now: now, read: { [1] }) { looks += 1 }
        }
        #expect(looks == 1 && watches.active == [] && watches.isSettled(one))
        watches.tookUp(one)
        #expect(!watches.isHeard(one))
    }

    @Test func aRenamedFileIsLookedAtAtOnce() {
        var watches = FileWatches()
        watches.happened(.replaced, to: one, now: 1_000)
        #expect(watches.deadline(one, isToBeWritten: false) == .min)
        #expect(watches.step(one, now: 1_000) { [1] } && watches.active == [])
    }

    @Test func aMissingFileIsWrittenAfterAWhile() {
        var watches = FileWatches()
        watches.lookedAt(one, isMissing: true, now: 1_000)
        #expect(watches.active == [one])
        let due = MonotonicTime(milliseconds: 1_000) + FileWatches.absenceGrace
        #expect(watches.deadline(one, isToBeWritten: true) == due && watches.deadline(one, isToBeWritten: false) == nil)
        // Another look does not begin the time anew.
        watches.lookedAt(one, isMissing: true, now: 5_000)
        #expect(!watches.mayWrite(one, isMissing: true, now: due - .milliseconds(1)))
        #expect(watches.mayWrite(one, isMissing: true, now: due))
        watches.tried(one, .written, now: due)
        #expect(watches.active == [])
        watches.lookedAt(one, isMissing: true, now: 1_000)
        watches.mayWriteAtOnce(one, now: 2_000)
        #expect(watches.mayWrite(one, isMissing: true, now: 2_000))
    }

    @Test func aWriteThatFailedIsTriedAgain() {
        var watches = FileWatches()
        watches.tried(one, .postponed, now: 1_000)
        let due = MonotonicTime(milliseconds: 1_000) + FileWatches.retryInterval
        #expect(watches.active == [one] && watches.retryAt(one) == due)
        #expect(watches.deadline(one, isToBeWritten: true) == due)
        #expect(
            !watches.mayWrite(one, isMissing: false, now: 1_001) && watches.mayWrite(one, isMissing: false, now: due))
        watches.retryNow(one)
        #expect(watches.mayWrite(one, isMissing: false, now: 1_001) && watches.active == [])
    }

    @Test func aPausedFileHasNothingToDo() {
        var watches = FileWatches()
        watches.happened(.written, to: one, now: 1_000)
        watches.lookedAt(one, isMissing: true, now: 1_000)
        watches.retryLater(one, now: 1_000)
        watches.forget(one)
        #expect(watches.active == [] && watches.isSettled(one) && watches.deadline(one, isToBeWritten: true) == nil)
    }
}
