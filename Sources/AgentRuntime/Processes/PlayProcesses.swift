package import HouseholdAgent
import Libc
import LocalFiles

/// The processes of one `hearth play`: the command, its game, and everything the game has started.
///
/// The game gets an environment variable that all its descendants inherit, also those that outlive their parent. On
/// macOS Hearth cannot read the environment of other processes, so there only the command itself is known.
package enum PlayProcesses {
    package static let variable = "HEARTH_PLAY"

    /// A new random mark for the game that this process is about to start.
    package static func mark() -> PlayMark {
        var generator = SystemRandomNumberGenerator()
        var token = ""
        for _ in 0..<32 { token += String(UInt8.random(in: 0..<16, using: &generator), radix: 16) }
        guard let mark = PlayMark(token: token, client: getpid(), clientStart: start(of: getpid()) ?? 0) else {
            preconditionFailure("hexadecimal digits are a token")
        }
        return mark
    }

    /// Whether the game, or anything it started, still runs.
    package static func gameRuns(_ mark: PlayMark) -> Bool { !tokens([mark.token]).isEmpty }

    /// The marks that a running process still has, the command included.
    static func running(_ marks: Set<PlayMark>) -> Set<PlayMark> {
        let found = tokens(Set(marks.map(\.token)))
        return marks.filter { found.contains($0.token) || start(of: $0.client) == $0.clientStart }
    }
}

#if canImport(Darwin)
    // Written for macOS, and not run there yet.
    extension PlayProcesses {
        private static func tokens(_ wanted: Set<String>) -> Set<String> { [] }

        private static func start(of process: Int32) -> Int64? {
            var information = proc_bsdinfo()
            let size = Int32(MemoryLayout<proc_bsdinfo>.size)
            guard proc_pidinfo(process, PROC_PIDTBSDINFO, 0, &information, size) == size,
                information.pbi_status != UInt32(SZOMB)
            else { return nil }
            return Int64(information.pbi_start_tvsec) * 1_000_000 + Int64(information.pbi_start_tvusec)
        }
    }
#else
    extension PlayProcesses {
        /// The most bytes of an environment that are read: Linux's default limit for arguments and environment
        /// together.
        private static let environmentLimit = 2 << 20

        /// How often the processes are looked through before a game counts as ended, and the microseconds between.
        private static let looks = (count: 3, pause: UInt32(2_000))

        /// The tokens that some process has. One look is not enough to say that none has: a process in the middle of
        /// `exec` shows no environment for a moment, and one that started another and ended may be gone from the list
        /// before the other was in it.
        private static func tokens(_ wanted: Set<String>) -> Set<String> {
            var found = look(for: wanted)
            for _ in 1..<looks.count where found.count < wanted.count {
                usleep(looks.pause)
                found.formUnion(look(for: wanted.subtracting(found)))
            }
            return found
        }

        private static func look(for wanted: Set<String>) -> Set<String> {
            let needles = wanted.map { (token: $0, entry: Array("\(variable)=\($0)".utf8)) }
            var found: Set<String> = []
            for id in ProcessFiles.ids() {
                let entries = ProcessFiles.read("environ", of: id, limit: environmentLimit).split(separator: 0)
                for needle in needles where !found.contains(needle.token) {
                    if entries.contains(where: { $0.elementsEqual(needle.entry) }) { found.insert(needle.token) }
                }
            }
            return found
        }

        /// A process's start time, the 22nd field of `stat` (see proc(5)); `nil` for a process that has ended.
        private static func start(of process: Int32) -> Int64? {
            let fields = ProcessFiles.stat(of: process)
            guard fields.count > 19, let state = fields[0].first, state != UInt8(ascii: "Z"),
                state != UInt8(ascii: "X")
            else { return nil }
            return Int64(String(decoding: fields[19], as: UTF8.self))
        }
    }
#endif
