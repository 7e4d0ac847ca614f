import HouseholdSimulation
import MergeCore
import ProfileKeeping
import Testing

@testable import HouseholdAgent

/// The watches of files: when one is looked at, when it is written, and which of them have anything to do.
@Suite struct FileWatchesTests {
    private let one = ProfileID(high: 0, low: 1)
    private let two = ProfileID(high: 0, low: 2)

    /// The reason why a file cannot be written is said once, until it is another one, or the file could be written.
    @Test func aTroubleIsNewOnce() {
        var watches = FileWatches()
        let said = ["full", "full", "read-only", "full"].map { watches.isNew($0, of: one) }
        let other = watches.isNew("full", of: two)
        #expect(said == [true, false, true, true] && other)
        watches.tried(one, .written, now: 1_000)
        let again = [watches.isNew("full", of: one), watches.isNew("full", of: two)]
        #expect(again == [true, false])
    }

    @Test func aChangeIsLookedAtOnceItIsQuiet() {
        var watches = FileWatches()
        watches.bind(one, to: "/a")
        watches.bind(two, to: "/b")
        #expect(watches.active == [])
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

    /// A pause of 60 ms is enough once a file has been written for two seconds without a longer one.
    @Test func aFileThatIsWrittenAllTheTimeIsReadInAShortPause() {
        var watches = FileWatches()
        watches.bind(one, to: "/a")
        var now: MonotonicTime = 1_000
        var pauses: [Duration] = []
        for _ in 0..<12 {
            watches.happened(.written, to: one, now: now)
            pauses.append(watches.deadline(one, isToBeWritten: false)! - now)
            #expect(!watches.isRestless(one))
            now = now + .milliseconds(240)
        }
        #expect(
            pauses == Array(repeating: .milliseconds(250), count: 9) + Array(repeating: .milliseconds(60), count: 3))
        // Two reads that differ are no save; they are part of the unrest.
        var content: UInt8 = 0
        for _ in 0..<200 {
            now = watches.deadline(one, isToBeWritten: false)!
            content &+= 1
            #expect(!watches.step(one, now: now) { [content] })
        }
        #expect(watches.isRestless(one))
        while let deadline = watches.deadline(one, isToBeWritten: false),
            !watches.step(one, now: deadline, read: { [1] })
        {}
        #expect(!watches.isRestless(one) && watches.isSettled(one))
        watches.happened(.written, to: one, now: now)
        #expect(watches.deadline(one, isToBeWritten: false)! - now == .milliseconds(250))
    }

    /// At a start thousands of files are to be looked at. Until its turn a file has nothing due, and is not written.
    @Test func theFirstLooksComeInTurns() {
        let ids = (UInt64(0)..<200).map { ProfileID(high: 1, low: $0) }
        var watches = FileWatches()
        watches.lookAtAll(ids, now: 1_000)
        #expect(watches.active == Set(ids[..<64]) && watches.rescanDeadline == 1_200)
        #expect(!ids.contains { watches.isSettled($0) || watches.mayWrite($0, isMissing: false, now: 1_000) })
        // Whatever happens to a file that waits is not left until its turn; and a paused one is not looked at.
        watches.happened(.replaced, to: ids[150], now: 1_100)
        watches.forget(ids[151])
        #expect(watches.active == Set(ids[..<64] + [ids[150]]) && watches.isHeard(ids[150]))
        #expect(watches.step(ids[150], now: 1_100) { [1] })
        #expect(watches.isSettled(ids[150]) && watches.isSettled(ids[151]))
        watches.beginFirstLooks(now: 1_199)
        #expect(watches.active == Set(ids[..<64]))
        watches.beginFirstLooks(now: 1_400)
        #expect(watches.active == Set(ids[..<150] + ids[152..<192]))
        watches.beginFirstLooks(now: 1_600)
        #expect(watches.active == Set(ids[..<150] + ids[152...]) && watches.rescanDeadline > 30_000)
    }

    @Test func onlyPathsThatCameOrWentAreTold() {
        var watches = FileWatches()
        watches.bind(one, to: "/a")
        watches.bind(two, to: "/b")
        expect(&watches, new: ["/a", "/b"])
        watches.bind(one, to: "/a")
        expect(&watches)
        watches.bind(one, to: nil)
        expect(&watches, gone: ["/a"])
        watches.bind(two, to: "/c")
        expect(&watches, new: ["/c"], gone: ["/b"])
    }

    /// Two profiles may have one file for a while, and one may take over the other's.
    @Test func aPathIsWatchedUntilTheLastProfileLeavesIt() {
        var watches = FileWatches()
        watches.bind(one, to: "/a")
        watches.bind(two, to: "/a")
        expect(&watches, new: ["/a"])
        watches.bind(one, to: nil)
        expect(&watches)
        watches.bind(two, to: "/b")
        watches.bind(one, to: "/a")
        expect(&watches, new: ["/b"])
        watches.bind(one, to: nil)
        watches.bind(two, to: nil)
        expect(&watches, gone: ["/a", "/b"])
    }

    private func expect(_ watches: inout FileWatches, new: Set<String> = [], gone: Set<String> = []) {
        let moved = watches.takeMoved()
        #expect((moved?.new ?? []) == new && (moved?.gone ?? []) == gone)
        #expect((moved == nil) == (new.isEmpty && gone.isEmpty))
    }

    @Test func aFewFilesAreAllLookedAtTogether() {
        var watches = FileWatches()
        watches.lookAtAll([], now: 0)
        let isEarly = watches.takeRescan(of: [one, two], now: 29_999) != nil
        let turn = watches.takeRescan(of: [one, two], now: 30_000)
        #expect(!isEarly && turn?.profiles == [one, two] && turn?.isFirst == true)
        #expect(watches.rescanDeadline == 60_000)
    }

    /// However many files there are, an event looks at few of them, and each of them has its turn in every round.
    @Test(arguments: [65, 1_000, 10_000]) func manyFilesAreLookedAtInTurns(_ count: Int) throws {
        var ids = (0..<count).map { ProfileID(high: UInt64($0), low: 0) }
        var (watches, now, looked, rounds) = (FileWatches(), MonotonicTime(milliseconds: 0), [ProfileID: Int](), 0)
        watches.lookAtAll([], now: now)
        while rounds < 3 {
            now = max(watches.rescanDeadline, now)
            let due = watches.takeRescan(of: ids, now: now)
            let turn = try #require(due)
            if turn.isFirst { rounds += 1 }
            if rounds < 3 { for id in turn.profiles { looked[id, default: 0] += 1 } }
            #expect(turn.profiles.count <= FileWatches.rescanTurn)
            #expect(watches.rescanDeadline >= now + FileWatches.rescanPause)
        }
        #expect(looked.count == count && looked.values.allSatisfy { $0 == 2 })
        let most = FileWatches.rescanInterval * 3 + FileWatches.rescanPause * (2 * count / FileWatches.rescanTurn)
        #expect(now <= MonotonicTime(milliseconds: 0) + most)
        // One that is gone or new in the middle of a round takes no other one's turn.
        ids.removeFirst(ids.count / 2)
        _ = watches.takeRescan(of: ids, now: watches.rescanDeadline)
    }

    /// A start reads many files, and other events have their turn meanwhile.
    @Test func aStartLooksAtManyFilesInTurns() {
        let ids = (0..<1_000).map { ProfileID(high: UInt64($0), low: 0) }
        var (watches, now, looked) = (FileWatches(), MonotonicTime(milliseconds: 0), Set<ProfileID>())
        watches.lookAtAll(ids, now: now)
        while looked.count < ids.count, now < 60_000 {
            let next = ids.compactMap { watches.deadline($0, isToBeWritten: false) }.min() ?? .max
            now = min(next, watches.rescanDeadline)
            watches.beginFirstLooks(now: now)
            let due = ids.filter { watches.deadline($0, isToBeWritten: false) == now }
            #expect(due.count <= FileWatches.rescanTurn && watches.active.count <= 3 * FileWatches.rescanTurn)
            for id in due where watches.step(id, now: now, read: { [1] }) { looked.insert(id) }
        }
        #expect(looked.count == ids.count)
        #expect(now < watches.rescanDeadline, "the next round of looks begins after the last one")
    }

    /// What a part is told of a file is handed on once.
    @Test func whatWasSeenOrAllowedIsTakenOnce() {
        var watches = FileWatches()
        watches.lookedAt(one, isMissing: true, now: 0)
        watches.tried(two, .postponed, now: 0)
        watches.mayWriteAtOnce(one, now: 0)
        #expect(watches.mayWrite(one, isMissing: true, now: 0))
        var (seen, writable) = (watches.takeSeen(), watches.takeWritable())
        #expect(seen == [one, two] && writable == [one])
        (seen, writable) = (watches.takeSeen(), watches.takeWritable())
        #expect(seen.isEmpty && writable.isEmpty)
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
