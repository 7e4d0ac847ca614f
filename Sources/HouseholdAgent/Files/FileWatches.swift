import MergeCore
import ProfileKeeping

/// What the agent waits for with each profile's file: that nobody is in the middle of writing it, that it comes back,
/// that a write that failed is tried again. And which files are watched at all.
struct FileWatches {
    /// Milliseconds between two looks at every file, in case events were lost.
    static let rescanInterval: Int64 = 30_000
    /// Milliseconds after which a file that is gone is written again. Games that delete before they write need less.
    static let absenceGrace: Int64 = 10_000
    /// Milliseconds before a failed write is tried again.
    static let retryInterval: Int64 = 5_000

    private struct Watch {
        var settling = FileSettling()
        /// Whether the folder's watch has told of what is to be looked at. What was found otherwise was written where
        /// nobody sees who opens files: on another machine that shares the folder, or while the watch was blind.
        var isHeard = false
        /// When the file was first found missing.
        var missingSince: Int64?
        /// When to try a projection again that failed.
        var retryAt: Int64?
    }

    private var watches: [ProfileID: Watch] = [:]
    private var files: [ProfileID: String] = [:]
    private var nextRescan: Int64 = 0

    // MARK: Which files

    /// Takes note of where a profile's file is; true where that is news, so that other folders have to be watched.
    mutating func bind(_ id: ProfileID, to path: String?) -> Bool {
        watches[id] = watches[id] ?? Watch()
        defer { files[id] = path }
        return files[id] != path
    }

    /// All files that are watched.
    var paths: Set<String> { Set(files.values) }

    /// Whether it is time to look at every file. The next time is set by that.
    mutating func isRescanDue(now: Int64) -> Bool {
        guard nextRescan <= now else { return false }
        nextRescan = now + Self.rescanInterval
        return true
    }

    var rescanDeadline: Int64 { nextRescan }

    // MARK: Events

    /// Something happened to the file, as the folder's watch tells.
    mutating func happened(_ event: FileSettling.Event, to id: ProfileID, now: Int64) {
        watches[id, default: Watch()].settling.happened(event, now: now)
        if event != .unsure { watches[id]?.isHeard = true }
    }

    /// The file is to be looked at though no watch told of it.
    ///
    /// - Parameter event: `.unsure` where nothing need have happened.
    mutating func look(at id: ProfileID, _ event: FileSettling.Event = .written, now: Int64) {
        watches[id, default: Watch()].settling.happened(event, now: now)
    }

    /// There is nothing to wait for: the profile has no file here, or is paused.
    mutating func forget(_ id: ProfileID) { watches[id] = Watch() }

    /// Lets time pass; true where the file has settled and is to be looked at now.
    mutating func step(_ id: ProfileID, now: Int64, read: () -> [UInt8]?) -> Bool {
        guard var watch = watches[id], let deadline = watch.settling.deadline, deadline <= now else { return false }
        let isFinished = watch.settling.step(now: now, read: read)
        watches[id] = watch
        return isFinished
    }

    /// The file was looked at.
    mutating func lookedAt(_ id: ProfileID, isMissing: Bool, now: Int64) {
        let since = watches[id]?.missingSince ?? now
        watches[id]?.missingSince = isMissing ? since : nil
    }

    /// What the watch told of was taken up.
    mutating func tookUp(_ id: ProfileID) { watches[id]?.isHeard = false }

    /// Nobody can be in the middle of replacing a file that is gone: it may be written at once.
    mutating func mayWriteAtOnce(_ id: ProfileID, now: Int64) {
        watches[id, default: Watch()].missingSince = now - Self.absenceGrace
    }

    /// The file is at another path.
    mutating func moved(_ id: ProfileID) {
        watches[id]?.missingSince = nil
        watches[id]?.retryAt = nil
    }

    // MARK: Writes

    /// Whether the file may be written now: nobody is in the middle of something, and no try has just failed.
    func mayWrite(_ id: ProfileID, isMissing: Bool, now: Int64) -> Bool {
        guard let watch = watches[id], watch.settling.isSettled else { return false }
        if isMissing {
            guard let since = watch.missingSince, since + Self.absenceGrace <= now else { return false }
        }
        return watch.retryAt.map { $0 <= now } ?? true
    }

    /// What became of a try to write it.
    mutating func tried(_ id: ProfileID, _ outcome: ProjectOutcome, now: Int64) {
        watches[id]?.retryAt = nil
        switch outcome {
        case .nothingToDo, .written: watches[id]?.missingSince = nil
        case .fileChanged: watches[id]?.settling.happened(.written, now: now)
        case .postponed: retryLater(id, now: now)
        }
    }

    /// It was written for a game that holds it.
    mutating func written(_ id: ProfileID) { watches[id]?.missingSince = nil }

    mutating func retryLater(_ id: ProfileID, now: Int64) { watches[id]?.retryAt = now + Self.retryInterval }

    /// Nothing has failed any more.
    mutating func retryNow(_ id: ProfileID) { watches[id]?.retryAt = nil }

    // MARK: Looking

    /// Whether nobody is in the middle of writing the file, as far as is known.
    func isSettled(_ id: ProfileID) -> Bool { watches[id]?.settling.isSettled ?? true }

    /// Whether the folder's watch has told of what is to be looked at.
    func isHeard(_ id: ProfileID) -> Bool { watches[id]?.isHeard == true }

    /// When a write that failed is tried again.
    func retryAt(_ id: ProfileID) -> Int64? { watches[id]?.retryAt }

    /// When a file has something to be done with.
    ///
    /// - Parameter isToBeWritten: Whether something waits to be written into it, and may be.
    func deadline(_ id: ProfileID, isToBeWritten: Bool) -> Int64? {
        guard let watch = watches[id] else { return nil }
        guard isToBeWritten else { return watch.settling.deadline }
        // What failed is tried again at its own time, however long the file has been missing.
        let write = watch.retryAt ?? watch.missingSince.map { $0 + Self.absenceGrace }
        return [watch.settling.deadline, write].compactMap { $0 }.min()
    }
}
