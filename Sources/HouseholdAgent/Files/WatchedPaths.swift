import MergeCore

/// The paths of the profiles' files, and which of them came and went. A path is watched once, though several profiles may
/// have their file there.
struct WatchedPaths {
    private var paths: [ProfileID: String] = [:]
    /// The number of profiles that have their file at a path.
    private var uses: [String: Int] = [:]
    private var new: Set<String> = []
    private var gone: Set<String> = []

    /// Notes the path of a profile's file. O(1).
    mutating func bind(_ id: ProfileID, to path: String?) {
        let former = paths[id]
        guard former != path else { return }
        paths[id] = path
        if let path { use(path) }
        if let former { leave(former) }
    }

    /// The paths that came and went since the last call; `nil` where none did.
    mutating func takeMoved() -> (new: Set<String>, gone: Set<String>)? {
        guard !new.isEmpty || !gone.isEmpty else { return nil }
        defer { (new, gone) = ([], []) }
        return (new, gone)
    }

    private mutating func use(_ path: String) {
        uses[path, default: 0] += 1
        guard uses[path] == 1, gone.remove(path) == nil else { return }
        new.insert(path)
    }

    private mutating func leave(_ path: String) {
        let left = uses[path, default: 1] - 1
        uses[path] = left == 0 ? nil : left
        guard left == 0, new.remove(path) == nil else { return }
        gone.insert(path)
    }
}
