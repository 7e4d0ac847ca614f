import Libc
package import ProfileKeeping
import Synchronization

/// Finds out which process is writing a watched file, when the folder's watch reports the change.
///
/// A look goes through the open files of this user's processes. It is done when a file in a watched folder is created
/// or written. So it finds the process that writes the file itself, or a temporary file that is renamed onto it later:
/// the kernel connects the two names of a rename by a number. A process that has closed the file by then is not found.
/// That does no harm, because a writer that was found once is remembered by the agent.
///
/// A look costs one read of a folder for each process of this user, some milliseconds in all. It is done on a thread of its
/// own, so that a save that is complete by then need not wait for it. Looks take up at most a fiftieth of the time, so that
/// a folder with constant writes costs little.
package final class WriterProbe: Sendable {
    /// A function that asks the system which processes have files in these folders open for writing.
    package typealias Look = @Sendable (_ folders: Set<String>) -> [WrittenFile]

    /// One event that the watch reports.
    enum Note {
        /// A file was created or written in a folder.
        case stirred(folder: String)
        /// A file was renamed away. The cookie is the number that the other event of the rename has as well.
        case from(folder: String, name: String, cookie: UInt32)
        /// A file was renamed into place. `paths` are the watched paths that lead to it.
        case to(paths: [String], cookie: UInt32)
        /// A file was written. `paths` are the watched paths that lead to it.
        case wrote(paths: [String], folder: String, name: String)
    }

    /// Milliseconds for which the writer of a temporary file is remembered.
    static let memory: Int64 = 60_000
    /// The largest number of remembered files.
    static let limit = 256
    /// After a look, no other look is done for this many times its duration.
    static let rest: Int64 = 50

    private struct Place: Hashable {
        var folder: String
        var name: String
    }

    private struct State {
        var writers: [Place: (process: SeenProcess, time: Int64)] = [:]
        var moved: [UInt32: (process: SeenProcess, time: Int64)] = [:]
        /// The earliest time of the next look, in microseconds.
        var next: Int64 = .min
        /// The notes that arrived while a look was being done. They are worked on when it ends; `nil` while no look is done.
        var waiting: [Note]?
    }

    private typealias Found = [(path: String, process: SeenProcess)]

    private let look: Look
    private let report: @Sendable (_ path: String, _ writer: SeenProcess) -> Void
    /// The time in microseconds of a monotonic clock.
    private let clock: @Sendable () -> Int64
    private let start: @Sendable (_ look: @escaping @Sendable () -> Void) -> Bool
    private let state = Mutex(State())

    /// - Parameter start: Has a look done, on another thread; returns false where there is none.
    package init(
        look: @escaping Look, clock: (@Sendable () -> Int64)? = nil,
        start: @escaping @Sendable (_ look: @escaping @Sendable () -> Void) -> Bool = { OwnThread.start($0) },
        report: @escaping @Sendable (_ path: String, _ writer: SeenProcess) -> Void
    ) {
        (self.look, self.start, self.report) = (look, start, report)
        let began = ContinuousClock.now
        self.clock =
            clock ?? {
                let time = began.duration(to: .now).components
                return time.seconds * 1_000_000 + time.attoseconds / 1_000_000_000_000
            }
    }

    /// Has a look done if one is due, and reports the writers that were found. Called on the thread of the watch.
    func received(_ notes: [Note]) {
        guard !notes.isEmpty else { return }
        let stirred = Set(notes.compactMap { if case .stirred(let folder) = $0 { folder } else { nil } })
        let (isDue, found) = state.withLock { state -> (Bool, Found) in
            if state.waiting != nil {
                // Where a look takes so long, nothing can be told of what was written meanwhile.
                let isFull = state.waiting?.count ?? 0 > Self.limit
                if isFull { state.waiting = [] } else { state.waiting?.append(contentsOf: notes) }
                return (false, [])
            }
            if !stirred.isEmpty, state.next <= clock() {
                state.waiting = notes
                return (true, [])
            }
            return (false, take(notes, &state))
        }
        tell(found)
        if isDue, !start({ [self] in lookNow(stirred) }) { lookNow(stirred) }
    }

    private func lookNow(_ folders: Set<String>) {
        let began = clock()
        let files = look(folders)
        let found = state.withLock { state -> Found in
            for file in files {
                state.writers[Place(folder: file.folder, name: file.name)] = (file.process, began)
            }
            let end = clock()
            state.next = end + Self.rest * max(end - began, 100)
            let notes = state.waiting ?? []
            state.waiting = nil
            return take(notes, &state)
        }
        tell(found)
    }

    private func tell(_ found: Found) { for (path, process) in found { report(path, process) } }

    private func take(_ notes: [Note], _ state: inout State) -> Found {
        forget(&state, before: clock() - Self.memory * 1_000)
        return notes.flatMap { take($0, &state) }
    }

    private func take(_ note: Note, _ state: inout State) -> Found {
        switch note {
        case .stirred: return []
        case .from(let folder, let name, let cookie):
            state.moved[cookie] = state.writers.removeValue(forKey: Place(folder: folder, name: name))
            return []
        case .to(let paths, let cookie):
            guard let writer = state.moved.removeValue(forKey: cookie) else { return [] }
            return paths.map { ($0, writer.process) }
        case .wrote(let paths, let folder, let name):
            guard let writer = state.writers.removeValue(forKey: Place(folder: folder, name: name)) else { return [] }
            return paths.map { ($0, writer.process) }
        }
    }

    private func forget(_ state: inout State, before time: Int64) {
        if state.writers.count > Self.limit { state.writers = [:] }
        if state.moved.count > Self.limit { state.moved = [:] }
        state.writers = state.writers.filter { $0.value.time >= time }
        state.moved = state.moved.filter { $0.value.time >= time }
    }
}
