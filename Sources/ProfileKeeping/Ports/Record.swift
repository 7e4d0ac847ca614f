package import MergeCore

/// Everything the record holds of one profile.
package struct StoredProfile: Sendable {
    package var atoms: [KeyedAtom]
    package var vector: VersionVector
    /// The replica this device writes as.
    package var replica: ReplicaID
    /// The path of the profile file on this device; `nil` where the profile is only kept and passed on.
    package var file: String?
    package var baseHistory: [BaseHistoryRow]
    /// Whether there is a base history; an outline has this alone of it.
    package var hasSnapshots: Bool
    package var intent: Intent?
    /// The position of its history.
    package var history: HistoryMark

    package init(
        atoms: [KeyedAtom] = [], vector: VersionVector = VersionVector(), replica: ReplicaID, file: String? = nil,
        baseHistory: [BaseHistoryRow] = [], intent: Intent? = nil, history: HistoryMark = HistoryMark()
    ) {
        self.atoms = atoms
        self.vector = vector
        self.replica = replica
        self.file = file
        self.baseHistory = baseHistory
        hasSnapshots = !baseHistory.isEmpty
        self.intent = intent
        self.history = history
    }
}

/// One stored snapshot of a base history: whole, or as the difference to the row before.
package struct BaseHistoryRow: Hashable, Sendable {
    package enum Kind: UInt8, Sendable {
        /// A snapshot that the game wrote.
        case game = 0
        /// A snapshot that Hearth projected.
        case projected = 1
        /// A snapshot that is no candidate. It stays because later rows are differences to it, or because it holds
        /// arrays that later snapshots lack, see ``BaseHistory/lastReadable``.
        case dropped = 2
    }

    /// The number of the row. Ascending within a profile, never used again.
    package var number: Int64
    package var kind: Kind
    package var vector: VersionVector
    package var byteDiff: ByteDiff

    package init(number: Int64, kind: Kind, vector: VersionVector, byteDiff: ByteDiff) {
        self.number = number
        self.kind = kind
        self.vector = vector
        self.byteDiff = byteDiff
    }
}

/// A write-ahead intent: what a projection is about to do, stored before it does it. It names the planned bytes that
/// are to become the last snapshot of the file.
package struct Intent: Hashable, Sendable {
    /// The name of the staged file, beside the profile file.
    package var temporary: String
    /// The difference from the newest snapshot of the base history to the bytes to be written.
    package var byteDiff: ByteDiff
    package var vector: VersionVector
    /// Whether nothing was at the path when this was planned.
    package var targetWasAbsent: Bool

    package init(temporary: String, byteDiff: ByteDiff, vector: VersionVector, targetWasAbsent: Bool) {
        self.temporary = temporary
        self.byteDiff = byteDiff
        self.vector = vector
        self.targetWasAbsent = targetWasAbsent
    }
}

/// One transaction: all of it becomes durable, or nothing.
package struct RecordChange: Sendable {
    package enum IntentChange: Sendable {
        case keep, clear
        case set(Intent)
    }

    package struct ProfileChange: Sendable {
        package var profile: ProfileID
        /// Atoms to store; each replaces what is stored under its key.
        package var atoms: [KeyedAtom] = []
        /// Keys of stored atoms to remove, before the atoms above are stored.
        package var removed: [AtomKey] = []
        package var vector: VersionVector?
        package var replica: ReplicaID?
        /// `.some(nil)` unbinds the file.
        package var file: String??
        /// The first row to keep: after the rows below are stored, rows with a smaller number are removed. `nil`
        /// removes none.
        package var baseHistoryFrom: Int64?
        /// Rows to insert; each replaces a row of the same number.
        package var baseHistory: [BaseHistoryRow] = []
        package var intent = IntentChange.keep
        /// A row to add to the history. Rows that are over the limit with it are removed (``HistoryRow/outlives(_:)``).
        package var history: HistoryRow?

        package init(_ profile: ProfileID) { self.profile = profile }
    }

    package var profiles: [ProfileChange] = []
    /// Hearth's own notes.
    package var notes = NoteChange()

    package init() {}

    package init(_ profile: ProfileChange) { profiles = [profile] }

    package init(notes: NoteChange) { self.notes = notes }
}

/// A part of what the record holds of a profile.
package enum StoredPart: Sendable {
    /// Everything but what ``state`` and ``snapshots`` add, and the position of the history: a small part, whatever the size
    /// of the save. Of the atoms it has Hearth's own notes (`DocumentPath.isReserved`).
    case outline
    /// The atoms, and the vector that they cover.
    case state
    /// The base history.
    case snapshots
    /// The atoms with which the profile came, those of the change by which it became known to the record. Empty where they
    /// are not kept.
    case arrival
}

/// The record: Hearth's metadata, everything that is not in the profile files.
package protocol Record: Sendable {
    /// Ids of all profiles, ascending.
    func profiles() throws(StorageFault) -> [ProfileID]
    func load(_ profile: ProfileID) throws(StorageFault) -> StoredProfile?
    /// One part of a profile. The other parts are empty.
    func load(_ profile: ProfileID, _ part: StoredPart) throws(StorageFault) -> StoredProfile?
    /// The outlines of all profiles (``StoredPart/outline``), ascending. A start reads them, so they cost much less
    /// together than one by one.
    func outlines() throws(StorageFault) -> [(profile: ProfileID, stored: StoredProfile)]
    /// A profile's history, the newest first: at most `limit` rows whose number is below `number`.
    func history(_ profile: ProfileID, below number: Int64, limit: Int) throws(StorageFault) -> [HistoryRow]
    /// The notes whose key begins with `prefix`.
    func notes(prefix: String) throws(StorageFault) -> [String: [UInt8]]
    /// Stores a change. It is durable when this returns.
    func commit(_ change: RecordChange) throws(StorageFault)
}
