package import MergeCore

/// The profiles that are kept, with a list of those changed since the list was last read, and indexes over all of them.
///
/// Every change of a profile goes through this table. So the code that has to follow a change (signatures, offers to
/// other devices, files, folders to watch) learns of each one, whichever function made it, and the indexes are always
/// right. Only what ``updateSilently(_:_:)`` changes is not listed.
///
/// An agent may keep ten thousand profiles, of which few have anything to do at a time. So nothing that happens on an
/// event may walk over all of them: it asks an index.
package struct ProfileTable: Sendable {
    private var kept = KeptProfiles()
    private var changed: Set<ProfileID> = []
    private var byFile: [String: SmallSet<ProfileID>] = [:]
    private var byTarget: [ProfileID: SmallSet<ProfileID>] = [:]
    private var byName: [String: SmallSet<ProfileID>] = [:]

    /// The ids in ascending order, for everything that must not depend on the order of a dictionary.
    package private(set) var ids: [ProfileID] = []
    /// The profiles that still need work here, see ``KeptProfile/isActive``.
    package private(set) var active: Set<ProfileID> = []

    /// - Complexity: O(1), except for a profile that is new here: O(number of profiles).
    package internal(set) subscript(id: ProfileID) -> KeptProfile? {
        get { kept[id] }
        _modify {
            changed.insert(id)
            let former = kept[id].map(Indexed.init)
            defer { index(id, former) }
            yield &kept[id]
        }
    }

    /// Changes a property that no other part reacts to, such as who has opened a file. The profile is not added to the
    /// changed ones.
    mutating func updateSilently(_ id: ProfileID, _ body: (inout KeptProfile) -> Void) {
        kept.update(id, body)
    }

    package var values: some Collection<KeptProfile> { kept.values }

    /// The profile whose file is at a path; of several, the smallest id.
    package func id(at path: String) -> ProfileID? { byFile[path]?.sorted.first }

    /// The profiles of a name, in ascending order.
    package func ids(named name: String) -> [ProfileID] { byName[name]?.sorted ?? [] }

    /// Whether commands find another profile by the name of this one. Where very many have that name, which only a bad member
    /// brings about, it is not looked whether they can be found: whoever lists all of them asks this for each.
    package func sharesName(_ id: ProfileID) -> Bool {
        guard let all = kept[id].flatMap({ byName[$0.name] }) else { return false }
        return all.count > Self.namesakesLookedAt || all.contains { $0 != id && isOffered($0) }
    }

    private static let namesakesLookedAt = 64

    /// The profiles that were joined into a profile, in ascending order; also those whose join was taken back.
    package func joined(into id: ProfileID) -> [ProfileID] { byTarget[id]?.sorted ?? [] }

    /// The profiles that were changed since the last call, in ascending order. The first call returns all profiles.
    mutating func takeChanged() -> [ProfileID] {
        // At a start that is all of them, so the room is not kept.
        defer { changed.removeAll(keepingCapacity: changed.count < 1_000) }
        return changed.sorted()
    }

    // MARK: Indexes

    /// The properties of a profile by which it can be found.
    private struct Indexed {
        let file: String?
        let target: ProfileID?
        let name: String

        init(_ profile: KeptProfile) {
            name = profile.name
            (file, target) = (profile.file.path, profile.joinTarget)
        }
    }

    private mutating func index(_ id: ProfileID, _ former: Indexed?) {
        let now = kept[id].map(Indexed.init)
        if (former == nil) != (now == nil) {
            let place = place(of: id)
            if now == nil { ids.remove(at: place) } else { ids.insert(id, at: place) }
        }
        if former?.file != now?.file {
            if let path = former?.file { byFile.remove(id, at: path) }
            if let path = now?.file { byFile.insert(id, at: path) }
        }
        if former?.target != now?.target {
            if let target = former?.target { byTarget.remove(id, at: target) }
            if let target = now?.target { byTarget.insert(id, at: target) }
        }
        if former?.name != now?.name {
            if let name = former?.name { byName.remove(id, at: name) }
            if let name = now?.name { byName.insert(id, at: name) }
        }
        if kept[id]?.isActive == true { active.insert(id) } else { active.remove(id) }
    }
}

extension ProfileTable {
    /// The index of an id in ``ids``, or the one at which it is to be inserted. O(log n).
    private func place(of id: ProfileID) -> Int {
        var (low, high) = (0, ids.count)
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
