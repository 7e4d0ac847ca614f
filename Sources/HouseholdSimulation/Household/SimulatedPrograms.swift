package import HouseholdAgent
package import MergeCore
package import ProfileKeeping
import Synchronization

/// The programs that run on a simulated device: when each was started, and which files they open.
package final class SimulatedPrograms: ProcessTable, OpenWatch, Sendable {
    private let running = Mutex<[String: MonotonicTime]>([:])

    private let played = Mutex<Set<PlayMark>>([])

    /// The running processes, by process id.
    private let processes = Mutex<[Int32: SeenProcess]>([:])

    private struct Opens {
        var isSeen = false
        var watched: [String: FileOpens] = [:]
    }

    private let opens = Mutex(Opens())

    package init() {}

    /// Starts or ends the game of a `hearth play`.
    package func set(_ mark: PlayMark, isRunning: Bool) {
        played.withLock { played in
            if isRunning { played.insert(mark) } else { played.remove(mark) }
        }
    }

    package func running(_ marks: Set<PlayMark>) -> Set<PlayMark> {
        played.withLock { $0.intersection(marks) }
    }

    /// Starts a program by name, or ends it where no time is given.
    package func set(_ name: String, since time: MonotonicTime?) { running.withLock { $0[name] = time } }

    package func starts(of names: Set<String>) -> [String: MonotonicTime] {
        running.withLock { running in running.filter { names.contains($0.key) } }
    }

    // MARK: Processes and their files

    /// Starts a process. Its id is one more than the largest id of a running process.
    package func start(_ program: Program?, at time: MonotonicTime) -> SeenProcess {
        processes.withLock { processes in
            let process = SeenProcess(id: (processes.keys.max() ?? 100) + 1, start: time, program: program)
            processes[process.id] = process
            return process
        }
    }

    package func end(_ process: SeenProcess) { processes.withLock { _ = $0.removeValue(forKey: process.id) } }

    package func starts(of programs: Set<Program>) -> [Program: MonotonicTime] {
        var result: [Program: MonotonicTime] = [:]
        for process in processes.withLock({ Array($0.values) }) {
            guard let program = process.program, programs.contains(program) else { continue }
            result[program] = min(result[program] ?? .max, process.start)
        }
        return result
    }

    /// Sets whether the system reports opened files to the agent; by default it does not.
    package func tellOpens(_ isSeen: Bool = true) { opens.withLock { $0.isSeen = isSeen } }

    /// Notes that a process other than the agent opens a file for reading.
    package func noteOpen(of path: String) {
        opens.withLock { if $0.watched[path] != nil { $0.watched[path] = .seen } }
    }

    package func watchNothing() { opens.withLock { $0.watched = [:] } }

    package func watch(_ paths: Set<String>, without gone: Set<String>) {
        opens.withLock { opens in
            for path in gone { opens.watched[path] = nil }
            for path in paths where opens.watched[path] == nil { opens.watched[path] = .unknown }
        }
    }

    package func opens(of path: String) -> FileOpens {
        opens.withLock { opens in
            guard opens.isSeen, let seen = opens.watched[path] else { return .unknown }
            opens.watched[path] = FileOpens.none
            return seen
        }
    }
}
