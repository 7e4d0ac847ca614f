import DiskStore
import MergeCore
import ProfileKeeping
import Synchronization
import TestSupport
import Testing

/// The oldest process of a program is looked for once, and then only asked whether it still runs.
@Suite struct OldestProcessesTests {
    /// A table of processes, and how often all of them were gone through.
    private final class Table: Sendable {
        private let state = Mutex((running: [Int32: SeenProcess](), searches: 0))

        var searches: Int { state.withLock { $0.searches } }

        func begin(_ id: Int32, at start: Int64, _ program: Program?) {
            let process = SeenProcess(id: id, start: MonotonicTime(milliseconds: start), program: program)
            state.withLock { $0.running[id] = process }
        }

        func end(_ id: Int32) { state.withLock { $0.running[id] = nil } }

        var processes: OldestProcesses {
            OldestProcesses { programs in
                self.state.withLock { state in
                    if !programs.isEmpty { state.searches += 1 }
                    let all = state.running.values.sorted { $0.start < $1.start }
                    let found = all.compactMap { process in process.program.map { ($0, process) } }
                    return Dictionary(found.filter { programs.contains($0.0) }) { first, _ in first }
                }
            } look: { id in
                self.state.withLock { $0.running[id] }
            }
        }
    }

    private let table = Table()
    private let (rpg, chess): (Program, Program)

    init() throws {
        rpg = try #require(Program(executable: "/games/rpg"))
        chess = try #require(Program(executable: "/games/chess"))
    }

    private func time(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(milliseconds: milliseconds) }

    @Test func aProcessThatRunsIsNotLookedForAgain() {
        table.begin(7, at: 10, rpg)
        table.begin(8, at: 20, rpg)
        let processes = table.processes
        for _ in 0..<5 { #expect(processes.starts(of: [rpg]) == [rpg: time(10)]) }
        #expect(table.searches == 1)
    }

    @Test func theNextOneIsFoundWhenItEnds() {
        table.begin(7, at: 10, rpg)
        let processes = table.processes
        #expect(processes.starts(of: [rpg]) == [rpg: time(10)])
        table.end(7)
        #expect(processes.starts(of: [rpg]).isEmpty)
        table.begin(9, at: 30, rpg)
        #expect(processes.starts(of: [rpg]) == [rpg: time(30)])
    }

    @Test func anIdThatAnotherProcessHasGotIsNotBelieved() {
        table.begin(7, at: 10, rpg)
        let processes = table.processes
        #expect(processes.starts(of: [rpg]) == [rpg: time(10)])
        table.begin(7, at: 50, rpg)
        #expect(processes.starts(of: [rpg]) == [rpg: time(50)])
        table.begin(7, at: 50, chess)
        #expect(processes.starts(of: [rpg, chess]) == [chess: time(50)])
    }

    @Test func eachProgramIsLookedForByItself() {
        table.begin(7, at: 10, rpg)
        let processes = table.processes
        #expect(processes.starts(of: [rpg, chess]) == [rpg: time(10)])
        table.begin(8, at: 40, chess)
        #expect(processes.starts(of: [rpg, chess]) == [rpg: time(10), chess: time(40)])
        #expect(processes.starts(of: [chess]) == [chess: time(40)])
        #expect(table.searches == 2)
        #expect(processes.starts(of: []).isEmpty)
    }
}
