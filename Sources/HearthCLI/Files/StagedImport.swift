import DiskStore
import Libc
import LocalFiles

/// A file in the home that passes bytes to the agent, which may not be able to read the original place (a memory stick,
/// a private folder). Only this user can read it, and the command removes it at its end.
struct StagedImport {
    let path: String

    init(_ bytes: [UInt8], home: String) throws {
        try HomeFolder.create(home)
        path = "\(home)/import-\(getpid())"
        unlink(path)
        do {
            try AtomicFile.write(bytes, to: path, isPrivate: true)
        } catch {
            throw CommandFailure("\(path) \(error.sentence)")
        }
    }

    func remove() { unlink(path) }
}
