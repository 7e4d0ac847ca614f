package import MergeCore

/// One kind of the record's notes: those whose keys begin with a word of their own. Exactly one type owns each space,
/// and only it makes or reads such keys.
package struct NoteSpace: Hashable, Sendable {
    /// The beginning of every key.
    package let prefix: String

    /// - Parameter word: The word, such as `paused` or `household/address`.
    package init(_ word: String) { prefix = word + "/" }

    package func key(_ name: String) -> String { prefix + name }

    package func key(_ profile: ProfileID) -> String { key(profile.hex) }

    /// The key of one of several notes of a profile.
    package func key(_ profile: ProfileID, _ name: String) -> String { key("\(profile.hex)/\(name)") }

    /// What a key names within the space; `nil` for a key of another space.
    package func name(_ key: String) -> String? {
        key.hasPrefix(prefix) ? String(key.dropFirst(prefix.count)) : nil
    }

    /// The profile that a key names; `nil` for any other key.
    package func profile(_ key: String) -> ProfileID? { name(key).flatMap { ProfileID(hex: $0) } }

    /// The profile and the name of a key of one of several notes; `nil` for any other key.
    package func parts(_ key: String) -> (profile: ProfileID, name: String)? {
        let parts = name(key)?.split(separator: "/", omittingEmptySubsequences: false) ?? []
        guard parts.count == 2, let profile = ProfileID(hex: String(parts[0])) else { return nil }
        return (profile, String(parts[1]))
    }
}

/// The record's notes about itself.
package enum RecordNotes {
    package static let space = NoteSpace("record")
    /// Says that the record was rolled back. It stays until every profile has a new replica; the code that does this
    /// deletes it.
    package static let rolledBack = space.key("rolled-back")
}

extension Record {
    /// All notes of a space, by key.
    package func notes(in space: NoteSpace) throws(StorageFault) -> [String: [UInt8]] {
        try notes(prefix: space.prefix)
    }

    /// The notes of a space that has one of a profile.
    func notesOfProfiles(in space: NoteSpace) throws(StorageFault) -> [ProfileID: [UInt8]] {
        var found: [ProfileID: [UInt8]] = [:]
        for (key, note) in try notes(in: space) {
            if let profile = space.profile(key) { found[profile] = note }
        }
        return found
    }

    /// One note; `nil` where there is none.
    package func note(_ key: String) throws(StorageFault) -> [UInt8]? { try notes(prefix: key)[key] }
}
