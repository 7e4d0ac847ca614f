import MergeCore

/// One file under two paths, because a folder or the file is a symbolic link: `~/.steam/steam` and
/// `~/.local/share/Steam`, for example. Two profiles with one file would take each other's projections for play, and count
/// it again and again.
extension ProfileEngine {
    /// Refuses a path that leads to a file which is kept under another path. O(1), but for the first call, which looks at
    /// the paths of all profiles. (Two hard links to one file are not recognised; a game that replaces its save parts
    /// them.)
    mutating func refuseOtherPath(to path: String) throws(AdoptFault) {
        guard let place = files.place(of: path) else { return }
        if linkedPaths == nil {
            var linked: [String: String] = [:]
            for kept in ids.compactMap({ profiles[$0]?.file.path }) {
                if let place = files.place(of: kept), place != kept { linked[place] = kept }
            }
            linkedPaths = linked
        }
        // A link may lead elsewhere by now, and a path may be kept no more.
        let known = [place, linkedPaths?[place]].compactMap(\.self).first { kept in
            kept != path && profiles.id(at: kept) != nil && files.place(of: kept) == place
        }
        if let known, let owner = profiles.id(at: known) {
            throw AdoptFault(
                "\(path) is the same file as \(known), which is the save \(profiles[owner]!.name) already; name it by "
                    + "that path")
        }
        if place != path { linkedPaths?[place] = path }
    }
}
