package import MergeCore

/// The profiles that are kept, with a list of those changed since the list was last read.
///
/// Every change of a profile goes through this table. So the code that has to follow a change (certificates, offers to
/// other devices, files, folders to watch) learns of each one, whichever function made it. Only what
/// ``updateSilently(_:_:)`` changes is not listed.
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
