package import LosslessJSON
package import MergeCore

/// One profile as it is held in memory: the state, and what is known of its file on this device.
package struct KeptProfile: Sendable {
    package let id: ProfileID
    /// The state and the base history, which are read from the record when they are needed.
    var keptState: KeptState
    var keptHistory: KeptHistory
    /// The vector that the record holds.
    private(set) var storedVector: VersionVector
    package internal(set) var replica: ReplicaID
    package internal(set) var file: KeptFile
    /// The snapshot that was parsed last. It need not be parsed again, and for a similar one only the differences are
    /// parsed. It shares its bytes with the base history, and is dropped for profiles that were not changed lately.
    var parsed: JSONDocument?
    /// Whether the record was rolled back. Then the content of the file waits until the other devices have sent their
    /// state. The record stores this flag, and it stays when the file is unbound, so it is not part of ``file``.
    package internal(set) var waitsForOthers = false
    /// The position of its history; `nil` where it is in the record only.
    var history: HistoryMark?
    /// The ends of this device's last writes, if they are in memory.
    var ownEnds: OwnEnds?
    /// The remarks and the questions about saves that the player has not answered.
    package internal(set) var notices = SaveNotices()
    /// Displaced files that may still be written to by a process that holds them open.
    var displaced: [Displaced] = []
    /// The reason why a change of the file, or carrying a joined profile over, failed (disk full, folder read-only); it
    /// is tried again. `nil` for none.
    package var trouble: String? {
        get { unreadable?.message ?? fault?.message ?? latestTrouble }
        set { latestTrouble = newValue }
    }
    private var latestTrouble: String?
    /// The reason why the record's part of the profile could not be read when it was last tried, and let go since.
    var unreadable: StorageFault?
    /// The reason why the last pending backup could not be made. Cleared by the next backup that is made.
    package internal(set) var backupTrouble: String?

    /// The fingerprint, with its path, of an invalid file that is quarantined and not replaced yet; see
    /// `ProfileEngine.quarantineNotes`.
    var quarantinePrint: [UInt8]?

    /// What the record says of the file that shows the state; `nil` for nothing.
    var shown: ShownMark?

    /// The game's own last saves, and whether other programs opened them; none of a profile that no game here has saved.
    private var rareOwnSaves = Rare<OwnSaves>.none
    var ownSaves: OwnSaves {
        get { rareOwnSaves.value ?? OwnSaves() }
        set { rareOwnSaves.value = newValue == OwnSaves() ? nil : newValue }
    }

    /// Backups that have still to be made, of the profile before its last changes, the oldest first.
    var pendingBackups: [PendingBackup] = []

    struct Displaced: Hashable, Sendable {
        var name: String
        /// The content at the last look, and the writes that it contains.
        var bytes: [UInt8]
        var vector: VersionVector
        var since: MonotonicTime
    }

    init(_ id: ProfileID, _ stored: StoredProfile, baseHistory: BaseHistory) {
        let state = KeptState(ProfileState(restoring: stored.atoms, vector: stored.vector))
        self.init(id, stored, state, KeptHistory(baseHistory))
    }

    /// A profile of the record, of which `stored` is the outline.
    init(_ id: ProfileID, _ stored: StoredProfile, _ state: KeptState, _ history: KeptHistory) {
        self.id = id
        (keptState, keptHistory) = (state, history)
        storedVector = stored.vector
        replica = stored.replica
        file = KeptFile(path: stored.file, intent: stored.intent)
        self.history = stored.history
    }

    /// Everything Hearth knows about the profile.
    package internal(set) var state: ProfileState {
        get { keptState.value }
        _modify {
            file.stateWillChange()
            yield &keptState.value
        }
    }

    /// Notes that the record holds the state as it is now.
    mutating func noteStored() { storedVector = vector }

    /// What the file held lately.
    package internal(set) var baseHistory: BaseHistory {
        get { keptHistory.value }
        _modify { yield &keptHistory.value }
    }

    /// Parses a save or a snapshot, with the help of the snapshot that was parsed last.
    func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONDocument {
        if let parsed, Bytes.equal(parsed.bytes, bytes) { return parsed }
        return try JSONDocument(parsing: bytes, after: parsed)
    }

    /// The newest snapshot, parsed unless it is held so; `nil` where there is none that can be read.
    package var newestDocument: JSONDocument? { baseHistory.newest.flatMap { try? parse($0.bytes) } }

    /// The edits that make a document show the profile's state. The document is the newest snapshot, or the content of
    /// the file.
    ///
    /// - Parameter touching: The keys that changed since document and state agreed; `nil` compares everything.
    func projection(onto document: JSONDocument, touching: [AtomKey]? = nil) -> [JSONEdit] {
        let isExact = notices.lastSaveHoldsSetAside && baseHistory.newest?.kind == .game
        return Projection(
            of: state, onto: document, touching: touching, withdrawn: file.withdrawn, own: replica, isExact: isExact
        ).edits
    }

    /// Whether the profile still needs work here: a change to write into its file, a backup to make, a displaced or
    /// invalid file to look at, a file to release, or saves that wait for other devices.
    var isActive: Bool {
        if !pendingBackups.isEmpty || !displaced.isEmpty || waitsForOthers { return true }
        return file.path != nil && (file.lag != .none || file.status != .good || isForgotten)
    }

    /// Remembers a displaced file; it replaces the one of the same name.
    mutating func keep(_ item: Displaced) {
        if let index = displaced.firstIndex(where: { $0.name == item.name }) {
            displaced[index] = item
        } else {
            displaced.append(item)
        }
    }

    /// The name the player knows the profile by; the beginning of its id where it has none.
    package var name: String { knownName ?? String(id.description.prefix(8)) }
}
