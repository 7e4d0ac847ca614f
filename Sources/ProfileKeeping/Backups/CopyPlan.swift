package import MergeCore

/// Which copies of other devices' daily backups are made, and which give way to newer ones.
///
/// Of each device and profile the seven days are kept that came last, in the order in which they came: a day that a
/// wrong clock dreamt up leaves after as many real ones. Nothing is ever removed because its device has it no more, is
/// gone, or was taken out of the household: a disk that was lost is what copies are for. A day that is here is here:
/// what its device says of that day later changes nothing.
package enum CopyPlan {
    /// Days kept of one device and profile.
    package static var days: Int { BackupPools.daily.limit }

    /// This device's daily backups that others may copy: the newest days, oldest first, pinned or not.
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

    /// Whether a day of a device is to be copied.
    ///
    /// - Parameters:
    ///   - kept: The copies of the profile that are here.
    ///   - today: The day here, where it is known. Days after it say nothing about which are old.
    package static func lacks(_ day: LocalDay, of owner: DeviceID, in kept: [StoredCopy], today: LocalDay?) -> Bool {
        let sound = kept.filter { $0.owner == owner && !$0.backup.condition.isDamaged }
        if sound.contains(where: { $0.day == day }) { return false }
        // An old copy of the device's folder, put back, must not drive out what came after it.
        guard sound.count >= days else { return true }
        let past = sound.map(\.day).filter { other in today.map { other <= $0 } ?? true }
        return past.isEmpty || past.contains { $0 < day }
    }

    /// What the copies of one device may come to, of all profiles; those whose place a new one takes do not count.
    package static let ownerLimit: Int64 = 2 << 30

    /// Bytes that a copy adds to those of its device once the ones whose place it takes are gone; negative where they
    /// are larger.
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

    /// The copies of a device that newer ones have taken the place of. Damaged ones take nobody's place, and leave when
    /// a sound one of their day, or seven newer ones, are there.
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
