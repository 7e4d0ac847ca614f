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
        var watched: [String: Watched] = [:]
    }

    /// The processes that read or replaced a file since the agent asked last.
    private struct Watched {
        var former = FileOpens.unknown
        /// `nil` for a process without a name.
        var readers: Set<SeenProcess?> = []
        /// Those of which the kernel says that they opened the file, and then put another one in its place.
        var writers: Set<SeenProcess> = []

        mutating func read(by process: SeenProcess?) {
            if let process, writers.contains(process) { return }
            readers.insert(process)
        }

        mutating func replaced(by process: SeenProcess) {
            if readers.remove(process) != nil { writers.insert(process) }
        }

        var seen: FileOpens { former.and(readers.isEmpty ? writers.isEmpty ? .none : .byWriter : .seen) }
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
    package func noteOpen(of path: String, by process: SeenProcess? = nil) {
        opens.withLock { $0.watched[path]?.read(by: process) }
    }

    /// Notes that a process other than the agent puts another file in the place of this one.
    package func noteReplacement(of path: String, by process: SeenProcess) {
        opens.withLock { $0.watched[path]?.replaced(by: process) }
    }

    package func watchNothing() { opens.withLock { $0.watched = [:] } }

    package func watch(_ paths: Set<String>, without gone: Set<String>) {
        opens.withLock { opens in
            for path in gone { opens.watched[path] = nil }
            for path in paths where opens.watched[path] == nil { opens.watched[path] = Watched() }
        }
    }

    package func opens(of path: String) -> FileOpens {
        opens.withLock { opens in
            guard opens.isSeen, let watched = opens.watched[path] else { return .unknown }
            opens.watched[path] = Watched(former: .none)
            return watched.seen
        }
    }
}
