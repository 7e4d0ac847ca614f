import HouseholdSimulation
import MergeCore
import TestSupport
import Testing
import ZlibStreams

@testable import DiskStore
@testable import ProfileKeeping

/// Backup files of every version, whole and damaged.
@Suite struct BackupFormatTests {
    let folder = TemporaryFolder()
    let profile = ProfileID(high: 1, low: 2)
    var files: DiskFiles { DiskFiles(home: folder["home"]) }
    var place: String { folder["home/backups/\(profile)"] }

    /// A backup as version 1 wrote it (made with Python's struct and zlib). Never to be changed.
    static let versionOne = bytes(
        """
        8948424B0D0A1A0A01000100050000007B68E5CF8B01000001293501378A5BD313000000000000001B00000000000000
        2B5B50F87801ABE65250504ACECFCC2B56B252303434E0AAE50200311604A3
        """
    )
    static let content = Array("{\n  \"coins\": 110\n}\n".utf8)
    static let note = BackupNote(
        time: 1_700_000_000_123,
        pools: [.changes, .daily],
        day: LocalDay(year: 2026, month: 11, day: 21),
        isPinned: true
    )

    static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// Puts bytes where a backup lies.
    private func put(_ bytes: [UInt8], _ name: String = "0000000001.backup") throws(StorageFault) {
        if Disk.mode(place) == nil { try HomeFolder.create(place) }
        Disk.write(bytes, place + "/" + name)
    }

    /// Version 1 with another header, whose checksum is right.
    private static func changed(_ change: (inout [UInt8]) -> Void) -> [UInt8] {
        var header = Array(versionOne[..<48])
        change(&header)
        let sum = ZlibStream.checksum(header)
        return header + (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) } + versionOne[52...]
    }

    @Test func aBackupOfVersionOneIsRead() throws {
        try put(Self.versionOne)
        let stored = try files.backups(of: profile)
        #expect(stored == [StoredBackup(name: "0000000001.backup", note: Self.note, size: Self.content.count)])
        #expect(try files.readBackup("0000000001.backup", of: profile, limit: 100) == Self.content)
    }

    @Test func whatIsWrittenIsVersionOne() throws {
        let name = try files.keepBackup(Self.content, of: profile, as: Self.note)
        #expect(name == "0000000001.backup")
        let written = try #require(Disk.read(place + "/" + name))
        // How far zlib compresses is its own affair, so lengths and streams may differ; the rest may not.
        #expect(written[..<40] == Self.versionOne[..<40])
        #expect(try ZlibStream.inflated(Array(written[52...]), limit: 100) == Self.content)
        #expect(Disk.mode(place) == 0o700)
        #expect(Disk.mode(place + "/" + name) == 0o600)
        #expect(Disk.names(in: place) == [name])
    }

    @Test func aNewerFormatIsRefusedByNameAndLeftUntouched() throws {
        let newer = [
            Array(Self.versionOne[..<8]) + [3, 0, 0xFF],
            Array(Self.versionOne[..<8]) + [0xFF, 0xFF],
            Self.changed { $0[10] |= 4 },
            Self.changed { $0[12] |= 8 },
            Self.changed { $0[15] = 1 },
        ]
        for (index, bytes) in newer.enumerated() {
            let name = "000000000\(index + 1).backup"
            try put(bytes, name)
            let fault = #expect(throws: StorageFault.self) { try files.readBackup(name, of: profile, limit: 100) }
            #expect(fault?.reason == .tooNew)
            #expect(fault?.message.contains("\(name) was made by a newer version of Hearth") == true)
            let note = BackupNote(time: 1, pools: .all)
            #expect(throws: StorageFault.self) { try files.noteBackup(name, of: profile, as: note) }
        }
        for stored in try files.backups(of: profile) {
            guard case .newer = stored.condition else {
                Issue.record("\(stored)")
                continue
            }
        }
        // However many come behind them, they stay as they are.
        let engine = try ProfileEngine(files: files, store: MemoryRecord())
        for number in 0..<12 {
            try engine.keepBackup([UInt8(number)], of: profile, now: WallTime(milliseconds: Int64(number)))
        }
        for (index, bytes) in newer.enumerated() {
            #expect(Disk.read(place + "/000000000\(index + 1).backup") == bytes)
        }
    }

    @Test func everyFlippedBitAndEveryLengthIsNoticed() throws {
        // But for the bits that fill up the last byte of a deflate stream, before its checksum: they say nothing.
        let filled = Self.versionOne.count - 5
        for position in Self.versionOne.indices where position != filled {
            for bit in 0..<8 {
                var bytes = Self.versionOne
                bytes[position] ^= 1 << bit
                try expectUnreadable(bytes, "bit \(bit) of byte \(position)")
            }
        }
        for length in Self.versionOne.indices {
            try expectUnreadable(Array(Self.versionOne[..<length]), "\(length) bytes")
        }
        try expectUnreadable(Self.versionOne + [0], "a byte more")
    }

    @Test func aFlippedBitThatSaysNothingDoesNoHarm() throws {
        let filled = Self.versionOne.count - 5
        for bit in 0..<8 {
            var bytes = Self.versionOne
            bytes[filled] ^= 1 << bit
            try put(bytes)
            let read = try? files.readBackup("0000000001.backup", of: profile, limit: 100)
            #expect(read == nil || read == Self.content, "bit \(bit)")
        }
    }

    private func expectUnreadable(_ bytes: [UInt8], _ what: String) throws {
        try put(bytes)
        let fault = #expect(throws: StorageFault.self, "\(what)") {
            try files.readBackup("0000000001.backup", of: profile, limit: 100)
        }
        #expect(fault?.reason == .damaged || fault?.reason == .tooNew, "\(what): \(fault?.message ?? "")")
        #expect(fault?.message.contains("0000000001.backup") == true, "\(what)")
        #expect(try files.backups(of: profile).count == 1)
    }

    @Test func noHeaderMakesUsTakeMoreMemoryThanItsContentNeeds() throws {
        // A small file that says it holds a lot, and one that says little and holds a lot.
        let huge = Self.changed { header in
            for index in 32..<40 { header[index] = 0xFF }
        }
        try put(huge)
        #expect(throws: StorageFault.self) { try files.readBackup("0000000001.backup", of: profile, limit: 64 << 20) }
        let large = Self.changed { header in header[35] = 3 }
        try put(large)
        let fault = #expect(throws: StorageFault.self) {
            try files.readBackup("0000000001.backup", of: profile, limit: 64 << 20)
        }
        #expect(fault?.reason == .damaged)
        let tooLarge = #expect(throws: StorageFault.self) {
            try files.readBackup("0000000001.backup", of: profile, limit: 1 << 20)
        }
        #expect(tooLarge?.reason == .tooLarge)
        let bomb = [UInt8](repeating: 0, count: 32 << 20)
        var format = BackupFormat(Self.note, checksum: 0, size: 10, storedSize: 0)
        let stream = ZlibStream.compressed(bomb)
        format.storedSize = stream.count
        try put(format.header + stream)
        let burst = #expect(throws: StorageFault.self) {
            try files.readBackup("0000000001.backup", of: profile, limit: 64 << 20)
        }
        #expect(burst?.reason == .damaged)
    }

    @Test func plainBackupsFromBeforeAreListedReadAndPinned() throws {
        let old = ["000001700000000000.json", "000001700000000000_1.json", "000001700000000001.json"]
        for (index, name) in old.enumerated() { try put([UInt8(ascii: "0") + UInt8(index)], name) }
        try put([1], "notes.txt")
        try put([1], "1.json")
        let new = try files.keepBackup(Self.content, of: profile, as: BackupNote(time: 5, pools: .changes))
        var stored = try files.backups(of: profile)
        #expect(stored.map(\.name) == old + [new])
        #expect(stored.map(\.note.time) == [1_700_000_000_000, 1_700_000_000_000, 1_700_000_000_001, 5])
        #expect(stored.map(\.note.pools) == [.changes, .changes, .changes, .changes])
        #expect(try files.readBackup(old[1], of: profile, limit: 1) == [UInt8(ascii: "1")])
        // Pinned, one keeps its name, its place and its content.
        var note = stored[1].note
        note.isPinned = true
        try files.noteBackup(old[1], of: profile, as: note)
        stored[1].note = note
        #expect(try files.backups(of: profile) == stored)
        #expect(try files.readBackup(old[1], of: profile, limit: 1) == [UInt8(ascii: "1")])
        // They leave with the others; what is none of ours stays.
        let engine = try ProfileEngine(files: files, store: MemoryRecord())
        for number in 0..<9 {
            try engine.keepBackup([UInt8(number)], of: profile, now: WallTime(milliseconds: Int64(number)))
        }
        let names = Disk.names(in: place)
        #expect(names.filter { $0.hasPrefix("0000017") } == [old[1]])
        #expect(names.contains("notes.txt") && names.contains("1.json"))
    }

    @Test(arguments: [
        "0.backup", "000000001.backup", "00000000a1.backup", "1234567890123456789.backup", "0000000001.backup.json",
        "-000000001.backup", "00000170000000.json", "000001700000000000_.json", "000001700000000000_1_1.json",
        "000001700000000000_999999.json", ".json", ".backup", "",
    ])
    func otherNamesAreNoneOfOurs(_ name: String) { #expect(BackupName(name) == nil) }

    @Test func numbersGoOnBehindTheLargest() throws {
        #expect(BackupName.next(after: []) == 1)
        #expect(BackupName.name(1) == "0000000001.backup")
        let large = try #require(BackupName("12345678901.backup"))
        #expect(BackupName.next(after: [large, .numbered(3)]) == 12_345_678_902)
        #expect(BackupName("0000000009.backup")! < large)
        #expect(BackupName.next(after: [.numbered(999_999_999_999_999_999)]) == nil)
        try put(Self.versionOne, "999999999999999999.backup")
        #expect(throws: StorageFault.self) { try files.keepBackup([1], of: profile, as: Self.note) }
    }
}
