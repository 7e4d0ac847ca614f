import LosslessJSON
import MergeCore
import ProfileKeeping

/// What was kept of saves, and how it comes back.
extension HouseholdAgent {
    /// A new day: every save that is in step gets its daily backup.
    mutating func dayBegan(_ day: LocalDay, now: Int64) {
        for id in keeper.ids where keeper.profiles[id]?.file != nil {
            do {
                _ = try keeper.dailyBackup(id, now: now, day: day)
            } catch {
                log(.warning, "the daily backup could not be made", ["why": error.message])
            }
        }
    }

    mutating func backups(_ id: RequestID, _ name: String) {
        guard let profile = one(named: name, for: id) else { return }
        do {
            let stored = try keeper.backups(profile)
            reply(id, .backups(stored.reversed().map(BackupReport.init)))
        } catch {
            reply(id, .failure(.failed, error.message))
        }
    }

    /// Puts a backup back on every device. What is there now is kept as a backup before.
    mutating func restoreBackup(_ id: RequestID, _ name: String, _ backup: String, now: Int64) {
        guard let profile = one(named: name, for: id) else { return }
        let bytes: [UInt8]
        switch keeper.readBackup(profile, backup) {
        case .document(let document): bytes = document
        case .unusable(let fault, let next):
            let other = next.map { "; the next good one is \($0)" } ?? ""
            return reply(id, .failure(fault.reason == .tooNew ? .tooOld : .failed, fault.message + other))
        }
        do {
            try keeper.restore(profile, JSONDocument(parsing: bytes), now: now)
            certify(profile)
            changed(profile, now: now)
            projectIfDue(profile, now: now)
            reply(id, .profile(report(profile), note: "what was there before is in the backups of each device"))
        } catch {
            reply(id, .failure(.failed, "\(error)"))
        }
    }
}

extension BackupReport {
    fileprivate init(_ backup: StoredBackup) {
        let damage: String? =
            switch backup.condition {
            case .good: nil
            case .damaged(let message), .newer(let message): message
            }
        self.init(
            name: backup.name, time: backup.note.time, pools: backup.note.pools.description,
            isPinned: backup.note.isPinned, size: backup.size, damage: damage)
    }
}
