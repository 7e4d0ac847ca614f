import HouseholdSimulation
import MergeCore
import Testing

@testable import HouseholdAgent

/// Which of the programs that the configuration names run, and what they have read.
@Suite struct GameProcessesTests {
    private let programs = SimulatedPrograms()

    /// Changes in a few words, to be compared.
    private func words(_ changes: [GameProcesses.Change]) -> [String] {
        changes.map { change in
            switch change {
            case .runs(let line, let program): "\(line): \(program) runs"
            case .ended(let line, let program, let time): "\(line): \(program) has ended, read \(time.milliseconds)"
            }
        }
    }

    private func look(_ games: inout GameProcesses, _ now: MonotonicTime) -> [String] {
        words(games.look(programs, now: now))
    }

    @Test func aProgramRunsFromItsStartToItsEnd() {
        var games = GameProcesses(lines: ["rpg": "rpg.x86"])
        #expect(look(&games, 10_000).isEmpty && games.program { $0 == "rpg" } == nil)
        programs.set("rpg.x86", since: 11_000)
        #expect(look(&games, 12_000) == ["rpg: rpg.x86 runs"])
        #expect(look(&games, 14_000).isEmpty, "it runs as before")
        #expect(games.program { $0 == "rpg" } == "rpg.x86" && games.program { $0 == "race" } == nil)
        programs.set("rpg.x86", since: nil)
        #expect(look(&games, 16_000) == ["rpg: rpg.x86 has ended, read 9000"])
        #expect(games.program { $0 == "rpg" } == nil && games.reads { _ in true }.isEmpty)
        #expect(look(&games, 18_000).isEmpty)
    }

    /// Between two looks it ended and was started again: the game that ended may have saved.
    @Test func aProgramThatWasStartedAgainHasEnded() {
        var games = GameProcesses(lines: ["rpg": "rpg.x86"])
        programs.set("rpg.x86", since: 11_000)
        _ = look(&games, 12_000)
        programs.set("rpg.x86", since: 13_000)
        #expect(look(&games, 14_000) == ["rpg: rpg.x86 has ended, read 9000", "rpg: rpg.x86 runs"])
        #expect(games.reads { _ in true } == [11_000])
    }

    /// What stood in the file a while before the start may still be what it read, because a disk may be slow.
    @Test func aProgramMayHaveReadWhatStoodThereJustBefore() {
        var games = GameProcesses(lines: ["rpg": "rpg.x86", "race": "race.x86"])
        programs.set("rpg.x86", since: 11_000)
        programs.set("race.x86", since: 9_000)
        _ = look(&games, 12_000)
        #expect(games.reads { $0 == "rpg" } == [GameProcesses.readAfter(start: 11_000)])
        #expect(games.reads { $0 == "race" } == [GameProcesses.readAfter(start: 9_000)])
        #expect(games.reads { $0 == "other" }.isEmpty)
        #expect(GameProcesses.readAfter(start: 11_000) == MonotonicTime(milliseconds: 11_000) - GameProcesses.margin)
        #expect(GameProcesses.readAfter(start: .min) == .min)
    }

    /// A start after now is an error of some clock. It must not count as having read what is written until then.
    @Test func noProgramStartsInTheFuture() {
        var games = GameProcesses(lines: ["rpg": "rpg.x86"])
        programs.set("rpg.x86", since: 99_000)
        #expect(look(&games, 12_000) == ["rpg: rpg.x86 runs"])
        #expect(games.reads { _ in true } == [GameProcesses.readAfter(start: 12_000)])
    }

    @Test func changesComeInTheOrderOfTheLines() {
        var games = GameProcesses(lines: ["b": "two", "c": "three", "a": "one"])
        for name in ["three", "one", "two"] { programs.set(name, since: 1_000) }
        #expect(look(&games, 2_000) == ["a: one runs", "b: two runs", "c: three runs"])
        #expect(games.program { $0 != "a" } == "two")
    }

    /// Two saves of one game are played by one program.
    @Test func oneProgramPlaysSeveralSaves() {
        var games = GameProcesses(lines: ["story": "rpg.x86", "arena": "rpg.x86"])
        programs.set("rpg.x86", since: 1_000)
        #expect(look(&games, 2_000) == ["arena: rpg.x86 runs", "story: rpg.x86 runs"])
        programs.set("rpg.x86", since: nil)
        #expect(look(&games, 4_000).count == 2)
    }

    // MARK: When

    @Test func itIsLookedAgainWhereSomethingIsConfigured() {
        var games = GameProcesses(lines: ["rpg": "rpg.x86"])
        _ = look(&games, 10_000)
        #expect(games.next == MonotonicTime(milliseconds: 10_000) + GameProcesses.interval)
        var none = GameProcesses(lines: [:])
        _ = look(&none, 10_000)
        #expect(none.next == nil && !none.isConfigured { _ in true })
        _ = games.configure([:])
        _ = look(&games, 12_000)
        #expect(games.next == nil)
    }

    // MARK: Another configuration

    @Test func aProgramThatIsNamedNoMoreHasEnded() {
        var games = GameProcesses(lines: ["a": "one", "b": "two", "c": "three"])
        for name in ["one", "two"] { programs.set(name, since: 9_000) }
        _ = look(&games, 10_000)
        let ended = words(games.configure(["b": "two", "d": "one"]))
        #expect(ended == ["a: one has ended, read 7000"], "the second runs on, and the third never ran")
        #expect(games.program { $0 == "b" } == "two" && games.program { $0 == "a" } == nil)
        #expect(games.isConfigured { $0 == "d" } && !games.isConfigured { $0 == "a" })
        #expect(look(&games, 11_000) == ["d: one runs"])
    }

    /// It is called by the name that it had, and the other one is looked for.
    @Test func aLineMayNameAnotherProgram() {
        var games = GameProcesses(lines: ["rpg": "old"])
        for name in ["old", "new"] { programs.set(name, since: 9_000) }
        _ = look(&games, 10_000)
        #expect(words(games.configure(["rpg": "new"])) == ["rpg: old has ended, read 7000"])
        #expect(games.program { _ in true } == nil, "nobody has looked yet")
        #expect(look(&games, 10_000) == ["rpg: new runs"])
        #expect(games.configure(["rpg": "new"]).isEmpty)
        #expect(games.program { _ in true } == "new")
    }
}
