import DiskStore
import HouseholdAgent
import ProfileKeeping

/// The programs that this user runs on this machine, without Hearth's own.
///
/// A program is found by the name of its executable, by the name it was called with, or by one of its first arguments.
/// The last is where an interpreter or a wrapper such as Wine has the name of the program it runs.
struct SystemProcesses: ProcessTable {
    /// How many words of a command line are read, beginning with the name the program was called with.
    static let wordLimit = 4

    init() { UserProcesses.noteClock() }

    func starts(of names: Set<String>) -> [String: Int64] {
        var result: [String: Int64] = [:]
        for process in Self.processes() {
            let known = Set(process.words.map(Program.baseName)).intersection(names)
            guard !known.isEmpty, let start = process.start() else { continue }
            for name in known { result[name] = min(result[name] ?? .max, start) }
        }
        return result
    }

    func starts(of programs: Set<Program>) -> [Program: Int64] { UserProcesses.starts(of: programs) }

    func running(_ marks: Set<PlayMark>) -> Set<PlayMark> { PlayProcesses.running(marks) }

    struct Found {
        /// The executable and the first words of the command line.
        var words: [String]
        /// The start time in milliseconds since 1970; `nil` for another user's process, or one that has ended
        /// meanwhile.
        var start: () -> Int64?
    }
}
