package import MergeCore

/// The engine of profiles. It takes up what games write, writes back what was merged, and finishes what a crash cut
/// short.
///
/// It works through ports: files and record are passed in and work synchronously; time and randomness come in as
/// arguments. Nothing here waits.
package struct ProfileEngine<Files: ProfileFiles, Store: Record> {
    package let files: Files
    package let store: Store
    package internal(set) var profiles = ProfileTable()
    /// The profiles of the last commits, the newest at the end.
    private var lately: [ProfileID] = []
    /// Most profiles whose state stays in memory while nothing happens to them.
    package var loadedLimit = 32
    /// What is held of profiles that the record holds as well.
    var loaded = LoadedProfiles()
    /// Where the states and base histories of quiet profiles are.
    let states: RecordedPart<ProfileState>
    let baseHistories: RecordedPart<BaseHistory>
    /// The batch of changes that are to become durable together; `nil` at other times.
    var batch: Batch?
    /// The paths of profile files that lead through links.
    var linkedPaths = LinkedPaths()
    /// Most profiles for which the parsed snapshot is kept in memory.
    private static var parsedLimit: Int { 16 }

    /// Most bytes a profile file may have.
    package static var fileLimit: Int { 64 << 20 }
    /// The beginning of the name of every temporary file beside a profile file.
    package static var temporaryPrefix: String { ".hearth-" }

    /// Whether a name is one that a projection gives its staged file: the prefix, then hexadecimal digits.
    private static func isStaged(_ name: String) -> Bool {
        name.hasPrefix(temporaryPrefix) && name.dropFirst(temporaryPrefix.count).allSatisfy(\.isHexDigit)
    }

    /// Loads the outline of every profile of the record. Call ``recover(now:)`` before anything else.
    package init(files: Files, store: Store) throws(StorageFault) {
        self.files = files
        self.store = store
        states = Self.states(of: store, noting: loaded.readings)
        baseHistories = Self.baseHistories(of: store, noting: loaded.readings)
        let waiting = try store.notesOfProfiles(in: Self.waitNotes)
        let pending = try store.pendingBackups()
        let said = try store.notesOfProfiles(in: Self.noticeNotes)
        let quarantined = try store.notesOfProfiles(in: Self.quarantineNotes)
        let shown = try store.notesOfProfiles(in: ShownMark.notes)
        let ownSaves = try store.notesOfProfiles(in: OwnSaves.notes)
        for (id, outline) in try store.outlines() {
            var stored = outline
            // What recovery finds under the name in an intent it swaps or removes. The record is not believed if it names
            // any other file than one that Hearth stages, such as the save.
            if let name = stored.intent?.temporary, !Self.isStaged(name) { stored.intent = nil }
            var profile = outlined(id, stored, shown[id].flatMap { ShownMark($0) })
            profile.waitsForOthers = waiting[id] != nil
            profile.quarantinePrint = quarantined[id]
            if let note = ownSaves[id] { profile.ownSaves = OwnSaves(note) }
            profile.notices = said[id].map { SaveNotices($0) } ?? SaveNotices()
            profile.pendingBackups = (pending[id] ?? []).compactMap {
                PendingBackup($0.key, $0.note, profile.baseHistory)
            }
            profile.pendingBackups.sort { $0.snapshot < $1.snapshot }
            profile.noteVersionStatus()
            profiles[id] = profile
        }
    }

    /// The ids in ascending order, for everything that must not depend on the order of a dictionary.
    package var ids: [ProfileID] { profiles.ids }

    /// The profiles that still need work here. The engine has deadlines for these alone.
    package var active: Set<ProfileID> { profiles.active }

    /// The profiles that were changed since the last call, in ascending order. The first call returns all profiles.
    package mutating func takeChanged() -> [ProfileID] { profiles.takeChanged() }

    /// The profile whose file is at a path.
    package func profile(at path: String) -> ProfileID? {
        profiles.id(at: path)
    }

    // MARK: Committing

    /// Makes a change of the state durable, together with its step of the history. Then puts it into memory.
    ///
    /// - Parameter lost: What a save wrote, or a file that joined held, and what does not show. Then the history has a
    ///   second step, by which the other values took its place.
    mutating func commit(
        _ profile: inout KeptProfile, atoms: [KeyedAtom], removed: [AtomKey] = [], as origin: HistoryEntry.Origin,
        at now: WallTime, baseHistory: BaseHistory.Change? = nil, intent: RecordChange.IntentChange = .keep,
        notes: NoteChange = NoteChange(), lowered: [SaveMeaning.Lowered] = [],
        lost: [LostWrite] = []
    ) throws(StorageFault) {
        let keys = atoms.map(\.key) + removed
        // A file that joins wrote nothing: what was there before it is there afterwards.
        let written = origin == .adopt ? [] : lost
        let row = try historyRow(profile, keys, as: origin, at: now, lowered: lowered, lost: written)
        let second = try historyRow(replacing: lost, after: row, at: now, by: profile)
        try commit(&profile, atoms, removed, [row, second].compactMap { $0 }, baseHistory, intent, notes)
    }

    /// Makes what is known of the file durable; the state does not change.
    mutating func commit(
        _ profile: inout KeptProfile, baseHistory: BaseHistory.Change? = nil, intent: RecordChange.IntentChange = .keep,
        notes: NoteChange = NoteChange()
    ) throws(StorageFault) {
        try commit(&profile, [], [], [], baseHistory, intent, notes)
    }

    private mutating func commit(
        _ profile: inout KeptProfile, _ atoms: [KeyedAtom], _ removed: [AtomKey], _ steps: [HistoryRow],
        _ baseHistory: BaseHistory.Change?, _ intent: RecordChange.IntentChange, _ notes: NoteChange
    ) throws(StorageFault) {
        if let fault = profile.fault ?? profiles[profile.id]?.fault { throw fault }
        endAnsweredSavedTwice(&profile)
        for index in profile.pendingBackups.indices {
            profile.pendingBackups[index].keepContent(beyond: profile.baseHistory)
        }
        var change = RecordChange.ProfileChange(profile.id)
        change.atoms = atoms
        change.removed = removed
        change.vector = profile.vector
        change.replica = profile.replica
        change.file = .some(profile.file.path)
        change.baseHistoryFrom = baseHistory?.from
        change.baseHistory = baseHistory?.rows ?? []
        change.intent = intent
        change.history = steps.first
        var whole = RecordChange(change)
        for step in steps.dropFirst() {
            var further = RecordChange.ProfileChange(profile.id)
            further.history = step
            whole.profiles.append(further)
        }
        whole.notes = notes
        if let end = profile.file.unwrittenEnd {
            whole.precede(by: end)
            if let item = end.displaced {
                let key = Self.displacedNotes.key(profile.id, item.name)
                if !whole.notes.names(key) { whole.notes.set(key, Fingerprint.of(item.bytes)) }
            }
        }
        if profile.notices != profiles[profile.id]?.notices ?? SaveNotices() {
            whole.notes.set(Self.noticeNotes.key(profile.id), profile.notices.encoded)
            profile.endShown(in: &whole.notes)
        }
        if !whole.keepsShown(of: profiles[profile.id]) { profile.endShown(in: &whole.notes) }
        whole.notes.store(profile.pendingBackups, after: profiles[profile.id]?.pendingBackups ?? [])
        noteEnd(of: &profile, in: &whole.notes)
        profile.ownSaves.store(profile.id, in: &whole.notes)
        try record(whole)
        profile.file.recordStored(intent)
        if let last = steps.last { profile.history = last.mark }
        profile.noteStored()
        profiles[profile.id] = profile
        loaded.note(profile.id)
        lately.removeAll { $0 == profile.id }
        lately.append(profile.id)
        guard lately.count > Self.parsedLimit, case let quiet = lately.removeFirst() else { return }
        profiles[quiet]?.parsed = nil
        // What a batch wrote cannot be read again before its end.
        if batch == nil { profiles[quiet]?.ownEnds = nil }
    }

    /// Writes the end of a projection into the record, if it is not there yet.
    mutating func writeEnd(_ profile: inout KeptProfile) throws(StorageFault) {
        if profile.file.unwrittenEnd != nil { try commit(&profile) }
    }

    /// Writes the ends of all projections, at a clean end of the process, so that the next start finds nothing to
    /// finish, and what own saves have shown. What cannot be written now is finished by that start, or not known then.
    package mutating func writeEnds() {
        for id in ids {
            guard var profile = profiles[id], profile.file.unwrittenEnd != nil || profile.ownSaves.isUnstored else {
                continue
            }
            try? commit(&profile)
        }
    }

    /// Makes a save durable at its path before the record knows it. Otherwise a power cut could put the former content
    /// back into the file, and that would look like an edit of the game.
    ///
    /// If syncing fails, the save is read all the same: then the record holds a second copy. (A later sync that
    /// succeeds does not prove that the data was written.)
    func makeDurable(_ path: String) { try? files.sync(path) }

    func context(_ profile: KeptProfile, now: WallTime, fileTime: WallTime, base: VersionVector) -> WriteContext {
        WriteContext(replica: profile.replica, now: now, fileTime: fileTime, base: base)
    }
}

extension RecordChange {
    /// Stores the end of the profile's last projection in the same transaction, as if it had been stored before.
    fileprivate mutating func precede(by end: ProjectionProgress.UnwrittenEnd) {
        profiles[0].baseHistoryFrom = profiles[0].baseHistoryFrom ?? end.baseHistory.from
        profiles[0].baseHistory = end.baseHistory.rows + profiles[0].baseHistory
        if case .keep = profiles[0].intent { profiles[0].intent = .clear }
    }
}
