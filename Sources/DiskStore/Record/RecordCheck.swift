package import ProfileKeeping
import SQLiteDatabases
import Synchronization

/// Checks the structure of a record that is in use, after a start that left this out. It reads the whole file on a
/// connection of its own, as it was at one moment, and holds up nobody.
package final class RecordCheck: Sendable {
    private let record: SQLiteRecord
    private let reader: SQLiteDatabase
    private let isCancelled = Atomic(false)

    /// `nil` where there is no connection to be had. Then the record stays unchecked, and the next start checks it before
    /// anything else.
    package init?(_ record: SQLiteRecord) {
        guard let reader = try? RecordSchema.reader(of: record.path) else { return nil }
        (self.record, self.reader) = (record, reader)
    }

    /// Blocks until all is read, or ``cancel()`` is called. Without an answer (a busy disk, too many open files) the record
    /// stays unchecked as well.
    ///
    /// - Throws: What a start would have said of the damage.
    package func run() throws(StorageFault) {
        do {
            let isRead = try reader.use { db in
                if isCancelled.load(ordering: .acquiring) { return false }
                try RecordSchema.checkStructure(db, record.path)
                return true
            }
            if isRead { record.isChecked.store(true, ordering: .releasing) }
        } catch let fault as StorageFault {
            throw fault
        } catch let error as SQLiteError where error.kind == .damaged {
            throw StorageFault(recordError: error, record.path)
        } catch {
            return
        }
    }

    /// Ends ``run()`` early, also from another thread.
    package func cancel() {
        isCancelled.store(true, ordering: .releasing)
        reader.interrupt()
    }

    /// Closes the connection; the last one of a record moves the log into it.
    package func close() { reader.close() }
}

extension SQLiteRecord {
    /// Whether its structure was checked since it was opened, and nothing was found.
    package var isSound: Bool { isChecked.load(ordering: .acquiring) }
}
