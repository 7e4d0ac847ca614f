/// The processes of this user, as far as they may be games.
package protocol ProcessTable: Sendable {
    /// Since when a program of each name has been running (its oldest process, if there are several), in milliseconds
    /// since 1970; names of which none runs are left out.
    func starts(of names: Set<String>) -> [String: Int64]
}

/// Where nobody looks at processes.
struct NoProcesses: ProcessTable {
    func starts(of names: Set<String>) -> [String: Int64] { [:] }
}
