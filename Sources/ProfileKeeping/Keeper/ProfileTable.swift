package import MergeCore

/// The profiles that are kept, and which of them were changed since that was asked last.
///
/// Nothing changes a profile but through this table, so whoever settles what follows from a change (certificates,
/// offers to other devices, files, folders to watch) hears of every one, whichever function made it. Only what is
/// changed by ``updateSilently(_:_:)`` is not told.
package struct ProfileTable: Sendable {
    private var kept: [ProfileID: KeptProfile] = [:]
    private var changed: Set<ProfileID> = []

    package internal(set) subscript(id: ProfileID) -> KeptProfile? {
        get { kept[id] }
        _modify {
            changed.insert(id)
            yield &kept[id]
        }
    }

    /// Changes something from which nothing follows for anybody else, such as who has opened a file.
    mutating func updateSilently(_ id: ProfileID, _ body: (inout KeptProfile) -> Void) {
        if kept[id] != nil { body(&kept[id]!) }
    }

    package var keys: some Collection<ProfileID> { kept.keys }
    package var values: some Collection<KeptProfile> { kept.values }

    /// The profiles that were changed since the last call, in ascending order. After the start these are all.
    mutating func takeChanged() -> [ProfileID] {
        defer { changed.removeAll(keepingCapacity: true) }
        return changed.sorted()
    }
}
