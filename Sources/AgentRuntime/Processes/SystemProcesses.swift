import DiskStore
import HouseholdAgent
import MergeCore
import ProfileKeeping

/// The programs this user runs on this machine, Hearth's own left out.
///
/// A program goes by its executable's name, by the name it was called with, or by one of its first arguments: what an
/// interpreter or a wrapper such as Wine runs is named there.
struct SystemProcesses: ProcessTable {
    /// How many of a process's words are looked at, the name it was called with first.
    static let wordLimit = 4

    func starts(of names: Set<String>) -> [String: MonotonicTime] {
        var result: [String: MonotonicTime] = [:]
        for process in Self.processes() {
            let known = Set(process.words.map(Program.baseName)).intersection(names)
            guard !known.isEmpty, let start = process.start() else { continue }
            for name in known { result[name] = min(result[name] ?? .max, start) }
        }
        return result
    }

    func starts(of programs: Set<Program>) -> [Program: MonotonicTime] { UserProcesses.starts(of: programs) }

    func running(_ marks: Set<PlayMark>) -> Set<PlayMark> { PlayProcesses.running(marks) }

    /// One process.
    struct Found {
        /// Its executable and the first words of its command line.
        var words: [String]
        /// Its start; `nil` where it is another user's, or has ended meanwhile.
        var start: () -> MonotonicTime?
    }
}
