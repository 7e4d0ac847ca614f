package import HouseholdAgent
import Synchronization

/// The programs that run on a simulated device, each by its name, and since when.
package final class SimulatedPrograms: ProcessTable, Sendable {
    private let running = Mutex<[String: Int64]>([:])

    private let played = Mutex<Set<PlayMark>>([])

    package init() {}

    /// Starts or ends what `hearth play` plays.
    package func set(_ mark: PlayMark, isRunning: Bool) {
        played.withLock { played in
            if isRunning { played.insert(mark) } else { played.remove(mark) }
        }
    }

    package func running(_ marks: Set<PlayMark>) -> Set<PlayMark> {
        played.withLock { $0.intersection(marks) }
    }

    /// Starts a program, or ends it where no time is given.
    package func set(_ name: String, since time: Int64?) { running.withLock { $0[name] = time } }

    package func starts(of names: Set<String>) -> [String: Int64] {
        running.withLock { running in running.filter { names.contains($0.key) } }
    }
}
