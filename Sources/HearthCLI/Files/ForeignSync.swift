import HouseholdAgent
import Libc
import LocalFiles

/// Another tool that syncs the folder of a save. Two hands on one file double what they carry: the other tool brings a
/// merged file to a machine whose Hearth then takes it for what its game did.
struct ForeignSync: Hashable {
    /// What people call the tool.
    let tool: String
    /// What it was recognised by.
    let marker: String

    /// Looks at the folder of a save and at all above it; the nearest marker counts.
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

    /// Names that a tool puts into a folder it syncs, and nowhere else (`~/.dropbox` is its settings).
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

    /// The folder that links lead to, where there is one.
    private static func resolved(_ folder: String) -> String {
        guard let pointer = realpath(folder, nil) else { return folder }
        defer { free(pointer) }
        return String(cString: pointer)
    }
}

extension CommandFailure {
    /// Refuses a save that another tool syncs, unless the player said otherwise.
    static func unlessAlone(_ path: String) throws(CommandFailure) {
        guard let other = ForeignSync.around(path) else { return }
        throw CommandFailure(
            "\(other.tool) syncs the folder of \(path) (\(other.marker)), and two hands on one file double what they "
                + "carry",
            "take the folder out of \(other.tool), or say --anyway",
            code: .needsDecision)
    }
}
