import Libc

/// The search for a script by its name, in the folders where `posix_spawnp` looked for it.
enum ProgramSearch {
    /// The path of a script without an interpreter line, in a form that no shell takes for an option or looks for
    /// elsewhere.
    ///
    /// A name with a slash is a path already. Any other is looked for in the folders of PATH alone: never in the current
    /// folder, in which anybody may have put a file of that name, unless PATH names that folder.
    ///
    /// - Parameter folders: The value of PATH; `nil` where it is not set.
    /// - Returns: A path that begins with `/` or `./`; `nil` where no folder has such a script.
    static func path(of name: String, in folders: String?) -> String? {
        guard !name.contains("/") else { return name.hasPrefix("/") ? name : "./" + name }
        guard !name.isEmpty else { return nil }
        // Without PATH the C library looks here.
        for folder in (folders ?? "/bin:/usr/bin").split(separator: ":", omittingEmptySubsequences: false) {
            // An empty folder is the current one (POSIX, environment variables).
            let path = folder.isEmpty ? "./" + name : "\(folder.hasPrefix("/") ? "" : "./")\(folder)/\(name)"
            if isScript(path) { return path }
        }
        return nil
    }

    /// A program with an interpreter line whose interpreter is missing was passed over by the first search as well.
    private static func isScript(_ path: String) -> Bool {
        var information = stat()
        guard stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG, access(path, X_OK) == 0 else {
            return false
        }
        guard let file = fopen(path, "re") else { return false }
        defer { fclose(file) }
        return !(getc(file) == Int32(UInt8(ascii: "#")) && getc(file) == Int32(UInt8(ascii: "!")))
    }
}
