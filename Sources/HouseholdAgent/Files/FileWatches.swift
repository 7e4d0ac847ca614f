import MergeCore
import ProfileKeeping

/// The watch of each profile's file: whether a program is just writing it, when a missing file is written again, and
/// when a failed write is tried again. Also the set of files to watch.
struct FileWatches {
    /// The time between two looks at every file, in case events of the file system were lost. Longer where there are more
    /// files than are looked at in that time.
    static let rescanInterval = Duration.seconds(30)
    /// Files that are looked at in one event.
    static let rescanTurn = 64
    /// The shortest time between two such events.
    static let rescanPause = Duration.milliseconds(500)
    /// The time between two turns of the looks at a start.
    static let startPause = Duration.milliseconds(200)
    /// The time after which a missing file is written again. Games that delete their file before they write it need
    /// less time.
    static let absenceGrace = Duration.seconds(10)
    /// The time before a failed write is tried again.
    static let retryInterval = Duration.seconds(5)
    /// The time before a write is tried again whose profile cannot be read from the record.
    static let heldInterval = Duration.seconds(60)

    private struct Watch: Equatable {
        var debouncer = FileDebouncer()
        /// Whether the folder's watch has reported the change that is to be looked at. If it did not, opens of the file
        /// were not seen either: the change was made on another machine that shares the folder, or while the watch
        /// missed events.
        var isHeard = false
        /// When the file was first found missing.
        var missingSince: MonotonicTime?
        /// The time at which a failed projection (writing the merged state into the file) is tried again.
        var retryAt: MonotonicTime?
        /// Why it could not be written at the last try.
        var trouble: String?

        /// Why the last look failed, so that what the file holds may not be known here; `nil` where it did not.
        var failedLook: String?

        /// The identity of the file that holds the last save that was handed over.
        var handedOver: FileIdentity?

        /// Whether something is due at a time.
        var isActive: Bool { debouncer.deadline != nil || missingSince != nil || retryAt != nil }
    }

    /// The watches, with a list of those that have something due at a time. Of most files nothing is known, and they have
    /// none.
    private struct Table {
        private var watches: [ProfileID: Watch] = [:]
        private(set) var active: Set<ProfileID> = []

        subscript(id: ProfileID) -> Watch {
            get { watches[id] ?? Watch() }
            _modify {
                defer { note(id) }
                yield &watches[id, default: Watch()]
            }
        }

        private mutating func note(_ id: ProfileID) {
            guard let watch = watches[id] else { return }
            if watch.isActive { active.insert(id) } else { active.remove(id) }
            guard watch == Watch() else { return }
            watches[id] = nil
            // At a start every file has a watch. An emptied dictionary keeps its memory, so it is replaced.
            if watches.isEmpty { (watches, active) = ([:], []) }
        }
    }

    private var watches = Table()
    private var firstLooks = FirstLooks()
    private var files = WatchedPaths()
    /// The profiles whose file was looked at, or was to be written.
    private var seen: Set<ProfileID> = []
    /// The profiles whose missing file may be written at once.
    private var writable: Set<ProfileID> = []
    private var nextRescan = MonotonicTime.min
    /// When the present round of looks began, and the profile that was looked at last in it; `nil` between two rounds.
    private var rescanBegan = MonotonicTime.min
    private var rescanned: ProfileID?

    // MARK: Which files

    /// Notes the path of a profile's file.
    mutating func bind(_ id: ProfileID, to path: String?) { files.bind(id, to: path) }

    /// The paths that have to be watched since the last call, and those that need not be any more; `nil` for neither.
    mutating func takeMoved() -> (new: Set<String>, gone: Set<String>)? { files.takeMoved() }

    /// The files whose turn it is to be looked at.
    struct RescanTurn {
        let profiles: ArraySlice<ProfileID>
        /// Whether a round begins with them.
        let isFirst: Bool
    }

    /// Makes every file due to be looked at, at a start. Many files are due one turn after the other: what happens
    /// meanwhile shall not wait until all of them were read.
    mutating func lookAtAll(_ ids: [ProfileID], now: MonotonicTime) {
        firstLooks.begin(with: ids, now: now)
        beginFirstLooks(now: now)
        nextRescan = now + Self.rescanInterval + Self.startPause * (ids.count / Self.rescanTurn)
    }

    /// Makes the files due whose turn of the looks at a start has come. Those that are not yet have nothing due at a time.
    mutating func beginFirstLooks(now: MonotonicTime) {
        while let turn = firstLooks.takeTurn(now: now) {
            for id in turn { watches[id].debouncer.happened(.unsure, now: now) }
        }
    }

    /// The profiles whose file is to be looked at now; `nil` if it is not time. O(those, and the logarithm of all).
    ///
    /// - Parameter ids: All profiles, in ascending order.
    mutating func takeRescan(of ids: [ProfileID], now: MonotonicTime) -> RescanTurn? {
        guard nextRescan <= now else { return nil }
        let isFirst = rescanned == nil
        if isFirst { rescanBegan = now }
        let turn = ids[(rescanned.map { ids.index(behind: $0) } ?? 0)...].prefix(Self.rescanTurn)
        rescanned = turn.endIndex < ids.count ? turn.last : nil
        let pause = max(Self.rescanPause, Self.rescanInterval / (ids.count / Self.rescanTurn + 1))
        nextRescan = rescanned == nil ? max(rescanBegan + Self.rescanInterval, now + pause) : now + pause
        return RescanTurn(profiles: turn, isFirst: isFirst)
    }

    var rescanDeadline: MonotonicTime { min(nextRescan, firstLooks.deadline ?? .max) }

    /// The profiles whose watch has something due at a time.
    var active: Set<ProfileID> { watches.active }

    // MARK: Events

    /// Notes an event of a file that the folder's watch has reported.
    mutating func happened(_ event: FileDebouncer.Event, to id: ProfileID, now: MonotonicTime) {
        look(at: id, event, now: now)
        if event != .unsure { watches[id].isHeard = true }
    }

    /// Notes the file of a save that was handed over and looked at.
    mutating func handedOver(_ file: FileIdentity, _ id: ProfileID) { watches[id].handedOver = file }

    /// Whether this is the file of the last save that a store handed over. An event about it can be ignored.
    func isHandedOver(_ file: FileIdentity, _ id: ProfileID) -> Bool { watches[id].handedOver == file }

    /// Makes a file due to be looked at, though the watch reported nothing.
    ///
    /// - Parameter event: `.unsure` if it is not known that anything has happened.
    mutating func look(at id: ProfileID, _ event: FileDebouncer.Event = .written, now: MonotonicTime) {
        firstLooks.remove(id)
        watches[id].debouncer.happened(event, now: now)
    }

    /// Resets the watch of a profile that has no file here, or is paused.
    mutating func forget(_ id: ProfileID) {
        firstLooks.remove(id)
        watches[id] = Watch()
    }

    /// Lets time pass. Returns true where the file has settled and is to be looked at now.
    mutating func step(_ id: ProfileID, now: MonotonicTime, read: () -> [UInt8]?) -> Bool {
        guard let deadline = watches[id].debouncer.deadline, deadline <= now else { return false }
        return watches[id].debouncer.step(now: now, read: read)
    }

    /// Notes that the file was looked at, and whether it was missing.
    mutating func lookedAt(_ id: ProfileID, isMissing: Bool, now: MonotonicTime) {
        let since = watches[id].missingSince ?? now
        watches[id].missingSince = isMissing ? since : nil
        seen.insert(id)
    }

    /// The profiles whose file was looked at, or was to be written, since the last call.
    mutating func takeSeen() -> Set<ProfileID> {
        defer { seen = [] }
        return seen
    }

    /// Notes that the reported change was taken up.
    mutating func tookUp(_ id: ProfileID) { (watches[id].isHeard, watches[id].failedLook) = (false, nil) }

    /// Notes why what the file holds could not be taken up, and makes it due to be looked at later.
    mutating func failedLook(at id: ProfileID, _ why: String, until time: MonotonicTime) {
        watches[id].failedLook = why
        look(at: id, now: time)
    }

    /// Why what the file holds could not be taken up at the last look.
    func failedLook(_ id: ProfileID) -> String? { watches[id].failedLook }

    /// Allows a missing file to be written without waiting, because no program can be in the middle of replacing it.
    mutating func mayWriteAtOnce(_ id: ProfileID, now: MonotonicTime) {
        watches[id].missingSince = now - Self.absenceGrace
        writable.insert(id)
    }

    /// The profiles that were allowed this since the last call, ascending.
    mutating func takeWritable() -> [ProfileID] {
        defer { writable = [] }
        return writable.sorted()
    }

    /// Notes that the file has moved to another path.
    mutating func moved(_ id: ProfileID) {
        watches[id].missingSince = nil
        watches[id].retryAt = nil
    }

    // MARK: Writes

    /// Whether the file may be written now: no program is in the middle of writing it, and no write has just failed.
    func mayWrite(_ id: ProfileID, isMissing: Bool, now: MonotonicTime) -> Bool {
        let watch = watches[id]
        guard isSettled(id) else { return false }
        if isMissing {
            guard let since = watch.missingSince, since + Self.absenceGrace <= now else { return false }
        }
        return watch.retryAt.map { $0 <= now } ?? true
    }

    /// Notes the outcome of an attempt to write the file.
    mutating func tried(_ id: ProfileID, _ outcome: ProjectOutcome, now: MonotonicTime) {
        watches[id].retryAt = nil
        seen.insert(id)
        switch outcome {
        case .nothingToDo, .written: written(id)
        case .fileChanged: look(at: id, now: now)
        case .postponed: retryLater(id, now: now)
        }
    }

    /// Notes that the file holds what it should, such as after it was written for a game that holds it open.
    mutating func written(_ id: ProfileID) {
        watches[id].missingSince = nil
        watches[id].trouble = nil
    }

    /// Notes why the file cannot be written. Returns whether that was not so at the try before: it is tried again every few
    /// seconds, and a log that says so each time says nothing else.
    mutating func isNew(_ trouble: String, of id: ProfileID) -> Bool {
        defer { watches[id].trouble = trouble }
        return watches[id].trouble != trouble
    }

    mutating func retryLater(_ id: ProfileID, now: MonotonicTime) { watches[id].retryAt = now + Self.retryInterval }

    /// Drops the waiting time after a failed write.
    mutating func retryNow(_ id: ProfileID) { watches[id].retryAt = nil }

    // MARK: Looking

    /// Whether, as far as is known, no program is in the middle of writing the file. Not before it was looked at.
    func isSettled(_ id: ProfileID) -> Bool { !firstLooks.contains(id) && watches[id].debouncer.isSettled }

    /// Whether a program has been writing the file for so long without a pause that nothing of it was read.
    func isRestless(_ id: ProfileID) -> Bool { watches[id].debouncer.isRestless }

    /// Whether the folder's watch has reported the change that is to be looked at.
    func isHeard(_ id: ProfileID) -> Bool { watches[id].isHeard }

    /// The time at which a failed write is tried again.
    func retryAt(_ id: ProfileID) -> MonotonicTime? { watches[id].retryAt }

    /// The earliest time at which something is due for a file.
    ///
    /// - Parameter isToBeWritten: Whether a change waits to be written into the file, and may be written.
    func deadline(_ id: ProfileID, isToBeWritten: Bool) -> MonotonicTime? {
        let watch = watches[id]
        guard isToBeWritten else { return watch.debouncer.deadline }
        // A failed write is tried again at its own time, however long the file has been missing.
        let write = watch.retryAt ?? watch.missingSince.map { $0 + Self.absenceGrace }
        return [watch.debouncer.deadline, write].compactMap { $0 }.min()
    }
}
