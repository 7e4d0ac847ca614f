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
            RecordIncarnation.close(record, home: home)
        } else {
            // As a kill leaves it: the log stays.
            Disk.write(Disk.read(home + "/hearth.sqlite-wal") ?? [], folder["wal"])
            Disk.write(Disk.read(home + "/hearth.sqlite") ?? [], folder["main"])
            record.close()
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
        record.close()
        #expect(try !start(5))
    }

    @Test func aLogThatIsGoneIsNoticedAfterAKillAlone() throws {
        #expect(try !start(1))
        #expect(try !start(2, clean: false))
        unlink(home + "/hearth.sqlite-wal")
        #expect(try start(3))
    }

    /// A start that fails, on a full disk for example, closes the record, and that removes the log of a killed agent.
    @Test(arguments: [false, true]) func aStartThatFailsAfterAKillIsNothingToNotice(isGone: Bool) throws {
        #expect(try !start(1))
        #expect(try !start(2, clean: false))
        if isGone { unlink(home + "/hearth.sqlite-wal") }
        // Nothing can be written into the token's place.
        mkdir(home + "/record.token.new", 0o700)
        let incarnation = try RecordIncarnation(home: home)
        do {
            let record = try SQLiteRecord(home: home)
            #expect(throws: StorageFault.self) {
                _ = try incarnation.begin(record, token: Array(repeating: 3, count: RecordIncarnation.size))
            }
            incarnation.abandoned()
            record.close()
        }
        #expect(Disk.read(home + "/hearth.sqlite-wal") == nil)
        rmdir(home + "/record.token.new")
        #expect(try start(3) == isGone)
    }

    @Test func aKillBetweenFileAndRecordIsNothingToNotice() throws {
        #expect(try !start(1))
        // The file names the next token; the record has not got it yet.
        let held = Disk.read(home + "/record.token") ?? []
        let token = held.dropFirst().prefix(RecordIncarnation.size)
        Disk.write([UInt8(ascii: "c")] + token + Array(repeating: 9, count: 16), home + "/record.token")
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

    /// One start of an agent that ends cleanly; returns whether it found the record at rest.
    ///
    /// - Parameter checks: Whether it reads all of a record at rest.
    private func rest(_ number: UInt8, checks: Bool = true) throws -> Bool {
        try HomeFolder.create(home)
        let incarnation = try RecordIncarnation(home: home)
        let record = try SQLiteRecord(home: home, isAtRest: incarnation.isAtRest)
        #expect(record.isSound == !incarnation.isAtRest)
        #expect(try !incarnation.begin(record, token: Array(repeating: number, count: RecordIncarnation.size)))
        if checks, let check = RecordCheck(record) {
            try check.run()
            check.close()
        }
        RecordIncarnation.close(record, home: home)
        return incarnation.isAtRest
    }

    @Test func aRecordIsAtRestAfterACleanEndOfAnAgentThatFoundItSound() throws {
        #expect(try !rest(1))
        #expect(try rest(2))
        #expect(try rest(3, checks: false))
        #expect(try !rest(4))
        #expect(try rest(5))
        let record = try SQLiteRecord(home: home)
        var change = RecordChange()
        change.notes.set("later", [1])
        try record.commit(change)
        record.close()
        #expect(try !rest(6), "it was written to after its end was noted")
        #expect(try rest(7))
        // An agent that is killed notes nothing.
        #expect(try !start(8, clean: false))
        #expect(try !rest(9))
    }

    @Test func aRecordThatSomebodyWroteToIsNotAtRest() throws {
        #expect(try !rest(1))
        let bytes = try #require(Disk.read(home + "/hearth.sqlite"))
        Disk.write(bytes, home + "/hearth.sqlite")
        #expect(try !rest(2))
        #expect(try rest(3))
        Disk.write([], home + "/hearth.sqlite-wal")
        #expect(try !RecordIncarnation(home: home).isAtRest)
    }

    /// Damage of a record at rest is found after the start, as a start would find it.
    @Test func damageIsFoundInUseAsWell() throws {
        try HomeFolder.create(home)
        var record = try SQLiteRecord(home: home)
        for number in UInt64(1)...200 {
            var profile = RecordChange.ProfileChange(ProfileID(high: number, low: 1))
            profile.replica = ReplicaID(high: 1, low: number)
            profile.file = .some("/saves/" + String(repeating: "x", count: 200))
            try record.commit(RecordChange(profile))
        }
        record.close()
        record = try SQLiteRecord(home: home, isAtRest: true)
        #expect(!record.isSound)
        let check = try #require(RecordCheck(record))
        try check.run()
        check.close()
        #expect(record.isSound)
        record.close()
        let path = home + "/hearth.sqlite"
        var bytes = try #require(Disk.read(path))
        // A page of the table of profiles loses its head. Nothing that an opening reads is on it.
        let page = stride(from: 0, to: bytes.count, by: 4_096).reversed().first { page in
            bytes[page] == 0x0D && String(decoding: bytes[page..<page + 4_096], as: UTF8.self).contains("/saves/xx")
        }
        bytes.replaceSubrange(try #require(page)..<(try #require(page)) + 8, with: [UInt8](repeating: 0x5A, count: 8))
        Disk.write(bytes, path)
        let atStart = #expect(throws: StorageFault.self) { _ = try SQLiteRecord(home: home) }
        record = try SQLiteRecord(home: home, isAtRest: true)
        let inUse = try #require(RecordCheck(record))
        let later = #expect(throws: StorageFault.self) { try inUse.run() }
        inUse.close()
        #expect(later?.message == atStart?.message && later?.reason == .record && !record.isSound)
        record.close()
    }

    @Test func aNewRecordBesideAnOldTokenIsNew() throws {
        #expect(try !start(1))
        unlink(home + "/hearth.sqlite")
        #expect(try !start(2))
    }
}
