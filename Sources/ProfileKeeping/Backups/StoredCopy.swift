package import MergeCore

/// A copy of another device's daily backup, as stored on this device: the same file, encrypted if it was encrypted
/// there.
package struct StoredCopy: Hashable, Sendable {
    /// The position in the order in which the copies of one device and profile were made; ascending.
    package var number: Int64
    /// The device that made the backup.
    package var owner: DeviceID
    /// The day of the backup, as the device that made it named that day.
    package var day: LocalDay
    /// The SHA-256 of the file.
    package var checksum: [UInt8]
    /// The size of the file in bytes.
    package var fileSize = 0
    /// The header of the file. The name is ``name(owner:day:)``.
    package var backup: StoredBackup

    package init(number: Int64, owner: DeviceID, day: LocalDay, checksum: [UInt8], backup: StoredBackup) {
        (self.number, self.owner, self.day, self.checksum, self.backup) = (number, owner, day, checksum, backup)
    }

    package var name: String { backup.name }

    /// The name that people use, such as `copy-2026-11-21-0123456789abcdef`. No backup made here has such a name.
    package static func name(owner: DeviceID, day: LocalDay) -> String { "\(namePrefix)\(day)-\(owner.hex.prefix(16))" }

    /// The beginning of the name of every copy.
    package static let namePrefix = "copy-"
}

/// A daily backup of this device, as it is announced to other devices.
package struct CopySource: Hashable, Sendable {
    package var backup: StoredBackup
    package var day: LocalDay
    /// The size of its file in bytes.
    package var fileSize: Int
    /// The SHA-256 of its file.
    package var checksum: [UInt8]
}

/// The size and checksum of a file as it is stored.
package struct StoredFile: Hashable, Sendable {
    package var size: Int
    /// The SHA-256 of the file.
    package var checksum: [UInt8]

    package init(size: Int, checksum: [UInt8]) { (self.size, self.checksum) = (size, checksum) }
}
