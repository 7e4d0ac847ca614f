import Crypto
import Glibc
import HouseholdSimulation
import MergeCore
import TestSupport
import Testing

@testable import DiskStore
@testable import ProfileKeeping

/// Copies of other devices' daily backups, in a real folder and in memory.
@Suite struct CopiesOnDiskTests {
    enum Kind: String, CaseIterable, Sendable { case memory, disk }

    private let folder = TemporaryFolder()
    private let profile = ProfileID(high: 1, low: 2)
    private let laptop = DeviceID(high: 0x0123_4567_89ab_cdef, low: 7)
    private let deck = DeviceID(high: 9, low: 9)
    private var home: String { folder["home"] }
    private var files: DiskFiles { DiskFiles(home: home) }
    private var place: String { "\(home)/copies/\(profile)/\(laptop.hex)" }

    private func day(_ day: Int) -> LocalDay { LocalDay(year: 2026, month: 11, day: day)! }

    private func document(_ number: Int) -> [UInt8] { Array("{\"n\":\(number)}".utf8) }

    /// A daily backup's file as its device stores it.
    private func file(_ number: Int, key: BackupKey? = nil, pools: BackupPools = .daily) -> [UInt8] {
        let note = BackupNote(
            time: WallTime(milliseconds: Int64(number)), pools: pools, day: pools == .daily ? day(number) : nil)
        return BackupFormat.file(document(number), note, key: key)
    }

    private func checksum(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

    /// Stages a file and keeps it as the copy of a day.
    private func keep(
        _ number: Int, of owner: DeviceID? = nil, key: BackupKey? = nil,
        in engine: ProfileEngine<DiskFiles, MemoryRecord>
    ) throws {
        let owner = owner ?? laptop
        let bytes = file(number, key: key)
        try files.stageCopy(Array(bytes[..<20]), at: 0, from: owner)
        try files.stageCopy(Array(bytes[20...]), at: 20, from: owner)
        try engine.keepCopy(profile, from: owner, day: day(number), checksum: checksum(bytes))
    }

    private var engine: ProfileEngine<DiskFiles, MemoryRecord> {
        get throws { try ProfileEngine(files: files, store: MemoryRecord()) }
    }

    // MARK: Keeping

    @Test func theSevenNewestOfEachDeviceAreKept() throws {
        let engine = try engine
        try keep(1, of: deck, in: engine)
        for number in 1...9 { try keep(number, in: engine) }
        let copies = try engine.copies(profile)
        #expect(copies.filter { $0.owner == laptop }.map(\.day) == (3...9).map { day($0) })
        #expect(copies.filter { $0.owner == deck }.map(\.day) == [day(1)])
        #expect(copies.allSatisfy { $0.backup.condition == .good && $0.backup.note.pools == .daily })
        #expect(Disk.names(in: place).count == 7)
        #expect(Disk.names(in: place).allSatisfy { Disk.mode(place + "/" + $0) == 0o600 })
        #expect(Disk.mode(place) == 0o700)
        // Byte for byte, under a name that people can type.
        let name = "copy-2026-11-09-0123456789abcdef"
        #expect(copies.last?.name == name || copies.contains { $0.name == name })
        #expect(engine.readBackup(profile, name) == .document(document(9)))
        let last = try #require(Disk.names(in: place).last)
        #expect(Disk.read(place + "/" + last) == file(9))
        #expect(try engine.backups(profile).isEmpty)
    }

    @Test func whatIsNotWhatWasListedIsNotKept() throws {
        let engine = try engine
        try keep(1, in: engine)
        let before = Disk.names(in: place)
        let good = file(2)
        let cases: [(bytes: [UInt8], checksum: [UInt8], day: Int)] = [
            (good, checksum(file(3)), 2), (Array(good.dropLast()), checksum(good), 2),
            // The right checksum, and no daily backup of that day.
            (good, checksum(good), 3), ([1, 2, 3], checksum([1, 2, 3]), 2),
            (file(2, pools: .changes), checksum(file(2, pools: .changes)), 2),
        ]
        for (bytes, checksum, number) in cases {
            try files.stageCopy(bytes, at: 0, from: laptop)
            let fault = #expect(throws: StorageFault.self) {
                try engine.keepCopy(profile, from: laptop, day: day(number), checksum: checksum)
            }
            #expect(fault?.reason == .damaged, "\(fault?.message ?? "")")
            #expect(Disk.names(in: place) == before)
            #expect(Disk.names(in: home + "/copies") == ["\(profile)"])
        }
    }

    @Test func leftoversAreNoCopiesAndAreSwept() throws {
        let engine = try engine
        try keep(1, in: engine)
        try files.stageCopy(Array(file(2).prefix(30)), at: 0, from: laptop)
        Disk.write("half", place + "/.new")
        Disk.write("x", place + "/0000000009-20261121-abcd.copy")
        Disk.write("x", place + "/0000000009-20261345-\(String(repeating: "a", count: 64)).copy")
        Disk.write("x", "\(home)/copies/\(profile)/not-a-device")
        #expect(try engine.copies(profile).map(\.day) == [day(1)])
        #expect(Disk.names(in: home + "/copies").contains(".staged-\(laptop.hex)"))
        files.sweepCopies()
        #expect(Disk.names(in: home + "/copies") == ["\(profile)"])
        #expect(try engine.copies(profile).map(\.day) == [day(1)])
    }

    @Test(arguments: Kind.allCases) func whatIsStagedGoesOnWhereItEnded(_ kind: Kind) throws {
        let files: any ProfileFiles = kind == .memory ? MemoryFiles() : files
        try files.stageCopy([1, 2, 3], at: 0, from: laptop)
        try files.stageCopy([4], at: 3, from: laptop)
        // Another device's is its own business.
        try files.stageCopy([9], at: 0, from: deck)
        let fault = #expect(throws: StorageFault.self) { try files.stageCopy([5], at: 9, from: laptop) }
        #expect(fault?.reason == .changed)
        // Where it failed nothing is left to go on with.
        #expect(throws: StorageFault.self) { try files.stageCopy([5], at: 4, from: laptop) }
        try files.stageCopy([5], at: 0, from: laptop)
        try files.stageCopy([10], at: 1, from: deck)
    }

    @Test(arguments: Kind.allCases) func whatIsStagedOfADeviceIsDroppedAlone(_ kind: Kind) throws {
        let files: any ProfileFiles = kind == .memory ? MemoryFiles() : files
        try files.stageCopy([1], at: 0, from: laptop)
        try files.stageCopy([1], at: 0, from: deck)
        files.dropStagedCopy(from: laptop)
        #expect(throws: StorageFault.self) { try files.stageCopy([2], at: 1, from: laptop) }
        try files.stageCopy([2], at: 1, from: deck)
    }

    @Test func copiesOfADeviceAreMeasured_andTheDiskHasRoom() throws {
        let engine = try engine
        #expect(try files.copiesSize(of: laptop) == 0)
        for number in 1...2 { try keep(number, in: engine) }
        try keep(1, of: deck, in: engine)
        let size = Int64(file(1).count + file(2).count)
        #expect(try files.copiesSize(of: laptop) == size)
        #expect(try files.copies(of: profile).filter { $0.owner == laptop }.reduce(0) { $0 + $1.fileSize } == Int(size))
        let room = try files.copyRoom()
        #expect(room.free > 0 && room.total >= room.free)
    }

    /// It is not said that there is nothing where nobody can look.
    @Test func aFolderThatCannotBeLookedThroughIsAnError() throws {
        #expect(try files.copies(of: profile) == [])
        try keep(1, in: try engine)
        let other = ProfileID(high: 3, low: 4)
        Disk.write("x", "\(home)/copies/\(other)")
        let fault = #expect(throws: StorageFault.self) { _ = try files.copies(of: other) }
        #expect(fault?.message.contains("look through the copies") == true)
        #expect(try files.copies(of: profile).count == 1)
    }

    /// Seven days are here, and an eighth comes.
    @Test(arguments: [false, true]) func aPowerCutAtAnyStepLeavesEveryDayWhole(unsyncedIsLost: Bool) throws {
        let source = MemoryFiles()
        let days = try (1...8).map { number in
            let note = BackupNote(time: WallTime(milliseconds: Int64(number)), pools: .daily, day: day(number))
            let name = try source.keepBackup(document(number), of: profile, as: note)
            let bytes = try source.readStoredBackup(name, of: profile, from: 0, limit: .max)
            return (day: day(number), bytes: bytes, checksum: try source.storedBackup(name, of: profile).checksum)
        }
        var steps = 0
        while true {
            let files = MemoryFiles()
            let engine = try ProfileEngine(files: files, store: MemoryRecord())
            func copy(_ index: Int) throws {
                try files.stageCopy(Array(days[index].bytes.prefix(9)), at: 0, from: laptop)
                try files.stageCopy(Array(days[index].bytes.dropFirst(9)), at: 9, from: laptop)
                try engine.keepCopy(profile, from: laptop, day: days[index].day, checksum: days[index].checksum)
            }
            for index in 0..<7 { try copy(index) }
            files.power.restart()
            files.power.cut(before: steps + 1)
            try? copy(7)
            let isDone = !files.power.isOff
            if unsyncedIsLost { files.loseUnsynced() }
            files.power.restart()
            files.sweepCopies()
            let left = try engine.copies(profile)
            #expect(left.allSatisfy { $0.backup.condition == .good }, "step \(steps)")
            #expect(left.count >= 7 && left.map(\.day).contains(days[1].day), "step \(steps)")
            #expect(left.map(\.day).contains(days[0].day) || left.map(\.day).contains(days[7].day), "step \(steps)")
            #expect(files.stagedCopies.isEmpty)
            guard !isDone else { break }
            steps += 1
        }
        // Two writes, four syncs and names, and the removal.
        #expect(steps == 7)
    }

    // MARK: Reading

    @Test func aDamagedCopyIsNamed_andTheNextOneGood() throws {
        let engine = try engine
        for number in 1...3 { try keep(number, in: engine) }
        let names = Disk.names(in: place)
        var bytes = try #require(Disk.read(place + "/" + names[2]))
        bytes[bytes.count - 1] ^= 1
        Disk.write(bytes, place + "/" + names[2])
        Disk.write("", place + "/" + names[1])
        let copies = try engine.copies(profile)
        guard case .damaged(let content) = copies[2].backup.condition,
            case .damaged(let empty) = copies[1].backup.condition
        else {
            Issue.record("\(copies)")
            return
        }
        #expect(content.contains("copy-2026-11-03-0123456789abcdef does not match its checksum"), "\(content)")
        #expect(empty.contains("copy-2026-11-02"), "\(empty)")
        guard case .unusable(let fault, let next) = engine.readBackup(profile, copies[2].name) else {
            Issue.record("it was read")
            return
        }
        #expect(fault.reason == .damaged && next == "copy-2026-11-01-0123456789abcdef")
        #expect(engine.newestGoodCopy(profile, today: nil) == "copy-2026-11-01-0123456789abcdef")
        // The day whose header is gone is fetched again, and takes its place.
        #expect(CopyPlan.lacks(day(2), of: laptop, in: try files.copies(of: profile), today: nil))
        try keep(2, in: engine)
        #expect(engine.readBackup(profile, "copy-2026-11-02-0123456789abcdef") == .document(document(2)))
        #expect(Disk.names(in: place).count == 3)
    }

    @Test func aSealedCopyStaysSealed_andIsNamedWhereItsKeyIsNot() throws {
        let engine = try engine
        let key = BackupKey(bytes: [UInt8](0..<16))
        try keep(1, key: key, in: engine)
        let name = "copy-2026-11-01-0123456789abcdef"
        guard case .unusable(let fault, nil) = engine.readBackup(profile, name) else {
            Issue.record("it was read without its key")
            return
        }
        #expect(fault.reason == .locked)
        #expect(
            fault.message
                == "backup \(name) is locked: it is encrypted with the backup key of the device it comes from; put "
                + "that key here with its recovery words and 'hearth backup-key recover'"
        )
        #expect(try engine.copies(profile).map(\.backup.condition) == [.locked(fault.message)])
        try BackupKeyFile(home: home).create(key)
        #expect(engine.readBackup(profile, name) == .document(document(1)))
        #expect(try engine.copies(profile).map(\.backup.condition) == [.good])
        // With another key here it is locked again, and that key is to be moved away first.
        unlink(BackupKeyFile(home: home).path)
        try BackupKeyFile(home: home).create(BackupKey(bytes: [UInt8](repeating: 1, count: 16)))
        guard case .unusable(let other, nil) = engine.readBackup(profile, name) else {
            Issue.record("it was read with another key")
            return
        }
        #expect(other.message.hasSuffix("after moving the backup key that is here away"), "\(other.message)")
    }

    // MARK: For others

    @Test func whatIsStoredIsHandedOutInParts() throws {
        let engine = try engine
        let name = try files.keepBackup(document(1), of: profile, as: BackupNote(time: 1, pools: .daily, day: day(1)))
        let path = "\(home)/backups/\(profile)/\(name)"
        let bytes = try #require(Disk.read(path))
        let sources = try engine.copySources(profile, known: [])
        #expect(sources.map(\.checksum) == [checksum(bytes)] && sources.map(\.fileSize) == [bytes.count])
        let parts = try (0..<bytes.count).map {
            try files.readStoredBackup(name, of: profile, from: $0, limit: 1)
        }
        #expect(parts.flatMap { $0 } == bytes)
        #expect(try files.readStoredBackup(name, of: profile, from: bytes.count, limit: 10).isEmpty)
        // A damaged one is not offered: nobody could tell it from a good one.
        var damaged = bytes
        damaged[damaged.count - 1] ^= 1
        Disk.write(damaged, path)
        #expect(try engine.copySources(profile, known: []).isEmpty)
        // What was found before is not read again while its header is what it was.
        #expect(try engine.copySources(profile, known: sources) == sources)
    }

    @Test func namesAreTakenByTheLetter() {
        let checksum = String(repeating: "0f", count: 32)
        #expect(CopyName("0000000007-20261121-\(checksum).copy")?.day == day(21))
        for name in [
            "7-20261121-\(checksum).copy", "0000000007-20261121-\(checksum.uppercased()).copy",
            "00000000007-20261121-\(checksum).copy", "0000000007-20261321-\(checksum).copy",
            "0000000007-20261121-\(checksum)0.copy", "0000000007-20261121-\(checksum).backup",
            "0000000007-+2026112-\(checksum).copy", "-0000000007-20261121-\(checksum).copy", ".copy", "",
        ] {
            #expect(CopyName(name) == nil, "\(name)")
        }
    }
}
