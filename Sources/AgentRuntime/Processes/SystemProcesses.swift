import DiskStore
import HouseholdAgent
import MergeCore
import ProfileKeeping

/// The programs that this user runs on this machine, without Hearth's own.
///
/// A program is found by the name of its executable, by the name it was called with, or by one of its first arguments.
/// The last is where an interpreter or a wrapper such as Wine has the name of the program it runs.
struct SystemProcesses: ProcessTable {
    /// How many words of a command line are read, beginning with the name the program was called with.
    static let wordLimit = 4

    private let oldest = OldestProcesses()

    func starts(of names: Set<String>) -> [String: MonotonicTime] {
        var result: [String: MonotonicTime] = [:]
        for process in Self.processes() {
            let known = Set(process.words.map(Program.baseName)).intersection(names)
            guard !known.isEmpty, let start = process.start() else { continue }
            for name in known { result[name] = min(result[name] ?? .max, start) }
        }
        return result
    }

    func starts(of programs: Set<Program>) -> [Program: MonotonicTime] { oldest.starts(of: programs) }

    func running(_ marks: Set<PlayMark>) -> Set<PlayMark> { PlayProcesses.running(marks) }

    struct Found {
        /// The executable and the first words of the command line.
        var words: [String]
        /// Reads when the process started; `nil` where it is another user's, or has ended meanwhile.
        var start: () -> MonotonicTime?
    }
}
