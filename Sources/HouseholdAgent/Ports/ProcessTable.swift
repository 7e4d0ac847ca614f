package import ProfileKeeping

/// The processes of this user, as far as they may be games.
package protocol ProcessTable: Sendable {
    /// Since when a program of each name has been running (its oldest process, if there are several), in milliseconds
    /// since 1970; names of which none runs are left out.
    func starts(of names: Set<String>) -> [String: Int64]

    /// The same of programs that were found writing a file; programs of which no process runs are left out.
    func starts(of programs: Set<Program>) -> [Program: Int64]

    /// Those of which any process runs: the command that played, its game, or anything that this has started.
    func running(_ marks: Set<PlayMark>) -> Set<PlayMark>
}

/// How the processes of one `hearth play` are known.
///
/// The game gets the token in its environment, and so has everything that it starts, whoever becomes its parent later on.
package struct PlayMark: Hashable, Sendable {
    /// Most digits of a token.
    package static let tokenLimit = 64

    /// Hexadecimal digits.
    package let token: String
    /// The process that plays: its number, and when it started, in whatever unit the system counts.
    package let client: Int32
    package let clientStart: Int64

    /// `nil` where the token is none.
    package init?(token: String, client: Int32, clientStart: Int64) {
        let digits = "0123456789abcdef".utf8
        guard 1...Self.tokenLimit ~= token.utf8.count, token.utf8.allSatisfy({ digits.contains($0) }) else { return nil }
        (self.token, self.client, self.clientStart) = (token, client, clientStart)
    }
}

/// Where nobody looks at processes.
struct NoProcesses: ProcessTable {
    func starts(of names: Set<String>) -> [String: Int64] { [:] }
    func starts(of programs: Set<Program>) -> [Program: Int64] { [:] }
    func running(_ marks: Set<PlayMark>) -> Set<PlayMark> { [] }
}
