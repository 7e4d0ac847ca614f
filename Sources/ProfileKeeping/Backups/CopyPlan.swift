package import MergeCore

/// The plan for copies of other devices' daily backups: which are made, and which are replaced by newer ones.
///
/// For each device and profile, the seven days that came last are kept, in the order in which they came. Days that a
/// wrong clock made up are dropped after as many real ones. A copy is not removed because its device lost the backup,
/// is gone, or left the household: copies exist for the case of a lost disk. A copied day is final: a later backup of
/// the same day changes nothing.
package enum CopyPlan {
    /// Most days kept of one device and profile.
    package static var days: Int { BackupPools.daily.limit }

    /// This device's daily backups that others may copy: those of the newest days, the oldest first, pinned or not.
    package static func offered(_ stored: [StoredBackup]) -> [(backup: StoredBackup, day: LocalDay)] {
        var offered: [(StoredBackup, LocalDay)] = []
        for backup in stored.reversed() where offered.count < days {
            guard backup.condition == .good, backup.note.pools.contains(.daily), let day = backup.note.day,
                !offered.contains(where: { $0.1 == day })
            else { continue }
            offered.append((backup, day))
        }
        return offered.reversed()
    }

    /// Whether a day of a device has still to be copied.
    ///
    /// - Parameters:
    ///   - kept: The copies of the profile on this device.
    ///   - today: The day here, where it is known. Kept days after it are ignored when deciding whether a day is old.
    package static func lacks(_ day: LocalDay, of owner: DeviceID, in kept: [StoredCopy], today: LocalDay?) -> Bool {
        let sound = kept.filter { $0.owner == owner && !$0.backup.condition.isDamaged }
        if sound.contains(where: { $0.day == day }) { return false }
        // If an old copy of the device's folder was put back, it must not replace newer days.
        guard sound.count >= days else { return true }
        let past = sound.map(\.day).filter { other in today.map { other <= $0 } ?? true }
        return past.isEmpty || past.contains { $0 < day }
    }

    /// Most bytes for the copies of one device, over all profiles. Copies that a new one replaces do not count.
    package static let ownerLimit: Int64 = 2 << 30

    /// The number of bytes by which the copies of a device grow when a copy is added and the replaced ones are removed.
    /// Negative if the replaced ones are larger.
    package static func growth(
        _ size: Int, on day: LocalDay, of owner: DeviceID, in kept: [StoredCopy]
    ) -> Int64 {
        var all = kept.filter { $0.owner == owner }
        let last = all.map(\.number).max() ?? 0
        let note = BackupNote(time: 0, pools: .daily, day: day)
        all.append(
            StoredCopy(
                number: last == .max ? last : last + 1, owner: owner, day: day, checksum: [],
                backup: StoredBackup(name: "", note: note, size: nil)))
        return surplus(all, of: owner).reduce(Int64(size)) { $0 - Int64(min($1.fileSize, 1 << 40)) }
    }

    /// The copies of a device that newer ones have replaced. A damaged copy replaces none. It is surplus itself once
    /// there is a newer sound copy of its day, or newer sound copies of seven days.
    package static func surplus(_ kept: [StoredCopy], of owner: DeviceID) -> [StoredCopy] {
        var held: Set<LocalDay> = []
        var surplus: [StoredCopy] = []
        for copy in kept.filter({ $0.owner == owner }).sorted(by: { $0.number > $1.number }) {
            if held.count >= days || held.contains(copy.day) {
                surplus.append(copy)
            } else if !copy.backup.condition.isDamaged {
                held.insert(copy.day)
            }
        }
        return surplus
    }
}

extension StoredBackup.Condition {
    var isDamaged: Bool { if case .damaged = self { true } else { false } }
}
