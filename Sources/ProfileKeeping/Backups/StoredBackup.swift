package import MergeCore

/// The three pools of a profile's backups. A backup may be in several. Each pool holds its own newest ones.
package struct BackupPools: OptionSet, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Backups of the state before a change.
    package static let changes = BackupPools(rawValue: 1)
    /// Backups of the state before the first change after half an hour without any, and of what was put aside then.
    package static let sessions = BackupPools(rawValue: 2)
    /// Backups of the state at midnight, or at the first moment after midnight when the machine is on.
    package static let daily = BackupPools(rawValue: 4)

    package static let all: BackupPools = [.changes, .sessions, .daily]

    /// Most backups in the pool: 7 for `daily`, the last days that have one; 5 for each other one.
    var limit: Int { self == .daily ? 7 : 5 }

    /// Words to show, such as "changes, daily".
    package var description: String {
        let names: [(BackupPools, String)] = [(.changes, "changes"), (.sessions, "sessions"), (.daily, "daily")]
        return names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
    }
}

/// The note that is stored beside a backup's content.
package struct BackupNote: Hashable, Sendable {
    /// The date when it was made. It is only shown: backups are ordered as they were made, whatever the clock showed.
    package var time: WallTime
    /// The pools it was made for. Which of them still hold it depends on the backups made after it.
    package var pools: BackupPools
    /// The day that it is the daily backup of; `nil` where it is none.
    package var day: LocalDay?
    /// Whether the player pinned it. A pinned backup counts in no pool.
    package var isPinned: Bool

    package init(time: WallTime, pools: BackupPools, day: LocalDay? = nil, isPinned: Bool = false) {
        (self.time, self.pools, self.day, self.isPinned) = (time, pools, day, isPinned)
    }
}

/// A backup in its folder.
package struct StoredBackup: Hashable, Sendable {
    package enum Condition: Hashable, Sendable {
        case good
        /// The backup cannot be read. The text says what is wrong.
        case damaged(String)
        /// A newer version of Hearth made the backup. The text names its format. This version never changes it.
        case newer(String)
        /// The backup is encrypted, and its key is not here. The text says what to do. Hearth never changes it here.
        case locked(String)
    }

    package var name: String
    /// The note. For a damaged or newer backup it holds only what the name says. For a locked backup its content is not
    /// verified.
    package var note: BackupNote
    /// The size of the document in bytes; `nil` where it is not known.
    package var size: Int?
    package var condition: Condition

    package init(name: String, note: BackupNote, size: Int?, condition: Condition = .good) {
        (self.name, self.note, self.size, self.condition) = (name, note, size, condition)
    }
}
