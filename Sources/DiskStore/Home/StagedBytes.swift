import Libc

/// Files in a home by which a program passes bytes to the agent, such as an export that it has decrypted. Their name is
/// `import-PID`, and a suffix may follow. The program that made a file removes it, unless it is killed.
package enum StagedBytes {
    private static let prefix = "import-"

    /// Removes the files of programs that have ended.
    package static func sweep(_ home: String) {
        let names = DiskFiles.names(in: home, limit: 1_000) { $0.hasPrefix(prefix) }
        for name in names {
            let digits = name.dropFirst(prefix.count).prefix { $0 != "-" }
            guard let owner = pid_t(digits), owner > 0, kill(owner, 0) != 0, errno == ESRCH else { continue }
            unlink("\(home)/\(name)")
        }
    }
}
