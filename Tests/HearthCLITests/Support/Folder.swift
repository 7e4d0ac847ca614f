import Synchronization
import TestSupport

/// The folder of one test: files that a player would have, and numbers for those of commands.
final class Folder: Sendable {
    private let folder = TemporaryFolder()
    private let count = Mutex(0)

    var path: String { folder.path }

    func path(_ name: String) -> String { folder[name] }

    /// A number that no other call returns.
    func next() -> Int {
        count.withLock {
            $0 += 1
            return $0
        }
    }

    /// Writes a file and returns its path.
    @discardableResult
    func write(_ text: String, _ name: String) -> String { write(Array(text.utf8), path(name)) }

    @discardableResult
    func write(_ bytes: [UInt8], _ path: String) -> String {
        Disk.write(bytes, path)
        return path
    }
}
