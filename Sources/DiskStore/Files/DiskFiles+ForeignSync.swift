import Libc
import LocalFiles
package import ProfileKeeping

/// Recognises other tools that sync a folder.
extension DiskFiles {
    /// Looks from the folder of a save upwards; the nearest marker counts. Links are followed, also one that is the save.
    package func foreignSync(around path: String) -> ForeignSync? {
        var folder = (try? ProfilePlace(path))?.folder ?? Self.nearest(Self.parent(path))
        while true {
            for (name, tool) in Self.markers where FilePath.exists(Self.join(folder, name)) {
                return ForeignSync(tool: tool, marker: Self.join(folder, name))
            }
            if let tool = Self.services[String(folder.split(separator: "/").last ?? "")] {
                return ForeignSync(tool: tool, marker: folder)
            }
            guard folder != "/" else { return nil }
            folder = Self.parent(folder)
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

    /// The folder with all links resolved; where it does not exist, the nearest one above it that does, in which it would be
    /// made.
    private static func nearest(_ folder: String) -> String {
        var folder = folder
        while folder != "/" {
            if let pointer = realpath(folder, nil) {
                defer { free(pointer) }
                return String(cString: pointer)
            }
            folder = parent(folder)
        }
        return folder
    }
}
