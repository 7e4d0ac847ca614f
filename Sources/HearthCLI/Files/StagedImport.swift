import DiskStore
import Libc
import LocalFiles

/// A file in the home that hands bytes to the agent, which may not be allowed to see where they came from (a memory
/// stick, a folder of this user's): for this user alone, and gone when the command ends.
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
