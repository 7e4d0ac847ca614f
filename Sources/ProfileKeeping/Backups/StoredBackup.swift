/// The three pools of a profile's backups. A backup may be in several; each holds its own newest.
package struct BackupPools: OptionSet, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The state before a change.
    package static let changes = BackupPools(rawValue: 1)
    /// The state before the first change after half an hour without any.
    package static let sessions = BackupPools(rawValue: 2)
    /// The state at midnight, or at the first moment after it that the machine is on.
    package static let daily = BackupPools(rawValue: 4)

    package static let all: BackupPools = [.changes, .sessions, .daily]

    /// How many backups each pool holds: the newest changes and sessions, the last days that have one.
    var limit: Int { self == .daily ? 7 : 5 }

    /// Words to show, such as "changes, daily".
    package var description: String {
        let names: [(BackupPools, String)] = [(.changes, "changes"), (.sessions, "sessions"), (.daily, "daily")]
        return names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
    }
}

/// What a backup says of itself beside its content.
package struct BackupNote: Hashable, Sendable {
    /// When it was made, by this device's clock: milliseconds since 1970. For showing; the order of backups is the
    /// order in which they were made, whatever the clock said.
    package var time: Int64
    /// The pools it was made for. Which of them still hold it follows from what was made after it.
    package var pools: BackupPools
    /// The day it stands for, where it is a daily one.
    package var day: LocalDay?
    /// Kept until the player lets it go; counts in no pool.
    package var isPinned: Bool

    package init(time: Int64, pools: BackupPools, day: LocalDay? = nil, isPinned: Bool = false) {
        (self.time, self.pools, self.day, self.isPinned) = (time, pools, day, isPinned)
    }
}

/// One backup as it lies in its folder.
package struct StoredBackup: Hashable, Sendable {
    package enum Condition: Hashable, Sendable {
        case good
        /// It cannot be read: what is wrong.
        case damaged(String)
        /// A newer version of Hearth made it: what it says of its format. It is never touched here.
        case newer(String)
        /// It is encrypted, and its key is not here: what to do. It is never touched here.
        case locked(String)
    }

    package var name: String
    /// Of a damaged or newer one only what its name tells; of a locked one what it says, unproved.
    package var note: BackupNote
    /// Bytes of the document; `nil` where that is not known.
    package var size: Int?
    package var condition: Condition

    package init(name: String, note: BackupNote, size: Int?, condition: Condition = .good) {
        (self.name, self.note, self.size, self.condition) = (name, note, size, condition)
    }
}
