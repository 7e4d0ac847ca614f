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
            let reports = zip(stored, BackupPlan.holders(of: stored)).map(BackupReport.init)
            reply(id, .backups(reports.reversed()))
        } catch {
            reply(id, .failure(.failed, error.message))
        }
    }

    mutating func pinBackup(_ id: RequestID, _ name: String, _ backup: String, _ isPinned: Bool) {
        guard let profile = one(named: name, for: id) else { return }
        do {
            try keeper.pinBackup(profile, backup, isPinned)
            backups(id, name)
        } catch {
            reply(id, .failure(error.reason == .tooNew ? .tooOld : .failed, error.message))
        }
    }

    /// Puts a backup back on every device. What is there now is kept as a backup before.
    mutating func planRestore(_ id: RequestID, _ name: String, _ backup: String) -> PlannedAct? {
        guard let profile = one(named: name, for: id) else { return nil }
        guard let backup = backup == "newest" ? keeper.newestGoodBackup(profile) : backup else {
            reply(id, .failure(.failed, "there is no backup of \(name) that can be used"))
            return nil
        }
        switch keeper.readBackup(profile, backup) {
        case .document(let bytes):
            if let document = try? JSONDocument(parsing: bytes) {
                return PlannedAct(profile: profile, act: .restore(document))
            }
            reply(id, .failure(.failed, "backup \(backup) is no document; restore another one"))
        case .unusable(let fault, let next):
            let other = next.map { "; the next good one is \($0)" } ?? ""
            reply(id, .failure(fault.reason == .tooNew ? .tooOld : .failed, fault.message + other))
        }
        return nil
    }
}

extension BackupReport {
    /// - Parameter pools: Those that hold it.
    fileprivate init(_ backup: StoredBackup, _ pools: BackupPools) {
        let damage: String? =
            switch backup.condition {
            case .good: nil
            case .damaged(let message), .newer(let message), .locked(let message): message
            }
        self.init(
            name: backup.name, time: backup.note.time, pools: pools.description,
            isPinned: backup.note.isPinned, size: backup.size, damage: damage)
    }
}
