import MergeCore

/// Profiles whose file belongs to its game alone for now.
struct PausedProfiles {
    static let prefix = "paused/"

    private(set) var ids: Set<ProfileID>

    /// Reads the record's notes that ``prefix`` begins.
    init(_ notes: [String: [UInt8]]) {
        ids = Set(notes.keys.compactMap { ProfileID(hex: String($0.dropFirst(Self.prefix.count))) })
    }

    func contains(_ id: ProfileID) -> Bool { ids.contains(id) }

    /// Pauses profiles, or ends that; `store` makes it durable first.
    mutating func set<Fault: Error>(
        _ chosen: [ProfileID], isPaused: Bool, store: ([String: [UInt8]?]) throws(Fault) -> Void
    ) throws(Fault) {
        var notes: [String: [UInt8]?] = [:]
        for id in chosen { notes.updateValue(isPaused ? [] : nil, forKey: Self.prefix + id.hex) }
        try store(notes)
        if isPaused { ids.formUnion(chosen) } else { ids.subtract(chosen) }
    }
}
