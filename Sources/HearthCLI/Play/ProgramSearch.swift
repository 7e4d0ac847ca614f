import Libc

/// The search for a program by its name, as `execvp` does it.
enum ProgramSearch {
    /// The path of a program, in a form that no shell takes for an option or looks for elsewhere.
    ///
    /// A name with a slash is a path already. Any other is looked for in the folders of PATH alone: never in the current
    /// folder, in which anybody may have put a file of that name, unless PATH names that folder.
    ///
    /// - Returns: A path that begins with `/` or `./`; `nil` where no folder has such a program.
    static func path(of name: String, in folders: String?) -> String? {
        guard !name.contains("/") else { return name.hasPrefix("/") ? name : "./" + name }
        guard let folders, !name.isEmpty else { return nil }
        for folder in folders.split(separator: ":", omittingEmptySubsequences: false) {
            // An empty folder is the current one (POSIX, environment variables).
            let path = folder.isEmpty ? "./" + name : "\(folder.hasPrefix("/") ? "" : "./")\(folder)/\(name)"
            if isProgram(path) { return path }
        }
        return nil
    }

    private static func isProgram(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
}
