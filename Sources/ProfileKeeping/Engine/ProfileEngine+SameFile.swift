import MergeCore

/// One file under two paths, because a folder or the file is a symbolic link: `~/.steam/steam` and
/// `~/.local/share/Steam`, for example. Two profiles with one file would take each other's projections for play, and count
/// it again and again.
extension ProfileEngine {
    /// Refuses a path that leads to a file which is kept under another path. (Two hard links to one file are not
    /// recognised; a game that replaces its save parts them.)
    ///
    /// - Complexity: O(1), and O(profiles) where the links were not looked at for ten seconds.
    mutating func refuseOtherPath(to path: String, now: MonotonicTime) throws(AdoptFault) {
        guard let place = files.place(of: path) else { return }
        let held = profiles
        linkedPaths.look(now: now, at: held.ids.lazy.compactMap { held[$0]?.file.path }, files)
        let known = [place, linkedPaths[place]].compactMap(\.self).first { kept in
            kept != path && profiles.id(at: kept) != nil && files.place(of: kept) == place
        }
        if let known, let owner = profiles.id(at: known) {
            throw AdoptFault(
                "\(path) is the same file as \(known), which is the save \(profiles[owner]!.name) already; name it by "
                    + "that path")
        }
        linkedPaths.note(path, leadingTo: place)
    }
}

/// The paths of profile files that lead through links, by the place to which each leads. A folder may become a link at any
/// time, as where its content moves to another disk, so they are looked at anew.
struct LinkedPaths {
    /// Thousands of saves may be added one after the other, so not every one of them looks at all others.
    private static let patience = Duration.seconds(10)

    private var paths: [String: String] = [:]
    private var lastLook: MonotonicTime?

    subscript(place: String) -> String? { paths[place] }

    mutating func look(now: MonotonicTime, at kept: some Sequence<String>, _ files: some ProfileFiles) {
        if let lastLook, now - lastLook < Self.patience { return }
        (paths, lastLook) = ([:], now)
        for path in kept { if let place = files.place(of: path) { note(path, leadingTo: place) } }
    }

    mutating func note(_ path: String, leadingTo place: String) { if place != path { paths[place] = path } }
}
