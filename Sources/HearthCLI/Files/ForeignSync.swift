import HouseholdAgent
import Libc
import LocalFiles

/// Another tool that syncs the folder of a save. Two such tools on one file count changes twice: the other tool copies
/// a merged file to a machine, and Hearth on that machine takes the copy for a save of the game there.
struct ForeignSync: Hashable {
    let tool: String
    /// The file or folder by which it was recognised.
    let marker: String

    /// Finds such a tool from the folder of a save upwards; the nearest marker counts. Links are resolved first.
    static func around(_ path: String) -> ForeignSync? {
        var folder = resolved(parent(path))
        while true {
            for (name, tool) in markers where FilePath.exists(join(folder, name)) {
                return ForeignSync(tool: tool, marker: join(folder, name))
            }
            if let tool = services[String(folder.split(separator: "/").last ?? "")] {
                return ForeignSync(tool: tool, marker: folder)
            }
            guard folder != "/" else { return nil }
            folder = parent(folder)
        }
    }

    /// Names that a tool creates in the folders it syncs, and nowhere else. (`~/.dropbox` is not one: it has the
    /// settings.)
    private static let markers = [
        (".stfolder", "Syncthing"), (".dropbox.cache", "Dropbox"),
        ("remotecache.vdf", "Steam Cloud"), (".nextcloudsync.log", "Nextcloud"), (".owncloudsync.log", "ownCloud"),
        (".resilio-sync", "Resilio Sync"),
    ]

    /// Folders that a service of the system syncs, by their names.
    private static let services = ["Mobile Documents": "iCloud Drive", "OneDrive": "OneDrive"]

    private static func parent(_ path: String) -> String {
        let steps = path.split(separator: "/").dropLast()
        return "/" + steps.joined(separator: "/")
    }

    private static func join(_ folder: String, _ name: String) -> String {
        folder == "/" ? "/" + name : folder + "/" + name
    }

    /// The folder with all links resolved; the same path where it does not exist.
    private static func resolved(_ folder: String) -> String {
        guard let pointer = realpath(folder, nil) else { return folder }
        defer { free(pointer) }
        return String(cString: pointer)
    }
}

extension CommandFailure {
    /// Refuses a save in a folder that another tool syncs.
    static func unlessAlone(_ path: String) throws(CommandFailure) {
        guard let other = ForeignSync.around(path) else { return }
        throw CommandFailure(
            "\(other.tool) syncs the folder of \(path) already (\(other.marker)); where two programs sync one save, coins "
                + "can count twice",
            "take the folder out of \(other.tool), or say --anyway",
            code: .needsDecision)
    }
}
