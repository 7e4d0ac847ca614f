import ProfileKeeping

/// The plan of watching: the folders that must be watched for a set of profile files, and the paths that each name in
/// them belongs to.
///
/// It is a plain value. It reads symbolic links when it is asked to, and does nothing else.
struct WatchPlan: Sendable {
    /// A name in a folder, as the path or one of its links gives it.
    struct Place: Hashable, Sendable {
        var folder: String
        var name: String
    }

    private(set) var places: [String: [Place]] = [:]
    /// By folder, then by name: the paths that lead there.
    private(set) var folders: [String: [String: SmallSet<String>]] = [:]

    /// The largest number of links that are followed from one path.
    private static let linkLimit = 40

    var paths: Dictionary<String, [Place]>.Keys { places.keys }

    /// All watched paths that lead into a folder.
    func paths(in folder: String) -> Set<String> {
        (folders[folder] ?? [:]).values.reduce(into: []) { $0.formUnion($1.sorted) }
    }

    /// Plans for more paths, and for others no more. Of those that are planned for, no link is read again.
    mutating func set(_ paths: Set<String>, without gone: Set<String>) {
        for path in gone { replace(path, with: nil) }
        for path in paths where places[path] == nil { look(at: path) }
    }

    /// Follows a path's links again. Returns whether it leads elsewhere than before.
    @discardableResult
    mutating func look(at path: String) -> Bool {
        let found = Self.follow(path)
        guard places[path] != found else { return false }
        replace(path, with: found)
        return true
    }

    private mutating func replace(_ path: String, with new: [Place]?) {
        for place in places[path] ?? [] {
            folders[place.folder]?.remove(path, at: place.name)
            if folders[place.folder]?.isEmpty == true { folders[place.folder] = nil }
        }
        // Thousands of files may be in one folder, whose name is in memory once then.
        let new = new?.map { place in
            Place(folder: folders.index(forKey: place.folder).map { folders[$0].key } ?? place.folder, name: place.name)
        }
        places[path] = new
        for place in new ?? [] { folders[place.folder, default: [:]].insert(path, at: place.name) }
    }

    private static func follow(_ path: String) -> [Place] {
        var result: [Place] = []
        var path = path
        for _ in 0...linkLimit {
            let (folder, name) = ProfilePlace.split(path)
            let place = Place(folder: folder, name: name)
            guard folder.hasPrefix("/"), !result.contains(place) else { break }
            result.append(place)
            guard let link = ProfilePlace.link(at: path) else { break }
            path = link.hasPrefix("/") ? link : folder + "/" + link
        }
        return result
    }
}
