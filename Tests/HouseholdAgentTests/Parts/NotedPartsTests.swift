import MergeCore
import ProfileKeeping
import Testing

@testable import HouseholdAgent

/// Parts whose state is in the record's notes: it comes back from them, and nothing is taken up that could not be stored.
@Suite struct NotedPartsTests {
    private struct Full: Error {}

    private let one = ProfileID(high: 0, low: 1)
    private let two = ProfileID(high: 0, low: 2)

    /// Notes as the record holds them, with what a change says done to them.
    private func notes(_ former: [String: [UInt8]] = [:], after change: NoteChange) -> [String: [UInt8]] {
        change.changes.reduce(into: former) { notes, note in notes[note.key] = note.value }
    }

    // MARK: Paused profiles

    @Test func pausedProfilesComeBackFromTheirNotes() {
        var (paused, stored) = (PausedProfiles([:]), [String: [UInt8]]())
        paused.set([one, two], isPaused: true) { stored = notes(stored, after: $0) }
        #expect(PausedProfiles(stored).ids == [one, two])
        paused.set([one], isPaused: false) { stored = notes(stored, after: $0) }
        #expect(paused.ids == [two] && PausedProfiles(stored).ids == [two])
        let changed = [paused.takeChanged(), paused.takeChanged()]
        #expect(changed == [[one, two], []], "each change is handed on once")
        // A note of another kind, or one that names no profile, pauses nothing.
        #expect(PausedProfiles(["in-step/\(one.hex)": [], "paused/odd": []]).ids.isEmpty)
    }

    @Test func aPauseThatCannotBeStoredIsNone() {
        var paused = PausedProfiles([:])
        #expect(throws: Full.self) { try paused.set([one], isPaused: true) { _ throws(Full) in throw Full() } }
        #expect(!paused.contains(one))
        paused.set([one], isPaused: true) { _ in }
        #expect(throws: Full.self) { try paused.set([one], isPaused: false) { _ throws(Full) in throw Full() } }
        #expect(paused.contains(one), "its file stays its game's alone")
    }

    // MARK: Released files

    @Test func releasedFilesAreKnownUntilThePlayerHasHeard() {
        var (files, stored) = (ReleasedFiles([:]), [String: [UInt8]]())
        files.add(two, "/saves/b") { stored = notes(stored, after: $0) }
        files.add(one, "/saves/ä b") { stored = notes(stored, after: $0) }
        let read = ReleasedFiles(stored)
        #expect(read.all.map(\.id) == [one, two] && read.all.map(\.path) == ["/saves/ä b", "/saves/b"])
        files.acknowledged(one)
        stored = notes(stored, after: files.takeUnstored())
        #expect(!files.contains(one) && files.contains(two))
        #expect(ReleasedFiles(stored).all.map(\.id) == [two])
        let rest = files.takeUnstored()
        #expect(rest.isEmpty)
    }

    /// The player hears of one file while another one of the same profile is released: the later note stays.
    @Test func aFileThatIsReleasedAgainIsKnown() {
        var (files, stored) = (ReleasedFiles([:]), [String: [UInt8]]())
        files.add(one, "/saves/a") { stored = notes(stored, after: $0) }
        files.acknowledged(one)
        files.add(one, "/saves/b") { stored = notes(stored, after: $0) }
        stored = notes(stored, after: files.takeUnstored())
        #expect(ReleasedFiles(stored).all.map(\.path) == ["/saves/b"])
    }

    @Test func aFileWhoseNoteCannotBeStoredIsNotReleased() {
        var files = ReleasedFiles([:])
        #expect(throws: Full.self) { try files.add(one, "/save") { _ throws(Full) in throw Full() } }
        #expect(!files.contains(one))
    }

    // MARK: Times

    /// Not every save writes a note: times are stored together, each once.
    @Test func timesAreStoredOnceForEachChange() {
        var times = SyncTimes([:])
        times.inStep(one, at: 5)
        var early = times.takeUnstored()
        #expect(early.changes.count == 1, "its first time ever")
        times.inStep(two, at: 6)
        times.inStep(one, at: 7)
        early = times.takeUnstored()
        #expect(early.isEmpty, "it is not time yet, and another one was the first just now")
        times.storeSoon()
        let change = times.takeUnstored()
        #expect(change.changes.count == 2)
        times.storeSoon()
        var more = times.takeUnstored()
        #expect(more.isEmpty)
        times.inStep(two, at: 6)
        times.storeSoon()
        more = times.takeUnstored()
        #expect(more.isEmpty, "nothing has changed")
        var read = SyncTimes(notes(after: change))
        read.storeSoon()
        more = read.takeUnstored()
        #expect(read[one] == 7 && read[two] == 6 && more.isEmpty)
    }

    @Test func aDamagedTimeIsNone() {
        let read = SyncTimes(["in-step/\(one.hex)": Array("soon".utf8), "in-step/odd": Array("5".utf8)])
        #expect(read[one] == nil)
    }
}
