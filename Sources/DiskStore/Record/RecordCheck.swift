import GRDB
package import ProfileKeeping
import Synchronization

/// Checks the structure of a record that is in use, after a start that left this out. It reads the whole file on a
/// connection of its own, as it was at one moment, and holds up nobody.
package final class RecordCheck: Sendable {
    private let record: SQLiteRecord
    private let reader: DatabaseQueue

    package init(_ record: SQLiteRecord) throws(StorageFault) {
        self.record = record
        do {
            reader = try RecordSchema.reader(of: record.path)
        } catch {
            throw StorageFault(recordError: error, record.path)
        }
    }

    /// Blocks until all is read, or ``cancel()`` is called.
    ///
    /// - Throws: What a start would have said of the damage.
    package func run() throws(StorageFault) {
        do {
            try reader.read { try RecordSchema.checkStructure($0, record.path) }
            record.isChecked.store(true, ordering: .releasing)
        } catch DatabaseError.SQLITE_INTERRUPT, DatabaseError.SQLITE_ABORT {
            // The record stays unchecked, and the next start checks it before anything else.
        } catch {
            throw StorageFault(recordError: error, record.path)
        }
    }

    /// Ends ``run()`` early, also from another thread.
    package func cancel() { reader.interrupt() }

    /// Closes the connection; the last one of a record moves the log into it.
    package func close() { try? reader.close() }
}

extension SQLiteRecord {
    /// Whether its structure was checked since it was opened, and nothing was found.
    package var isSound: Bool { isChecked.load(ordering: .acquiring) }
}
