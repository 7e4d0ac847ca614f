import DiskStore
import HouseholdAgent
import MergeCore
import ProfileKeeping

/// The programs that this user runs on this machine, without Hearth's own.
///
/// A program is found by the name of its executable, by the name it was called with, or, where that is an interpreter or a
/// wrapper such as Wine, by the name of the program that it was told to run.
struct SystemProcesses: ProcessTable {
    private let oldest = OldestProcesses()

    func starts(of names: Set<String>) -> [String: MonotonicTime] {
        var result: [String: MonotonicTime] = [:]
        for process in Self.processes() {
            let known = process.names.intersection(names)
            guard !known.isEmpty, let start = process.start() else { continue }
            for name in known { result[name] = min(result[name] ?? .max, start) }
        }
        return result
    }

    func starts(of programs: Set<Program>) -> [Program: MonotonicTime] { oldest.starts(of: programs) }

    func running(_ marks: Set<PlayMark>) -> Set<PlayMark> { PlayProcesses.running(marks) }

    struct Found {
        var names: Set<String>
        /// Reads when the process started; `nil` where it is another user's, or has ended meanwhile.
        var start: () -> MonotonicTime?
    }
}
