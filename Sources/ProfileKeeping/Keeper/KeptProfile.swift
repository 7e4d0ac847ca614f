import LosslessJSON
package import MergeCore

/// How a profile's file stands.
package enum FileStatus: Hashable, Sendable {
    /// It agrees with the record, or is about to.
    case good
    /// Nothing is at the path.
    case missing
    /// It is of an earlier version than the rules: what is played is taken up, and nothing is written. What to do.
    case behind(String)
    /// It cannot be used as it is: what and where, and what to do.
    case bad(String)
}

/// One profile as it is held in memory: the state, and what is known of its file on this device.
package struct KeptProfile: Sendable {
    package let id: ProfileID
    package internal(set) var state: ProfileState
    package internal(set) var replica: ReplicaID
    package internal(set) var file: String?
    package internal(set) var lineage: Lineage
    /// The image that was parsed last, so that it need not be parsed again, and what is nearly the same only where it
    /// differs. It shares its bytes with the lineage. Of profiles that were not touched lately it is given up.
    var parsed: JSONDocument?
    /// How far the last projection has come.
    var projection = ProjectionProgress.none
    /// The record went back in time, and what the file held then waits until the household has said what it knows.
    package internal(set) var waitsForOthers = false
    /// How far its history has come.
    var history: HistoryMark
    /// What stands at the path is no save, was set aside, and may be written over: the player asked for a restore or
    /// reset in its place.
    var discarded: [UInt8]?
    /// What the file does not show yet. After a start that is not known.
    var lag = FileLag.unknown
    package internal(set) var status = FileStatus.good {
        didSet {
            if case .bad = status { return }
            odd = nil
        }
    }
    /// What stands at the path and is no save, while nothing was done about it.
    var odd: OddFile?
    /// How the newest image stands to the version of the rules.
    package internal(set) var standing = SaveStanding.current
    /// Places whose value their rule could not read, at the last save.
    package internal(set) var unreadable: [UnreadableLeaf] = []
    /// What the player is told or asked about saves until it is settled.
    package internal(set) var words = SaveWords()
    /// Displaced files that may still be written to by a process that holds them open.
    var displaced: [Displaced] = []
    /// A change of the file failed (disk full, folder read-only); tried again.
    package internal(set) var trouble: String?
    /// The last backup that was due could not be made: why. Cleared by the next one that is.
    package internal(set) var backupTrouble: String?

    /// A backup of what it was before its last change, where that has still to be made.
    var dueBackup: DueBackup?

    struct Displaced: Hashable, Sendable {
        var name: String
        /// What it held when it was last looked at, and what that stood for.
        var bytes: [UInt8]
        var vector: VersionVector
        var since: Int64
    }

    init(_ id: ProfileID, _ stored: StoredProfile, lineage: Lineage) {
        self.id = id
        state = ProfileState(restoring: stored.atoms, vector: stored.vector)
        replica = stored.replica
        file = stored.file
        self.lineage = lineage
        if let intent = stored.intent { projection = .intended(intent) }
        history = stored.history
    }

    /// Parses a save or an image. What was parsed before helps.
    func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONDocument {
        if let parsed, Bytes.equal(parsed.bytes, bytes) { return parsed }
        return try JSONDocument(parsing: bytes, after: parsed)
    }

    /// Remembers a displaced file, in place of what was remembered under its name.
    mutating func keep(_ item: Displaced) {
        if let index = displaced.firstIndex(where: { $0.name == item.name }) {
            displaced[index] = item
        } else {
            displaced.append(item)
        }
    }

    /// The number of the newest step of its history; 0 where there is none.
    package var historyNumber: Int64 { history.number }

    /// The name the player knows it by.
    package var name: String { state.name ?? String(id.description.prefix(8)) }
}
