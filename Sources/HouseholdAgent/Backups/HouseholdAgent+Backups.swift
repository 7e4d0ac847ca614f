import LosslessJSON
import MergeCore
import ProfileKeeping

/// Backups of saves: making, listing, pinning and restoring them.
extension HouseholdAgent {
    var today: LocalDay? { dailyBackups.day }

    /// A new day has begun: every save with a file here gets its daily backup.
    mutating func dayBegan(_ day: LocalDay, now: Moment) {
        dailyBackups.begin(day, for: engine.ids.filter { engine.profiles[$0]?.file.path != nil }, now: now.monotonic)
        tickDailyBackups(now: now)
    }

    mutating func tickDailyBackups(now: Moment) {
        guard let (day, profiles) = dailyBackups.takeTurn(now: now.monotonic) else { return }
        for id in profiles {
            do {
                if try engine.dailyBackup(id, now: now, day: day) { copySender.listAgain([id]) }
            } catch {
                log(.warning, "the daily backup could not be made", ["why": error.message])
            }
            letGo(now: now)
        }
    }

    mutating func backups(_ call: Call<BackupsRequest>, _ name: String) {
        guard let profile = one(named: name, for: call.id) else { return }
        do {
            let reports = try backupReports(profile)
            answer(call) { _ in BackupList(backups: reports) }
        } catch {
            fail(call.id, .failed, error.message)
        }
    }

    /// Reports of the backups made here, the newest first, and then of the copies of other devices' backups.
    private func backupReports(_ profile: ProfileID) throws(StorageFault) -> [BackupReport] {
        let stored = try engine.backups(profile)
        let reports = zip(stored, BackupPlan.holders(of: stored)).map { BackupReport($0, $1, device: nil) }
        return reports.reversed() + (try copyReports(profile))
    }

    /// Reports of the copies of other devices' backups, ordered by device, the newest first.
    private func copyReports(_ profile: ProfileID) throws(StorageFault) -> [BackupReport] {
        let copies = try engine.copies(profile).map { copy in
            (copy, BackupReport(copy.backup, .daily, device: name(of: copy.owner)))
        }
        return copies.sorted { a, b in
            (a.1.device ?? "", a.0.owner, b.0.number) < (b.1.device ?? "", b.0.owner, a.0.number)
        }.map(\.1)
    }

    /// The origin of the backup that an act puts back, if that backup is a copy.
    func copyReport(of planned: PlannedAct) -> CopyReport? {
        guard let name = planned.backup, name.hasPrefix(StoredCopy.namePrefix),
            let copy = try? engine.copies(planned.profile, checking: false).last(where: { $0.name == name })
        else { return nil }
        return CopyReport(device: self.name(of: copy.owner), day: "\(copy.day)")
    }

    mutating func pinBackup(_ call: Call<PinBackupRequest>, _ name: String, _ backup: String, _ isPinned: Bool) {
        guard let profile = one(named: name, for: call.id) else { return }
        guard !backup.hasPrefix(StoredCopy.namePrefix) else {
            let why = "is a copy and cannot be pinned; it stays until seven newer days of its device are here"
            return fail(call.id, .failed, "\(backup) \(why)")
        }
        do {
            try engine.pinBackup(profile, backup, isPinned)
            let reports = try backupReports(profile)
            answer(call) { _ in BackupList(backups: reports) }
        } catch {
            fail(call.id, error.reason == .tooNew ? .tooOld : .failed, error.message)
        }
    }
}

extension BackupReport {
    /// - Parameters:
    ///   - pools: The pools that hold the backup.
    ///   - device: The name of the device that the copy comes from; none for a backup made here.
    fileprivate init(_ backup: StoredBackup, _ pools: BackupPools, device: String?) {
        let damage: String? =
            switch backup.condition {
            case .good: nil
            case .damaged(let message), .newer(let message), .locked(let message): message
            }
        self.init(
            name: backup.name, time: backup.note.time.milliseconds, pools: pools.description,
            isPinned: backup.note.isPinned, size: backup.size, damage: damage, device: device)
    }
}
