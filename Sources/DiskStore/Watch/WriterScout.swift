package import ProfileKeeping
import Synchronization

/// Finds out which process is writing a watched file, in the moment in which the folder's watch hears of it.
///
/// A look goes through the open files of this user's processes. It comes when a file in a watched folder is made or
/// written to, so it finds who writes the file itself, or a temporary that is renamed to it later: the kernel tells
/// with one number which name went to which. Whoever has closed the file again by then is not found; that is no
/// failure, since what was found once is remembered by others.
///
/// A look costs one read of a folder for each process of this user, some milliseconds in all. So that a folder in
/// which something is written all the time costs little, looks take up at most a fiftieth of the time.
package final class WriterScout: Sendable {
    /// Asks the system which processes have files in these folders open for writing.
    package typealias Look = @Sendable (_ folders: Set<String>) -> [WrittenFile]

    /// One event that the watch reports.
    enum Note {
        /// Something was made or written to in a folder.
        case stirred(folder: String)
        /// A file was renamed away, under a number that the other end of the renaming has as well.
        case from(folder: String, name: String, cookie: UInt32)
        /// Something was renamed to where these paths lead.
        case to(paths: [String], cookie: UInt32)
        /// Something was written where these paths lead.
        case wrote(paths: [String], folder: String, name: String)
    }

    /// Milliseconds for which a writer of a temporary is remembered.
    static let memory: Int64 = 60_000
    /// Files that are remembered at most.
    static let limit = 256
    /// A look that took some time is followed by this many times as much without any.
    static let rest: Int64 = 50

    private struct Place: Hashable {
        var folder: String
        var name: String
    }

    private struct State {
        var writers: [Place: (process: SeenProcess, time: Int64)] = [:]
        var moved: [UInt32: (process: SeenProcess, time: Int64)] = [:]
        /// Microseconds; no look before.
        var next: Int64 = .min
    }

    private let look: Look
    private let report: @Sendable (_ path: String, _ writer: SeenProcess) -> Void
    /// Microseconds of a clock that nobody sets.
    private let clock: @Sendable () -> Int64
    private let state = Mutex(State())

    package init(
        look: @escaping Look, clock: (@Sendable () -> Int64)? = nil,
        report: @escaping @Sendable (_ path: String, _ writer: SeenProcess) -> Void
    ) {
        (self.look, self.report) = (look, report)
        let start = ContinuousClock.now
        self.clock = clock ?? {
            let time = start.duration(to: .now).components
            return time.seconds * 1_000_000 + time.attoseconds / 1_000_000_000_000
        }
    }

    /// Looks where that is due, and tells whom it found. Called on the thread of the watch.
    func heard(_ notes: [Note]) {
        let stirred = Set(notes.compactMap { if case .stirred(let folder) = $0 { folder } else { nil } })
        guard !notes.isEmpty else { return }
        let found = state.withLock { state -> [(path: String, process: SeenProcess)] in
            let now = clock()
            if !stirred.isEmpty, state.next <= now {
                for file in look(stirred) {
                    state.writers[Place(folder: file.folder, name: file.name)] = (file.process, now)
                }
                let end = clock()
                state.next = end + Self.rest * max(end - now, 100)
            }
            forget(&state, before: now - Self.memory * 1_000)
            return notes.flatMap { take($0, &state) }
        }
        for (path, process) in found { report(path, process) }
    }

    private func take(_ note: Note, _ state: inout State) -> [(path: String, process: SeenProcess)] {
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
