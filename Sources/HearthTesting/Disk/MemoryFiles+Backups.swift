package import MergeCore
package import ProfileKeeping
import Synchronization

/// Backups in memory. What is kept is durable.
extension MemoryFiles {
    /// Contents of a profile's backups, in the order in which they were made.
    package func backupContents(of profile: ProfileID) -> [[UInt8]] {
        state.withLock { ($0.backups[profile] ?? []).map(\.bytes) }
    }

    /// Makes a backup unreadable, as a bad disk does: its content, which is noticed when it is read.
    package func damageBackup(_ name: String, of profile: ProfileID) {
        change(name, of: profile) { $0.isDamaged = true }
    }

    // MARK: ProfileFiles

    package func backups(of profile: ProfileID) throws(StorageFault) -> [StoredBackup] {
        try power.look()
        return state.withLock { ($0.backups[profile] ?? []).map(\.stored) }
    }

    package func keepBackup(
        _ bytes: [UInt8], of profile: ProfileID, as note: BackupNote
    ) throws(StorageFault) -> String {
        let name = state.withLock { "\($0.lastBackup + 1).backup" }
        try power.step(.keepBackup(name))
        state.withLock { state in
            state.lastBackup += 1
            let stored = StoredBackup(name: name, note: note, size: bytes.count)
            state.backups[profile, default: []].append(Backup(stored: stored, bytes: bytes))
        }
        return name
    }

    package func noteBackup(_ name: String, of profile: ProfileID, as note: BackupNote) throws(StorageFault) {
        try power.step(.keepBackup(name))
        guard change(name, of: profile, { $0.stored.note = note }) else { throw Self.none(name) }
    }

    package func readBackup(_ name: String, of profile: ProfileID, limit: Int) throws(StorageFault) -> [UInt8] {
        try power.look()
        guard let backup = state.withLock({ $0.backups[profile]?.first { $0.stored.name == name } }) else {
            throw Self.none(name)
        }
        guard !backup.isDamaged else { throw StorageFault(.damaged, "backup \(name) does not match its checksum") }
        guard backup.bytes.count <= limit else {
            throw StorageFault(.tooLarge, "backup \(name) is over \(limit) bytes")
        }
        return backup.bytes
    }

    package func backup(_ name: String, of profile: ProfileID, holds bytes: [UInt8]) -> Bool {
        (try? readBackup(name, of: profile, limit: .max)) == bytes
    }

    package func removeBackups(_ names: [String], of profile: ProfileID) {
        guard !power.isOff else { return }
        state.withLock { $0.backups[profile]?.removeAll { names.contains($0.stored.name) } }
    }

    @discardableResult
    private func change(_ name: String, of profile: ProfileID, _ change: (inout Backup) -> Void) -> Bool {
        state.withLock { state in
            guard let index = state.backups[profile]?.firstIndex(where: { $0.stored.name == name })
            else { return false }
            change(&state.backups[profile]![index])
            return true
        }
    }

    private static func none(_ name: String) -> StorageFault { StorageFault(.other, "there is no backup \(name)") }
}
