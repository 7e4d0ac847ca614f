import HouseholdSimulation
import MergeCore
import ProfileKeeping
import Testing

@testable import HouseholdAgent

/// Games that run on while no command holds their file, and the notes that they leave in the record.
@Suite struct OrphanedGamesTests {
    private let save = ProfileID(high: 0, low: 1)
    private let other = ProfileID(high: 0, low: 2)
    private let programs = SimulatedPrograms()

    private func note(_ token: String, of profile: ProfileID? = nil, readAfter: MonotonicTime = 5) -> GameNote {
        let mark = PlayMark(token: token, client: 7, clientStart: 1)!
        return GameNote(profile: profile ?? save, game: "game \(token)", readAfter: readAfter, mark: mark)
    }

    /// The games of these notes after a restart of the agent.
    private func restarted(_ notes: GameNote...) -> OrphanedGames {
        OrphanedGames(Dictionary(notes.map { ($0.key, $0.bytes(now: Moment(monotonic: 9, wall: 1_000_000))) }) { $1 })
    }

    private func games(_ games: OrphanedGames) -> [String] { games.all.map(\.game) }

    private func run(_ notes: GameNote..., isRunning: Bool = true) {
        for note in notes { programs.set(note.mark, isRunning: isRunning) }
    }

    @Test func gamesComeBackFromTheirNotes() {
        let (one, two) = (note("aa"), note("ab", of: other))
        let read = restarted(two, one)
        #expect(games(read) == ["game aa", "game ab"] && read.all.map(\.profile) == [save, other])
        #expect(read.note(of: save, one.mark)?.key == one.key && read.note(of: other, two.mark)?.key == two.key)
        #expect(read.note(of: other, one.mark) == nil)
        // Since when something stood in a file before the agent started, nobody knows.
        #expect(read.all.allSatisfy { $0.readAfter == .min })
        #expect(games(OrphanedGames([one.key: Array("odd".utf8), "paused/\(save.hex)": []])) == [])
    }

    @Test func aGameHoldsItsFileUntilItHasEnded() {
        let (one, two) = (note("aa"), note("ab"))
        run(one, two)
        var left = OrphanedGames([:])
        left.left(one, now: 10)
        left.left(two, now: 20)
        #expect(left.look(programs, now: 30).isEmpty && games(left) == ["game aa", "game ab"])
        run(one, isRunning: false)
        let gone = left.look(programs, now: 40)
        #expect(gone.map(\.key) == [one.key] && gone.first?.readAfter == 5)
        #expect(games(left) == ["game ab"] && left.note(of: save, one.mark) == nil)
        #expect(left.look(programs, now: 50).isEmpty, "it has ended once")
    }

    @Test func thoseThatEndedTogetherComeInOrder() {
        let notes = ["ac", "aa", "ab"].map { note($0) }
        var left = OrphanedGames([:])
        for note in notes { left.left(note, now: 10) }
        #expect(left.look(programs, now: 20).map(\.game) == ["game aa", "game ab", "game ac"])
    }

    /// A game whose processes are not to be found has ended while the agent was down.
    @Test func aGameMayHaveEndedWhileNobodyLooked() {
        let (one, two) = (note("aa"), note("ab"))
        run(two)
        var left = restarted(one, two)
        #expect(left.look(programs, now: 10).map(\.key) == [one.key] && games(left) == ["game ab"])
    }

    /// A command that plays the game again, or an agent that hears of it, holds the file itself.
    @Test func aGameThatIsHeldIsNoneOfThese() {
        let (one, two) = (note("aa"), note("ab"))
        var left = restarted(one, two)
        left.held(one)
        #expect(games(left) == ["game ab"])
        #expect(left.look(programs, now: 10).map(\.key) == [two.key])
    }

    @Test func itIsLookedAgainWhileAGameRuns() {
        let one = note("aa")
        run(one)
        var left = OrphanedGames([:])
        _ = left.look(programs, now: 5)
        #expect(left.next == nil)
        left.left(one, now: 10)
        #expect(left.next == MonotonicTime(milliseconds: 10) + GameNote.interval)
        _ = left.look(programs, now: 1_000)
        #expect(left.next == MonotonicTime(milliseconds: 1_000) + GameNote.interval)
        run(one, isRunning: false)
        _ = left.look(programs, now: 3_000)
        #expect(left.next == nil)
    }

    // MARK: Notes of games that have ended

    /// The note tells what the game had read, so it stays until the last save is taken up.
    @Test func theNoteGoesWithTheLastSave() {
        let (one, two, elsewhere) = (note("aa"), note("ab"), note("ac", of: other))
        var left = restarted(one, two, elsewhere)
        for note in left.look(programs, now: 10) { left.ended(note.key, of: note.profile) }
        var dropped = left.takeEnded(save)
        #expect(dropped == NoteChange([one.key: nil, two.key: nil]))
        dropped = left.takeEnded(save)
        #expect(dropped.isEmpty, "they are deleted")
        dropped = left.takeEnded(other)
        #expect(dropped == NoteChange(elsewhere.key, nil))
    }

    /// The last save of one game is taken up while another one of the same profile runs.
    @Test func theNoteOfAGameThatRunsStays() {
        let (one, two) = (note("aa"), note("ab"))
        run(two)
        var left = restarted(one, two)
        for note in left.look(programs, now: 10) { left.ended(note.key, of: note.profile) }
        let dropped = left.takeEnded(save)
        #expect(dropped == NoteChange(one.key, nil) && games(left) == ["game ab"])
    }
}
