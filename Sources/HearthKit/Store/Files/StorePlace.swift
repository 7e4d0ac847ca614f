import Libc
import MergeCore

/// The name of a store's profile, and the folder of its files.
struct StorePlace: Sendable {
    /// The folder of the game's profiles.
    let folder: String
    /// The profile's name in the household: `GAME/SLOT`.
    let name: String
    let game: String

    /// The longest name of a game or a slot, in bytes.
    private static let nameLimit = 64

    init(game: String?, slot: String, folder: String?) throws(StoreError) {
        if let game { self.game = game } else { self.game = try Self.ownName() }
        try Self.check(self.game, "game")
        try Self.check(slot, "slot")
        name = "\(self.game)/\(slot)"
        if let folder {
            self.folder = Self.absolute(folder)
        } else {
            self.folder = try Self.dataFolder() + "/" + self.game
        }
    }

    /// The path as an absolute one, without a slash at its end.
    static func absolute(_ path: String) -> String {
        var result = path
        if !path.hasPrefix("/") {
            let here = getcwd(nil, 0)
            defer { free(here) }
            result = (here.map { String(cString: $0) } ?? "") + "/" + path
        }
        while result.count > 1, result.hasSuffix("/") { result.removeLast() }
        return result
    }

    private static func check(_ name: String, _ what: String) throws(StoreError) {
        let isPlain = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "/" && $0.value != 0x7F }
        guard !name.isEmpty, isPlain, name.utf8.count <= nameLimit, name != ".", name != ".." else {
            throw StoreError(
                .name,
                "\"\(name.prefix(nameLimit))\" cannot be the name of a \(what): "
                    + "take 1 to \(nameLimit) bytes without a slash")
        }
    }

    /// The file name of the running program.
    private static func ownName() throws(StoreError) -> String {
        let path = CommandLine.arguments.first ?? ""
        guard let name = path.split(separator: "/").last, !name.isEmpty else {
            throw StoreError(.name, "this program has no name; give open(game:slot:) one")
        }
        return String(name)
    }

    private static func dataFolder() throws(StoreError) -> String {
        if let data = variable("XDG_DATA_HOME"), data.hasPrefix("/") { return data }
        guard let user = variable("HOME"), user.hasPrefix("/") else {
            throw StoreError(.name, "HOME is not set, so there is no folder for saves; name one in StoreOptions.folder")
        }
        #if canImport(Darwin)
            return user + "/Library/Application Support"
        #else
            return user + "/.local/share"
        #endif
    }

    /// The environment variables that decide where Hearth's home is.
    static var environment: [String: String] {
        var result: [String: String] = [:]
        for name in ["HEARTH_HOME", "XDG_DATA_HOME", "HOME", "PWD"] { result[name] = variable(name) }
        return result
    }

    static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
