import Libc

/// Works with paths as people type them.
package enum FilePath {
    /// The absolute path. Symlinks stay: the name that a player gave is the name that the game uses.
    ///
    /// `.` and empty steps are removed. `..` is removed together with the step before it, unless that step is a
    /// symlink, where the two do not cancel out.
    package static func absolute(_ path: String, folder: String = currentFolder) -> String {
        let whole = path.hasPrefix("/") ? path : folder + "/" + path
        var steps: [Substring] = []
        for step in whole.split(separator: "/") where step != "." {
            if step == "..", steps.isEmpty { continue }
            if step == "..", steps.last != "..", !isSymlink("/" + steps.joined(separator: "/")) {
                steps.removeLast()
            } else {
                steps.append(step)
            }
        }
        return "/" + steps.joined(separator: "/")
    }

    /// The last step of a path without its extension. A leading dot belongs to the name.
    package static func stem(_ path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return String(name) }
        return String(name[..<dot])
    }

    /// Whether anything exists at a path; a dangling symlink counts.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Whether an ordinary file or a folder exists at a path. A device that can be written to is neither.
    package static func isFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    /// Whether a folder exists at a path.
    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Makes a file name from a name of any origin: without a folder, not hidden, and without characters that a
    /// terminal or shell interprets.
    package static func safeName(_ name: String) -> String {
        let plain = name.unicodeScalars.map { scalar in
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == " " || scalar == "."
                ? Character(scalar) : "-"
        }
        let trimmed = String(plain).drop { $0 == "." || $0 == " " || $0 == "-" }
        var result = ""
        for character in trimmed where result.utf8.count + character.utf8.count <= 100 { result.append(character) }
        while result.last == " " || result.last == "." { result.removeLast() }
        return result.isEmpty ? "save" : result
    }

    package static var currentFolder: String {
        guard let pointer = getcwd(nil, 0) else { return "" }
        defer { free(pointer) }
        return String(cString: pointer)
    }

    private static func isSymlink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }
}
