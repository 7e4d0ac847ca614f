package import MergeCore
package import ProfileKeeping
import Synchronization

/// A record in memory. A committed change is durable.
package final class MemoryRecord: Record {
    fileprivate struct Stored: Hashable {
        var atoms: [AtomKey: Atom] = [:]
        /// The atoms with which it came.
        var arrival: [KeyedAtom] = []
        var vector = VersionVector()
        var replica: ReplicaID
        var file: String?
        var baseHistory: [Int64: BaseHistoryRow] = [:]
        var intent: Intent?
        var history: [HistoryRow] = []
    }

    /// The whole content of the record at one moment.
    package struct Copy: Hashable, Sendable {
        fileprivate var profiles: [ProfileID: Stored] = [:]
        fileprivate var notes: [String: [UInt8]] = [:]
    }

    private let state = Mutex(Copy())
    package let power: PowerSwitch

    package init(power: PowerSwitch = PowerSwitch()) { self.power = power }

    /// The present content, to be restored with ``restore(_:)``.
    package var copy: Copy { state.withLock { $0 } }

    /// Restores an old copy, as people do with backups, or gives one to a cloned device.
    package func restore(_ copy: Copy) { state.withLock { $0 = copy } }

    /// Removes everything, as if the record's file was deleted.
    package func erase() { state.withLock { $0 = Copy() } }

    package func profiles() throws(StorageFault) -> [ProfileID] {
        try power.look()
        return state.withLock { $0.profiles.keys.sorted() }
    }

    package func load(_ profile: ProfileID) throws(StorageFault) -> StoredProfile? {
        try power.look()
        return state.withLock { state in
            state.profiles[profile].map { stored in
                StoredProfile(
                    atoms: stored.atoms.map { KeyedAtom($0.key, $0.value) }.sorted { $0.key < $1.key },
                    vector: stored.vector, replica: stored.replica, file: stored.file,
                    baseHistory: stored.baseHistory.values.sorted { $0.number < $1.number }, intent: stored.intent,
                    history: stored.history.last?.mark ?? HistoryMark())
            }
        }
    }

    package func load(_ profile: ProfileID, _ part: StoredPart) throws(StorageFault) -> StoredProfile? {
        guard var stored = try load(profile)?.only(part) else { return nil }
        if part == .arrival { stored.atoms = state.withLock { $0.profiles[profile]?.arrival ?? [] } }
        return stored
    }

    package func history(
        _ profile: ProfileID, below number: Int64, limit: Int
    ) throws(StorageFault) -> [HistoryRow] {
        try power.look()
        return state.withLock { state in
            let steps = state.profiles[profile]?.history.reversed().filter { $0.mark.number < number } ?? []
            return Array(steps.prefix(max(0, limit)))
        }
    }

    package func notes(prefix: String) throws(StorageFault) -> [String: [UInt8]] {
        try power.look()
        return state.withLock { $0.notes.filter { $0.key.utf8.starts(with: prefix.utf8) } }
    }

    package func commit(_ change: RecordChange) throws(StorageFault) {
        try power.step(.commit)
        let fault: StorageFault? = state.withLock { state in
            var next = state
            for profile in change.profiles {
                guard Self.apply(profile, to: &next) else {
                    return StorageFault(.record, "profile \(profile.profile) comes without its replica")
                }
            }
            for (key, value) in change.notes.changes { next.notes[key] = value }
            state = next
            return nil
        }
        if let fault { throw fault }
    }

    private static func apply(_ change: RecordChange.ProfileChange, to copy: inout Copy) -> Bool {
        var stored: Stored
        if let known = copy.profiles[change.profile] {
            stored = known
        } else {
            guard let replica = change.replica else { return false }
            stored = Stored(arrival: change.atoms, replica: replica)
        }
        for key in change.removed { stored.atoms[key] = nil }
        for atom in change.atoms { stored.atoms[atom.key] = atom.atom }
        if let vector = change.vector { stored.vector = vector }
        if let replica = change.replica { stored.replica = replica }
        if let file = change.file { stored.file = file }
        for row in change.baseHistory { stored.baseHistory[row.number] = row }
        if let first = change.baseHistoryFrom { stored.baseHistory = stored.baseHistory.filter { $0.key >= first } }
        switch change.intent {
        case .keep: break
        case .clear: stored.intent = nil
        case .set(let intent): stored.intent = intent
        }
        if let step = change.history {
            stored.history.removeAll { $0.mark.number == step.mark.number || step.outlives($0.mark) }
            stored.history.append(step)
        }
        copy.profiles[change.profile] = stored
        return true
    }
}
