import LosslessJSON
package import MergeCore

/// The history of a profile on this device, step by step. Every commit that changes what the profile shows adds a step.
extension ProfileEngine {
    /// One step with the number by which people name it.
    package struct HistoryStep: Hashable, Sendable {
        package var number: Int64
        package var writer: ReplicaID
        package var entry: HistoryEntry
    }

    /// The steps before a number, the newest first.
    package func history(
        _ id: ProfileID, below number: Int64 = .max, limit: Int
    ) throws(StorageFault) -> [HistoryStep] {
        var steps: [HistoryStep] = []
        for row in try store.history(id, below: number, limit: limit) {
            guard !row.changes.isEmpty else {
                steps.append(try firstStep(row, of: id))
                continue
            }
            do {
                let entry = try HistoryEntry(
                    time: row.time, origin: row.origin, encodedChanges: row.changes)
                steps.append(HistoryStep(number: row.mark.number, writer: row.writer, entry: entry))
            } catch {
                throw StorageFault(.record, "step \(row.mark.number) of the history cannot be read: \(error)")
            }
        }
        return steps
    }

    /// The step with which a profile came, from the atoms with which it came.
    private func firstStep(_ row: HistoryRow, of id: ProfileID) throws(StorageFault) -> HistoryStep {
        let atoms = try store.load(id, .arrival)?.atoms ?? []
        let entry = ProfileState(restoring: atoms, vector: VersionVector()).history(
            since: ProfileState(), touching: atoms.map(\.key), at: row.time, as: row.origin)
        return HistoryStep(number: row.mark.number, writer: entry.writers.first ?? row.writer, entry: entry)
    }

    /// The step with a number; without a number, the newest step.
    package func historyStep(_ id: ProfileID, _ number: Int64?) throws(StorageFault) -> HistoryStep? {
        guard let number else { return try history(id, limit: 1).first }
        guard number > 0, number < .max else { return nil }
        return try history(id, below: number + 1, limit: 1).first { $0.number == number }
    }

    /// The next row of the history: the changes that a commit makes to what the profile shows; `nil` for no change.
    ///
    /// - Parameters:
    ///   - lowered: The places that a save lowered and whose rules kept the former value.
    ///   - lost: What a save wrote and never showed.
    func historyRow(
        _ profile: KeptProfile, _ keys: [AtomKey], as origin: HistoryEntry.Origin, at now: WallTime,
        lowered: [SaveMeaning.Lowered] = [], lost: [LostWrite] = []
    ) throws(StorageFault) -> HistoryRow? {
        let former = profiles[profile.id]?.state ?? ProfileState()
        // The first commit of a profile here is its adoption, whatever its origin.
        let origin = former.vector.entries.isEmpty ? .adopt : origin
        var files: (before: JSONDocument?, after: JSONDocument?) = (nil, nil)
        // A reset also removes an open choice, and the file showed its own value of that choice.
        if keys.contains(where: { $0.kind == .choice || $0.kind == .epoch }) {
            files.before = profiles[profile.id].flatMap { held in held.baseHistory.newest.flatMap { held.document($0) }
            }
            files.after = profile.baseHistory.newest.flatMap { profile.document($0) }
        }
        // The first step of a new profile follows from its atoms, unless its file says more. So it is stored without changes,
        // and ``firstStep(_:of:)`` finds them when somebody asks.
        if profiles[profile.id] == nil, files.before == nil, files.after == nil, lowered.isEmpty,
            profile.state.showsSomething(at: keys)
        {
            return HistoryRow(
                mark: HistoryMark(number: 1), time: now, origin: origin, writer: profile.replica, changes: [])
        }
        var entry = profile.state.history(
            since: former, touching: keys, at: now, as: origin, files: files)
        entry.add(lost)
        guard !entry.isEmpty else {
            // A player may decide for the value that this device shows. Nothing changes then, and yet it is a step.
            if origin == .decision { return row(of: entry, after: try historyMark(profile), by: profile) }
            return try rulesRow(entry, profile, since: former, keys)
        }
        entry.name(lowered: lowered)
        return row(of: entry, after: try historyMark(profile), by: profile)
    }

    /// The row behind the step of a save: other devices' values took the place of what the save wrote; `nil` where they
    /// did not.
    ///
    /// - Parameter save: The step of the save; `nil` where it changed nothing.
    func historyRow(
        replacing lost: [LostWrite], after save: HistoryRow?, at now: WallTime, by profile: KeptProfile
    ) throws(StorageFault) -> HistoryRow? {
        if lost.isEmpty { return nil }
        let last = if let save { save.mark } else { try historyMark(profile) }
        return row(of: HistoryEntry(replacing: lost, at: save?.time ?? now), after: last, by: profile)
    }

    /// The row of a step without changes that brought other rules; `nil` where the rules are the same. Of two changes made
    /// apart one is in force: whoever made the other one finds here that it is not.
    private func rulesRow(
        _ step: HistoryEntry, _ profile: KeptProfile, since former: ProfileState, _ keys: [AtomKey]
    ) throws(StorageFault) -> HistoryRow? {
        let key = AtomKey(.rules, .rules)
        let isNew = former.vector.entries.isEmpty
        guard keys.contains(key), !isNew, former.rules != profile.state.rules else { return nil }
        var row = row(of: step, after: try historyMark(profile), by: profile)
        row?.origin = .rules
        if let writer = profile.state.atom(key)?.dot.replica { row?.writer = writer }
        return row
    }

    /// A step as it is stored behind another one; `nil` where the numbers are used up.
    private func row(of entry: HistoryEntry, after last: HistoryMark, by profile: KeptProfile) -> HistoryRow? {
        guard last.number < .max else { return nil }
        let changes = entry.encodedChanges
        return HistoryRow(
            mark: HistoryMark(number: last.number + 1, bytes: last.bytes &+ Int64(changes.count)),
            time: entry.time, origin: entry.origin,
            writer: entry.writers.first ?? profile.replica, changes: changes)
    }

    /// The number of the newest step of a profile's history; 0 where there is none, or it cannot be read.
    package func historyNumber(_ id: ProfileID) -> Int64 {
        profiles[id].flatMap { try? historyMark($0) }?.number ?? 0
    }

    /// The position of a profile's history, from memory or from the record.
    private func historyMark(_ profile: KeptProfile) throws(StorageFault) -> HistoryMark {
        if let known = profile.history { return known }
        return try store.history(profile.id, below: .max, limit: 1).first?.mark ?? HistoryMark()
    }

    /// The newest backup that shows the old values of an entry's places; `nil` where no backup does any more.
    package func backup(from before: HistoryEntry, of id: ProfileID) -> String? {
        guard let profile = profiles[id], !before.changes.isEmpty, let stored = try? backups(id, checking: false)
        else { return nil }
        for backup in stored.reversed() where backup.condition == .good {
            guard case .document(let bytes) = readBackup(id, backup.name),
                let document = try? JSONDocument(parsing: bytes)
            else { continue }
            let held = ProfileState(holding: document, under: profile.state.rules)
            if before.changes.allSatisfy({ held.value(at: $0.path) == $0.old }) { return backup.name }
        }
        return nil
    }
}
