package import MergeCore
package import ProfileKeeping
import Synchronization

/// Finds since when programs run, and remembers the oldest process of each. While that one runs, no other can be older, so a
/// save of a game costs a look at one process, and not at all of this user's.
package final class OldestProcesses: Sendable {
    private let find: @Sendable (Set<Program>) -> [Program: SeenProcess]
    private let look: @Sendable (Int32) -> SeenProcess?
    private let known = Mutex<[Program: SeenProcess]>([:])
    /// Most programs that are remembered; with more of them, all are looked for anew.
    private static let limit = 256

    /// - Parameters:
    ///   - find: Looks through all processes for the oldest one of each program.
    ///   - look: A process by its id; `nil` where it has ended.
    package init(
        find: @escaping @Sendable (Set<Program>) -> [Program: SeenProcess] = { UserProcesses.oldest(of: $0) },
        look: @escaping @Sendable (Int32) -> SeenProcess? = { UserProcesses.seen($0) }
    ) {
        (self.find, self.look) = (find, look)
    }

    /// The start of the oldest process of each program that runs.
    package func starts(of programs: Set<Program>) -> [Program: MonotonicTime] {
        known.withLock { known in
            // Its id may be another process' by now, and the process may run another program.
            var found = known.filter { programs.contains($0.key) && look($0.value.id) == $0.value }
            found.merge(find(programs.subtracting(found.keys))) { first, _ in first }
            for program in programs { known[program] = found[program] }
            if known.count > Self.limit { known = found }
            return found.mapValues(\.start)
        }
    }
}
