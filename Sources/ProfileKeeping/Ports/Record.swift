package import MergeCore

/// Everything the record holds of one profile.
package struct StoredProfile: Sendable {
    package var atoms: [KeyedAtom]
    package var vector: VersionVector
    /// The replica this device writes as.
    package var replica: ReplicaID
    /// Where the profile file is on this device; `nil` where the profile is only kept and relayed.
    package var file: String?
    package var lineage: [LineageRow]
    package var intent: Intent?
    /// How far its history has come.
    package var history: HistoryMark

    package init(
        atoms: [KeyedAtom] = [], vector: VersionVector = VersionVector(), replica: ReplicaID, file: String? = nil,
        lineage: [LineageRow] = [], intent: Intent? = nil, history: HistoryMark = HistoryMark()
    ) {
        self.atoms = atoms
        self.vector = vector
        self.replica = replica
        self.file = file
        self.lineage = lineage
        self.intent = intent
        self.history = history
    }
}

/// One image of a lineage as it is stored: whole, or as the difference to the row before.
package struct LineageRow: Hashable, Sendable {
    package enum Kind: UInt8, Sendable {
        /// The game wrote it.
        case game = 0
        /// Hearth projected it.
        case projected = 1
        /// No candidate any more; later rows are differences to it.
        case dropped = 2
    }

    /// Ascending within a profile, never reused.
    package var number: Int64
    package var kind: Kind
    package var vector: VersionVector
    package var splice: Splice

    package init(number: Int64, kind: Kind, vector: VersionVector, splice: Splice) {
        self.number = number
        self.kind = kind
        self.vector = vector
        self.splice = splice
    }
}

/// What a projection is about to do, written before it does it: the file's last image is to become this one.
package struct Intent: Hashable, Sendable {
    /// The staged file's name, beside the profile file.
    package var temporary: String
    /// From the newest image of the lineage to the bytes to be written.
    package var splice: Splice
    package var vector: VersionVector
    /// Whether nothing stood at the path when this was planned.
    package var targetWasAbsent: Bool

    package init(temporary: String, splice: Splice, vector: VersionVector, targetWasAbsent: Bool) {
        self.temporary = temporary
        self.splice = splice
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
        /// Written over what is stored under their keys.
        package var atoms: [KeyedAtom] = []
        package var vector: VersionVector?
        package var replica: ReplicaID?
        /// `.some(nil)` unbinds the file.
        package var file: String??
        /// After the rows below are stored, rows whose number is smaller are removed.
        package var lineageFrom: Int64?
        /// Inserted, or written over rows of the same number.
        package var lineage: [LineageRow] = []
        package var intent = IntentChange.keep
        /// Added to the history; rows that are over the limit with it are removed (``HistoryRow/outlives(_:)``).
        package var history: HistoryRow?

        package init(_ profile: ProfileID) { self.profile = profile }
    }

    package var profiles: [ProfileChange] = []
    /// Hearth's own notes by key; `nil` removes.
    package var notes: [String: [UInt8]?] = [:]

    package init() {}

    package init(_ profile: ProfileChange) { profiles = [profile] }

    package init(notes: [String: [UInt8]?]) { self.notes = notes }
}

/// Hearth's metadata: what is not in the profile file.
package protocol Record {
    /// Ids of all profiles, ascending.
    func profiles() throws(StorageFault) -> [ProfileID]
    func load(_ profile: ProfileID) throws(StorageFault) -> StoredProfile?
    /// A profile's history, the newest first: at most `limit` rows whose number is below `number`.
    func history(_ profile: ProfileID, below number: Int64, limit: Int) throws(StorageFault) -> [HistoryRow]
    /// Notes whose key begins with `prefix`.
    func notes(prefix: String) throws(StorageFault) -> [String: [UInt8]]
    /// Durable when it returns.
    func commit(_ change: RecordChange) throws(StorageFault)
}
