import Glibc
import MergeCore
import ProfileKeeping
import TestSupport
import Testing

@testable import DiskStore

/// A record that was rolled back is noticed, and nothing else is taken for one.
@Suite struct RecordIncarnationTests {
    private let folder = TemporaryFolder()

    private var home: String { folder["home"] }

    /// One start of an agent; returns whether the record was rolled back.
    private func start(_ number: UInt8, clean: Bool = true) throws -> Bool {
        try HomeFolder.create(home)
        let incarnation = try RecordIncarnation(home: home)
        let record = try SQLiteRecord(home: home)
        let isRolledBack = try incarnation.begin(record, token: Array(repeating: number, count: RecordIncarnation.size))
        if number == 1 {
            var profile = RecordChange.ProfileChange(ProfileID(random: 1, 2))
            profile.replica = ReplicaID(high: 1, low: 1)
            profile.vector = VersionVector()
            try record.commit(RecordChange(profile))
        }
        if clean {
            RecordIncarnation.end(home: home)
            try record.close()
        } else {
            // As a kill leaves it: the log stays.
            Disk.write(Disk.read(home + "/hearth.sqlite-wal") ?? [], folder["wal"])
            Disk.write(Disk.read(home + "/hearth.sqlite") ?? [], folder["main"])
            try record.close()
            Disk.write(Disk.read(folder["wal"]) ?? [], home + "/hearth.sqlite-wal")
            Disk.write(Disk.read(folder["main"]) ?? [], home + "/hearth.sqlite")
        }
        return isRolledBack
    }

    @Test func startsAndKillsAreNothingToNotice() throws {
        #expect(try !start(1))
        for number in UInt8(2)...6 { #expect(try !start(number, clean: number % 2 == 0)) }
    }

    @Test func anOldCopyIsNoticed() throws {
        #expect(try !start(1))
        let copy = Disk.read(home + "/hearth.sqlite") ?? []
        #expect(try !start(2))
        Disk.write(copy, home + "/hearth.sqlite")
        #expect(try start(3))
        // Killed before every profile had begun anew: found out again, until somebody has seen to it.
        #expect(try start(4))
        let record = try SQLiteRecord(home: home)
        var change = RecordChange()
        change.notes.delete("record/rolled-back")
        try record.commit(change)
        try record.close()
        #expect(try !start(5))
    }

    @Test func aLogThatIsGoneIsNoticedAfterAKillAlone() throws {
        #expect(try !start(1))
        #expect(try !start(2, clean: false))
        unlink(home + "/hearth.sqlite-wal")
        #expect(try start(3))
    }

    @Test func aKillBetweenFileAndRecordIsNothingToNotice() throws {
        #expect(try !start(1))
        // The file names the next token; the record has not got it yet.
        let held = Disk.read(home + "/record.token") ?? []
        Disk.write([UInt8(ascii: "c")] + held.dropFirst() + Array(repeating: 9, count: 16), home + "/record.token")
        #expect(try !start(2))
    }

    @Test func aCopyOfTheWholeHomeIsNoticed_andItsOriginalIsNone() throws {
        #expect(try !start(1))
        #expect(rename(home, folder["original"]) == 0)
        try HomeFolder.create(home)
        for name in ["hearth.sqlite", "record.token"] {
            Disk.write(Disk.read(folder["original/" + name]) ?? [], home + "/" + name, mode: 0o600)
        }
        #expect(try start(2))
        Disk.remove(home)
        #expect(rename(folder["original"], home) == 0)
        #expect(try !start(2))
    }

    @Test func aNewRecordBesideAnOldTokenIsNew() throws {
        #expect(try !start(1))
        unlink(home + "/hearth.sqlite")
        #expect(try !start(2))
    }
}
