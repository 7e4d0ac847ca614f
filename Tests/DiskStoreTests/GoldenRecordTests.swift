import Glibc
import MergeCore
import ProfileKeeping
import SQLiteDatabases
import TestSupport
import Testing

@testable import DiskStore

/// A record of every version there ever was opens in this one, whatever stops it on the way; a newer one is left alone.
@Suite struct GoldenRecordTests {
    private let folder = TemporaryFolder()
    private var file: String { folder["hearth.sqlite"] }

    private func put(_ version: Int) throws {
        Disk.write(try #require(Disk.read(GoldenRecord.path(version))), file, mode: 0o600)
    }

    /// The file says what the code of its version wrote, so nobody changes the format without a new version.
    @Test(arguments: GoldenRecord.versions) func theFileIsWhatThatVersionWrites(_ version: Int) throws {
        try GoldenRecord.make(version, in: folder.path)
        let path = GoldenRecord.path(version)
        if Disk.read(path) == nil, let bytes = Disk.read(file) {
            Disk.write(bytes, path)
            Issue.record("\(path) was missing and has been made; look at it, and commit it")
        }
        #expect(try GoldenRecord.rows(file) == GoldenRecord.rows(path))
    }

    @Test(arguments: GoldenRecord.versions) func itOpensAndNothingIsLost(_ version: Int) throws {
        try put(version)
        // A step that was made is not made again.
        for _ in 0..<2 {
            let record = try SQLiteRecord(home: folder.path)
            try GoldenRecord.expectWhole(record, version)
            record.close()
        }
        // And it goes on from there.
        let record = try SQLiteRecord(home: folder.path)
        var change = RecordChange.ProfileChange(GoldenRecord.id)
        let mark = HistoryMark(number: 9, bytes: 90)
        change.history = HistoryRow(
            mark: mark,
            time: 1,
            origin: .undo,
            writer: GoldenRecord.replica,
            changes: [1, 0, 0, 0]
        )
        try record.commit(RecordChange(change))
        #expect(try record.load(GoldenRecord.id)?.history == mark)
    }

    /// The number in the header is damaged: the tables tell what the record is.
    @Test(arguments: GoldenRecord.versions) func aHeaderThatIsWrongLosesNothing(_ version: Int) throws {
        for number in 0...Int(RecordSchema.version) {
            try put(version)
            let database = try SQLiteDatabase(path: file)
            try database.use { try $0.execute("PRAGMA user_version = \(number)") }
            database.close()
            let record = try SQLiteRecord(home: folder.path)
            try GoldenRecord.expectWhole(record, version)
            record.close()
        }
    }

    /// Killed while it wrote without a write-ahead log, which a new record does until its tables are there: what was not
    /// committed is taken back.
    @Test func anUnfinishedChangeIsTakenBack() throws {
        let database = try SQLiteDatabase(path: file)
        let after = TemporaryFolder()
        try database.use { db in
            try RecordSchema.migrate(db)
            // So small a cache that the change is in the file before it is committed.
            try db.execute("PRAGMA cache_size = 1; BEGIN")
            for number in 0..<200 {
                let bytes = [UInt8](repeating: UInt8(number), count: 1_000)
                try db.run(
                    "INSERT INTO note (key, value, mark) VALUES (?, ?, ?)",
                    [.blob([7, UInt8(number)]), .blob(bytes), .integer(0)])
            }
            for name in ["hearth.sqlite", "hearth.sqlite-journal"] {
                Disk.write(try #require(Disk.read(folder[name])), after[name], mode: 0o600)
            }
            try db.execute("ROLLBACK")
        }
        #expect(throws: SQLiteError.self) {
            try SQLiteDatabase(path: after["hearth.sqlite"], isReadOnly: true).close()
        }
        let record = try SQLiteRecord(home: after.path)
        #expect(try record.notes(prefix: "").isEmpty)
        #expect(!Disk.names(in: after.path).contains("hearth.sqlite-journal"))
        record.close()
    }

    /// Killed after any step, or in the middle of one: what then lies on the disk opens, and nothing is lost.
    @Test(arguments: GoldenRecord.versions) func killedOnTheWayItOpensAgain(_ version: Int) throws {
        for step in version...Int(RecordSchema.version) {
            for isMidway in [false, true] {
                try put(version)
                let database = try SQLiteDatabase(path: file)
                try database.use { try RecordSchema.migrate($0, to: Int32(step)) }
                let after = TemporaryFolder()
                if isMidway {
                    try database.use { db in
                        try db.execute("BEGIN IMMEDIATE; CREATE TABLE half (x)")
                        leave(in: after)
                        try db.execute("ROLLBACK")
                    }
                } else {
                    leave(in: after)
                }
                let record = try SQLiteRecord(home: after.path)
                try GoldenRecord.expectWhole(record, version)
                record.close()
                database.close()
                for name in Disk.names(in: folder.path) { unlink(folder[name]) }
            }
        }
    }

    /// What a process that is killed now leaves behind.
    private func leave(in other: TemporaryFolder) {
        for name in ["hearth.sqlite", "hearth.sqlite-wal"] {
            if let bytes = Disk.read(folder[name]) { Disk.write(bytes, other[name], mode: 0o600) }
        }
    }

    /// A newer Hearth's record: refused, and not a byte, a time or a file beside it is another afterwards.
    @Test(arguments: [false, true]) func aNewerRecordIsRefusedUntouched(endedCleanly: Bool) throws {
        let version = RecordSchema.version
        try put(Int(version))
        let database = try SQLiteDatabase(path: file)
        try database.use { db in
            try db.execute("PRAGMA user_version = \(version + 1); CREATE TABLE later (x INTEGER) STRICT")
            if endedCleanly { try db.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
        }
        let after = TemporaryFolder()
        leave(in: after)
        database.close()
        if endedCleanly { unlink(after["hearth.sqlite-wal"]) }
        let names = endedCleanly ? ["hearth.sqlite"] : ["hearth.sqlite", "hearth.sqlite-wal"]
        #expect(Disk.names(in: after.path) == names)
        for name in names {
            let times = [timespec(tv_sec: 1_000_000, tv_nsec: 5), timespec(tv_sec: 1_000_000, tv_nsec: 5)]
            #expect(utimensat(AT_FDCWD, after[name], times, 0) == 0)
        }
        let before = names.map { Disk.read(after[$0]) }
        for _ in 0..<2 {
            let fault = #expect(throws: StorageFault.self) { _ = try SQLiteRecord(home: after.path) }
            #expect(fault?.reason == .tooNew)
            let words = "version \(version + 1), this one knows \(version)"
            #expect(fault?.message.contains(words) == true, "\(fault?.message ?? "")")
            #expect(names.map { Disk.read(after[$0]) } == before)
            for name in names {
                var status = stat()
                #expect(
                    stat(after[name], &status) == 0 && status.st_mtim.tv_sec == 1_000_000 && status.st_mtim.tv_nsec == 5
                )
            }
            let left = Disk.names(in: after.path).filter { $0 != "hearth.sqlite-shm" || endedCleanly }
            #expect(left == names)
        }
    }
}
