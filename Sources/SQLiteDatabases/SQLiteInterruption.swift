import CSQLite
import Synchronization

/// The means to end, from any thread, what a connection is doing.
final class SQLiteInterruption: Sendable {
    /// The address of the connection; 0 once it is closed.
    private let address: Mutex<UInt>

    init(_ connection: OpaquePointer) { address = Mutex(UInt(bitPattern: connection)) }

    /// SQLite allows this call beside any other, as long as the connection is not closed meanwhile: the lock is for that.
    func interrupt() {
        address.withLock { address in
            if let connection = OpaquePointer(bitPattern: address) { sqlite3_interrupt(connection) }
        }
    }

    /// The connection is about to be closed.
    func end() { address.withLock { $0 = 0 } }
}
