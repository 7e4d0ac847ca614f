import DiskStore
import LosslessJSON
import MergeCore

/// Replaces the save by one of an earlier version, for a device that goes back to an older build of the game.
extension StoreFile {
    /// The new content of the file: the save with its migrations undone or, where that is not possible, the newest
    /// backup of that version.
    func rolledBack(
        _ document: JSONDocument, to version: String
    ) throws -> (text: [UInt8], migration: ProfileMigration) {
        let former = newestBackup(of: version)
        do {
            let back = try codec.versions.rolledBack(document, to: version, former: former)
            return (back.text, ProfileMigration([back.report], from: Subject.version, to: version))
        } catch let fault as NoWayBack {
            guard let former else {
                throw StoreError(
                    .migration, "\(fault.why), and no backup of version \"\(version)\" is here; the save is as it was")
            }
            return (former.bytes, ProfileMigration([], from: Subject.version, to: version, isFromBackup: true))
        }
    }

    /// The newest backup that has this version.
    func newestBackup(of version: String) -> JSONDocument? {
        locations.newest { codec.versions.isOf(version, $0) ? $0 : nil }
    }

    /// Keeps a save for good, before one of an earlier version takes its place.
    func keepForGood(_ bytes: [UInt8]) throws { try locations.keepForGood(bytes, now: Moment.now.wall) }
}
