import Glibc
import ProfileKeeping
import TestSupport
import Testing

@testable import DiskStore

/// Another tool that syncs a folder is found from every path that leads into it.
@Suite struct FindingForeignSyncTests {
    let folder = TemporaryFolder()
    private var files: DiskFiles { DiskFiles(home: folder["home"]) }

    init() {
        mkdir(folder["synced"], 0o755)
        mkdir(folder["synced/.stfolder"], 0o755)
        mkdir(folder["synced/game"], 0o755)
        symlink(folder["synced/game"], folder["link"])
        symlink(folder["synced/game/save.json"], folder["save.json"])
    }

    /// Also where the folder of the save does not exist yet, and where the save itself is a link.
    @Test(arguments: [
        "synced/save.json", "synced/game/save.json", "synced/game/new/one/save.json", "link/save.json",
        "link/new/one/save.json", "save.json", "other/../synced/save.json",
    ]) func itIsFound(path: String) {
        mkdir(folder["other"], 0o755)
        let found = files.foreignSync(around: folder[path])
        #expect(found?.tool == "Syncthing" && found?.marker.hasSuffix("/synced/.stfolder") == true, "\(found as Any)")
    }

    @Test(arguments: ["other.json", "games/save.json", "synced/../games/new/save.json", "link/../../other.json"])
    func elsewhereThereIsNone(path: String) {
        #expect(files.foreignSync(around: folder[path]) == nil)
    }
}
