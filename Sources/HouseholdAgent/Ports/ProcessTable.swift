package import MergeCore
package import ProfileKeeping

/// A port to the system's table of processes: the processes of this user that may be games.
package protocol ProcessTable: Sendable {
    /// The start of the oldest process of each named program. Programs that do not run are left out.
    func starts(of names: Set<String>) -> [String: MonotonicTime]

    /// The start of the oldest process of each program that was found writing a file. Programs that do not run are
    /// left out.
    func starts(of programs: Set<Program>) -> [Program: MonotonicTime]

    /// The marks that a running process still has: the command that played, its game, or any process that the game
    /// started.
    func running(_ marks: Set<PlayMark>) -> Set<PlayMark>
}

/// The mark by which the processes of one `hearth play` are found.
///
/// The game gets the token in its environment. All processes that it starts inherit the token, even if another process
/// becomes their parent later.
package struct PlayMark: Hashable, Sendable {
    /// The largest number of digits of a token.
    package static let tokenLimit = 64

    /// The token, as hexadecimal digits.
    package let token: String
    /// The process of the `hearth play` command: its id, and its start in the unit in which the system counts.
    package let client: Int32
    package let clientStart: Int64

    /// `nil` where the token is malformed.
    package init?(token: String, client: Int32, clientStart: Int64) {
        let digits = "0123456789abcdef".utf8
        guard 1...Self.tokenLimit ~= token.utf8.count, token.utf8.allSatisfy({ digits.contains($0) }) else {
            return nil
        }
        (self.token, self.client, self.clientStart) = (token, client, clientStart)
    }
}

/// The port for systems and tests without a process table: no process is ever seen.
struct NoProcesses: ProcessTable {
    func starts(of names: Set<String>) -> [String: MonotonicTime] { [:] }
    func starts(of programs: Set<Program>) -> [Program: MonotonicTime] { [:] }
    func running(_ marks: Set<PlayMark>) -> Set<PlayMark> { [] }
}
