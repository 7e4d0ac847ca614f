package import MergeCore

/// A copy of another device's daily backup, as it lies on this one: the very file, sealed where it was sealed there.
package struct StoredCopy: Hashable, Sendable {
    /// Ascending in the order in which the copies of one device and profile were made.
    package var number: Int64
    /// The device that made the backup.
    package var owner: DeviceID
    /// The day it stands for, where it was made.
    package var day: LocalDay
    /// SHA-256 over the file.
    package var checksum: [UInt8]
    /// Bytes of the file.
    package var fileSize = 0
    /// What the file says of itself. Its name is ``name(owner:day:)``.
    package var backup: StoredBackup

    package init(number: Int64, owner: DeviceID, day: LocalDay, checksum: [UInt8], backup: StoredBackup) {
        (self.number, self.owner, self.day, self.checksum, self.backup) = (number, owner, day, checksum, backup)
    }

    package var name: String { backup.name }

    /// What people call it, such as `copy-2026-11-21-0123456789abcdef`: no name of a backup made here.
    package static func name(owner: DeviceID, day: LocalDay) -> String { "\(namePrefix)\(day)-\(owner.hex.prefix(16))" }

    /// How the name of every copy begins.
    package static let namePrefix = "copy-"
}

/// A daily backup of this device, as it is told to others.
package struct CopySource: Hashable, Sendable {
    package var backup: StoredBackup
    package var day: LocalDay
    /// Bytes of its file.
    package var fileSize: Int
    /// SHA-256 over its file.
    package var checksum: [UInt8]
}

/// A file as it is stored.
package struct StoredFile: Hashable, Sendable {
    package var size: Int
    /// SHA-256 over it.
    package var checksum: [UInt8]

    package init(size: Int, checksum: [UInt8]) { (self.size, self.checksum) = (size, checksum) }
}
