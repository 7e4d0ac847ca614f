package import MergeCore

/// Keeps profiles: takes up what games write, writes back what was merged, and finishes what a crash cut short.
///
/// A machine over ports: files and record are handed in and do their work synchronously; time and randomness come in
/// as arguments. Nothing here waits.
package struct Keeper<Files: ProfileFiles, Store: Record> {
    package let files: Files
    package let store: Store
    package internal(set) var profiles: [ProfileID: KeptProfile] = [:]

    /// Most bytes a profile file may have.
    package static var fileLimit: Int { 64 << 20 }
    /// How every temporary beside a profile file begins.
    package static var temporaryPrefix: String { ".hearth-" }

    /// Loads every profile of the record. Call ``recover(_:now:)`` for each before anything else.
    package init(files: Files, store: Store) throws(StorageFault) {
        self.files = files
        self.store = store
        for id in try store.profiles() {
            guard let stored = try store.load(id) else { continue }
            guard let lineage = Lineage(stored.lineage) else {
                throw StorageFault(.record, "the record's images of profile \(id) do not fit together; restore the record from a backup, or remove it and add the save again")
            }
            profiles[id] = KeptProfile(id, stored, lineage: lineage)
        }
    }

    /// Ids in ascending order, for everything that must not depend on hashing.
    package var ids: [ProfileID] { profiles.keys.sorted() }

    /// The profile whose file is at a path.
    package func profile(at path: String) -> ProfileID? {
        ids.first { profiles[$0]?.file == path }
    }

    // MARK: Committing

    /// Makes a change durable, then takes it up in memory.
    mutating func commit(
        _ profile: inout KeptProfile, atoms: [KeyedAtom] = [], lineage: Lineage.Change? = nil,
        intent: RecordChange.IntentChange = .keep, notes: [String: [UInt8]?] = [:]
    ) throws(StorageFault) {
        var change = RecordChange.ProfileChange(profile.id)
        change.atoms = atoms
        change.vector = profile.state.vector
        change.replica = profile.replica
        change.file = .some(profile.file)
        change.lineageFrom = lineage?.from
        change.lineage = lineage?.rows ?? []
        change.intent = intent
        var whole = RecordChange(change)
        whole.notes = notes
        try store.commit(whole)
        switch intent {
        case .keep: break
        case .clear: profile.intent = nil
        case .set(let intent): profile.intent = intent
        }
        profiles[profile.id] = profile
    }

    func context(_ profile: KeptProfile, now: Int64, fileTime: Int64, base: VersionVector) -> WriteContext {
        WriteContext(replica: profile.replica, now: now, fileTime: fileTime, base: base)
    }
}
