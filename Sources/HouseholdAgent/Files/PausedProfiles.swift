import MergeCore
import ProfileKeeping

/// The paused profiles: their files belong to their games alone for now.
struct PausedProfiles {
    static let notes = NoteSpace("paused")

    private(set) var ids: Set<ProfileID>
    private var changed: Set<ProfileID> = []

    /// Reads the profiles from the record's notes in ``notes``.
    init(_ notes: [String: [UInt8]]) {
        ids = Set(notes.keys.compactMap { Self.notes.profile($0) })
    }

    func contains(_ id: ProfileID) -> Bool { ids.contains(id) }

    /// Pauses profiles, or ends their pause. `store` makes the change durable first.
    mutating func set<Fault: Error>(
        _ chosen: [ProfileID], isPaused: Bool, store: (NoteChange) throws(Fault) -> Void
    ) throws(Fault) {
        var notes = NoteChange()
        for id in chosen { notes.set(Self.notes.key(id), isPaused ? [] : nil) }
        try store(notes)
        if isPaused { ids.formUnion(chosen) } else { ids.subtract(chosen) }
        changed.formUnion(chosen)
    }

    /// The profiles that were paused or resumed since the last call.
    mutating func takeChanged() -> Set<ProfileID> {
        defer { changed = [] }
        return changed
    }
}
