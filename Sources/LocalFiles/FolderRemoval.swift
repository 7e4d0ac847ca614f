import Libc

/// Removes a folder that this program made.
package enum FolderRemoval {
    /// Removes the folder and everything in it; follows no symlink. Returns whether all of it is gone.
    package static func remove(_ path: String) -> Bool { remove(path, depth: 0) }

    private static func remove(_ path: String, depth: Int) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return errno == ENOENT }
        guard status.st_mode & S_IFMT == S_IFDIR else { return unlink(path) == 0 }
        guard depth < 32 else { return false }
        for name in names(path) { _ = remove(path + "/" + name, depth: depth + 1) }
        return rmdir(path) == 0
    }

    private static func names(_ path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
