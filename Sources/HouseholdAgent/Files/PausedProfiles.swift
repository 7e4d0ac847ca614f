import MergeCore

/// The paused profiles: their files belong to their games alone for now.
struct PausedProfiles {
    static let prefix = "paused/"

    private(set) var ids: Set<ProfileID>

    /// Reads the profiles from the record's notes whose keys begin with ``prefix``.
    init(_ notes: [String: [UInt8]]) {
        ids = Set(notes.keys.compactMap { ProfileID(hex: String($0.dropFirst(Self.prefix.count))) })
    }

    func contains(_ id: ProfileID) -> Bool { ids.contains(id) }

    /// Pauses profiles, or ends their pause. `store` makes the change durable first.
    mutating func set<Fault: Error>(
        _ chosen: [ProfileID], isPaused: Bool, store: ([String: [UInt8]?]) throws(Fault) -> Void
    ) throws(Fault) {
        var notes: [String: [UInt8]?] = [:]
        for id in chosen { notes.updateValue(isPaused ? [] : nil, forKey: Self.prefix + id.hex) }
        try store(notes)
        if isPaused { ids.formUnion(chosen) } else { ids.subtract(chosen) }
    }
}
