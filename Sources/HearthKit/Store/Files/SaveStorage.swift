import DiskStore
import MergeCore
import ProfileKeeping
import Synchronization

/// What holds the text of a save: a file, or memory.
protocol SaveStorage: Sendable {
    /// The absolute path of the file; for memory, a name.
    var path: String { get }
    /// Reads the text; `nil` where there is none.
    func read() throws(StorageFault) -> (bytes: [UInt8], mark: FileIdentity)?
    /// The identity of the text that is there now; `nil` where there is none.
    func mark() throws(StorageFault) -> FileIdentity?
    /// Replaces the text that was read, known by its identity. Without an identity, there must be none.
    func write(_ bytes: [UInt8], over mark: FileIdentity?) throws(StorageFault) -> SaveFile.Outcome
}

extension SaveFile: SaveStorage {}

/// Holds the text of a save in memory, and loses it with the last reference.
final class MemorySave: SaveStorage {
    private struct Content {
        var bytes: [UInt8]
        var mark: FileIdentity
    }

    let path: String
    private let content = Mutex<Content?>(nil)
    private let writes = Atomic<Int64>(0)

    init(_ path: String) { self.path = path }

    func read() -> (bytes: [UInt8], mark: FileIdentity)? { content.withLock { $0.map { ($0.bytes, $0.mark) } } }

    func mark() -> FileIdentity? { content.withLock { $0?.mark } }

    func write(_ bytes: [UInt8], over mark: FileIdentity?) -> SaveFile.Outcome {
        content.withLock { content in
            guard content?.mark == mark else { return .changed }
            let number = writes.wrappingAdd(1, ordering: .relaxed).newValue
            let next = Content(bytes: bytes, mark: FileIdentity([number], modified: 0))
            content = next
            return .written(next.mark)
        }
    }
}
