import HouseholdSimulation
import MergeCore
import TestSupport
import Testing

@testable import ProfileKeeping

/// What a game's own saves tell of whoever opens its file.
@Suite struct OwnSavesTests {
    private let hour = Duration.seconds(3_600)
    private let id = ProfileID(high: 1, low: 2)

    private func time(_ seconds: Int64) -> MonotonicTime { MonotonicTime(milliseconds: seconds * 1_000) }

    /// Saves that stood so many seconds each, with these opens, until Hearth wrote into the file.
    private func after(_ saves: [(opens: FileOpens, seconds: Int64)]) -> OwnSaves {
        var own = OwnSaves()
        for (number, save) in saves.enumerated() {
            let start = Int64(number) * 1_000
            own.wrote(.none, at: time(start))
            own.note(save.opens, at: time(start + save.seconds))
            own.replaced()
        }
        return own
    }

    @Test func threeThatNobodyOpenedTell() {
        #expect(!OwnSaves().tell(for: .zero))
        #expect(!after([(.none, 60), (.none, 60)]).tell(for: hour))
        #expect(after([(.none, 60), (.none, 60), (.none, 60)]).tell(for: hour))
        // The game reads and writes in one span; that is its own open.
        #expect(after([(.byWriter, 60), (.none, 60), (.byWriter, 60)]).tell(for: hour))
    }

    @Test(arguments: [FileOpens.seen, .unknown]) func oneOfThreeIsEnoughDoubt(opens: FileOpens) {
        for place in 0..<3 {
            var saves = Array(repeating: (opens: FileOpens.none, seconds: Int64(60)), count: 3)
            saves[place].opens = opens
            #expect(!after(saves).tell(for: .zero))
        }
    }

    /// An indexer that is quick has opened the save before the agent looks at it.
    @Test func anOpenBeforeTheLookCounts() {
        var own = OwnSaves()
        for number in Int64(0)..<20 {
            own.wrote(.seen, at: time(number * 100))
            own.note(.none, at: time(number * 100 + 60))
            own.replaced()
            #expect(!own.tell(for: .zero))
        }
    }

    /// Not watched all the time, not counted; opened in that time, counted.
    @Test func whatIsNotKnownShowsNothing() {
        var own = after([(.none, 60), (.none, 60)])
        let before = own
        own.wrote(.unknown, at: time(5_000))
        own.note(.none, at: time(5_060))
        own.replaced()
        #expect(own == before)
        own.wrote(.none, at: time(6_000))
        own.note(.none, at: time(6_004))
        // Four seconds were watched, however long it stood.
        own.replaced()
        #expect(own == before)
        own.replaced()
        own.note(.seen, at: time(7_000))
        #expect(own == before, "nothing stands in the file")
    }

    /// A snapshot that stood long may have been opened by something that takes its time: saves that stood a moment show
    /// nothing of that.
    @Test func shortSavesTellOfShortSnapshots() {
        let own = after(Array(repeating: (.none, 8), count: 5))
        #expect(own.tell(for: .seconds(16)) && own.tell(for: .zero) && own.tell(for: .seconds(-1)))
        #expect(!own.tell(for: .seconds(18)) && !own.tell(for: hour))
        let mixed = after(Array(repeating: (.none, 8), count: 9) + Array(repeating: (.none, 40), count: 3))
        #expect(mixed.tell(for: hour))
    }

    /// Where one begins, the next save that stands shows it, whatever was before.
    @Test func anIndexerThatBeginsIsSeenAtOnce() {
        let long = Array(repeating: (opens: FileOpens.none, seconds: Int64(60)), count: 100)
        #expect(!after(long + [(.seen, 5)]).tell(for: .zero))
        #expect(!after(long + [(.seen, 5), (.none, 60), (.none, 60)]).tell(for: .zero))
        // Once in a while somebody looks at a file.
        #expect(after(long + [(.seen, 5), (.none, 60), (.none, 60), (.none, 60)]).tell(for: .zero))
        let often = long + Array(repeating: (.seen, 5), count: 3)
        #expect(!after(often + Array(repeating: (.none, 60), count: 12)).tell(for: .zero))
        #expect(after(often + Array(repeating: (.none, 60), count: 14)).tell(for: .zero))
    }

    /// Where own saves are opened, no open tells anything, whatever the snapshots seem to show.
    @Test func ownSavesThatAreOpenedSpeakAgainst() {
        #expect(!OwnSaves().speakAgainstOpens && !after([(.seen, 60), (.seen, 60)]).speakAgainstOpens)
        let opened = Array(repeating: (opens: FileOpens.seen, seconds: Int64(60)), count: 3)
        #expect(after(opened).speakAgainstOpens && after(opened + [(.none, 60)]).speakAgainstOpens)
        #expect(!after(opened + [(.none, 60), (.none, 60)]).speakAgainstOpens)
    }

    /// After a minute the game may have been started again, and have read its save: then it saves again, and the save shows
    /// nothing. Where Hearth writes instead, it counts as opened.
    @Test(arguments: [true, false]) func aLateOpenShowsNothingGood(isGame: Bool) {
        var own = after([(.none, 60), (.none, 60)])
        own.wrote(.none, at: time(5_000))
        own.note(.none, at: time(5_060))
        #expect(own.tell(for: hour))
        own.note(.seen, at: time(5_090))
        if isGame { own.wrote(.none, at: time(5_100)) } else { own.replaced() }
        #expect(!own.tell(for: hour))
        // It is not counted twice.
        own.replaced()
        #expect(own.note == (isGame ? [60, 60] : [60, 60, 0]))
    }

    /// A slow indexer, or a backup every now and then, beside a game that saves every two minutes: it is never believed.
    @Test func whatOpensLateIsNeverBelieved() {
        var own = OwnSaves()
        for number in Int64(0)..<40 {
            own.wrote(.none, at: time(number * 120))
            own.note(.none, at: time(number * 120 + 60))
            own.note(.seen, at: time(number * 120 + 90))
            #expect(own.note == [60] && !own.tell(for: .zero))
        }
        own.wrote(.none, at: time(40 * 120))
        #expect(own.note.isEmpty)
    }

    /// A machine that sleeps opens nothing, so that time shows nothing.
    @Test(arguments: [2, 30] as [Int64]) func sleepShowsNothing(awake: Int64) {
        var own = OwnSaves()
        for number in Int64(0)..<5 {
            let start = number * 100_000
            own.wrote(.none, at: time(start))
            own.note(.none, at: time(start + awake))
            own.note(.none, at: time(start + 30_000))
            own.note(.none, at: time(start + 30_030))
            own.replaced()
        }
        #expect(own.note == (awake < 5 ? [] : Array(repeating: UInt8(awake), count: 5)))
    }

    /// An open in the first minute counts whatever comes after, so that an indexer that opens some saves cannot hide
    /// behind the game.
    @Test(arguments: [true, false]) func anEarlyOpenCountsAlways(isGame: Bool) {
        var own = after([(.none, 60), (.none, 60), (.none, 60)])
        own.wrote(.none, at: time(5_000))
        own.note(.seen, at: time(5_030))
        if isGame { own.wrote(.none, at: time(5_030)) } else { own.replaced() }
        #expect(!own.tell(for: .zero) && own.note.count == 4)
    }

    /// An indexer that opens a part of all files, at any time within a minute: what is believed of it is bounded.
    @Test(arguments: [100, 50, 25]) func anIndexerOfSomeFilesIsSeldomBelieved(share: Int) {
        var dice = SeededRandom(seed: UInt64(share))
        var (believed, all) = (0, 0)
        for _ in 0..<200 {
            var own = OwnSaves()
            for number in Int64(0)..<50 {
                let isOpened = Int.random(in: 0..<100, using: &dice) < share
                own.wrote(isOpened && Bool.random(using: &dice) ? .seen : .none, at: time(number * 100))
                own.note(isOpened ? .seen : .none, at: time(number * 100 + 30))
                if Bool.random(using: &dice) { own.replaced() }
                all += 1
                if own.tell(for: .seconds(30)) { believed += 1 }
            }
        }
        print("an indexer of \(share) %: \(believed) of \(all) saves believed")
        #expect(believed * 100 <= all * (share == 100 ? 0 : share == 50 ? 4 : 30))
    }

    @Test func theNoteIsReadWithCare() {
        let own = after([(.none, 60), (.seen, 60), (.none, 7), (.none, 5)])
        #expect(own.note == [60, 0, 7, 5] && OwnSaves(own.note).note == own.note)
        let full = after(Array(repeating: (.none, 60), count: 40))
        #expect(full.note.count == OwnSaves.limit && OwnSaves(full.note).tell(for: hour))
        // Too long, or numbers that no Hearth of this form writes.
        for note in [full.note + [60], [60, 60, 60, 61], [60, 60, 60, 4], [255], Array(repeating: 255, count: 16)] {
            #expect(OwnSaves(note) == OwnSaves())
        }
        #expect(OwnSaves([]) == OwnSaves())
    }

    @Test func itIsStoredOnce() {
        var own = after([(.none, 60)])
        var notes = NoteChange()
        own.store(id, in: &notes)
        #expect(notes.names(OwnSaves.notes.key(id)))
        var again = NoteChange()
        own.store(id, in: &again)
        #expect(again.isEmpty)
    }

    /// Spans of time together: what a writer opened is its own only where the whole of both spans is known.
    @Test func opensAdd() {
        #expect(FileOpens.byWriter.and(.none) == .byWriter && FileOpens.none.and(.byWriter) == .byWriter)
        #expect(FileOpens.byWriter.and(.seen) == .seen && FileOpens.byWriter.and(.byWriter) == .byWriter)
        #expect(FileOpens.byWriter.and(.unknown) == .seen && FileOpens.unknown.and(.byWriter) == .seen)
        #expect(FileOpens.none.and(.unknown) == .unknown && FileOpens.unknown.and(.seen) == .seen)
    }
}
