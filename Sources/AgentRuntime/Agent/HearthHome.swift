import ControlInterface
import MergeCore

/// Why a home folder cannot be used, in one sentence.
package struct HomeFault: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
}

/// The folder with everything of one installation: key, record, backups, control socket.
package struct HearthHome: Hashable, Sendable {
    /// The absolute path, without a slash at its end.
    package let path: String

    package init(path: String) { self.path = path }

    /// Finds the home: `--home`, else HEARTH_HOME, else `hearth` in XDG_DATA_HOME, else `~/.local/share/hearth` (on
    /// macOS `~/Library/Application Support/Hearth`). A relative path starts from PWD.
    ///
    /// - Throws: ``HomeFault`` for an empty path, or where HOME is not set.
    package static func resolve(option: String?, environment: [String: String]) throws(HomeFault) -> HearthHome {
        func given(_ path: String, _ name: String) throws(HomeFault) -> HearthHome {
            guard !path.isEmpty else { throw HomeFault(description: "\(name) is empty; name a folder") }
            return HearthHome(path: absolute(path, environment))
        }
        if let option { return try given(option, "--home") }
        if let home = environment["HEARTH_HOME"] { return try given(home, "HEARTH_HOME") }
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return HearthHome(path: data + "/hearth") }
        guard let user = environment["HOME"], user.hasPrefix("/") else {
            throw HomeFault(description: "HOME is not set; name a folder for Hearth with --home")
        }
        #if os(macOS)
            return HearthHome(path: user + "/Library/Application Support/Hearth")
        #else
            return HearthHome(path: user + "/.local/share/hearth")
        #endif
    }

    /// The path of the control socket: in the home, where it fits into a socket address (103 bytes); else in the user's
    /// runtime folder, under a name made from the home's path.
    package func socket(environment: [String: String], user: UInt32) -> String {
        let inHome = path + "/run/control.sock"
        if ControlClient.fits(inHome) { return inHome }
        let base = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp/hearth-\(user)"
        return base + "/hearth-" + String(FNV1a(path.utf8).value, radix: 16) + "/control.sock"
    }

    private static func absolute(_ path: String, _ environment: [String: String]) -> String {
        var result = path.hasPrefix("/") ? path : (environment["PWD"] ?? "") + "/" + path
        while result.count > 1, result.hasSuffix("/") { result.removeLast() }
        return result
    }
}
