import DiskStore
import Glibc
import HouseholdSimulation
import LosslessJSON
import MergeCore
import TestSupport
import Testing

@testable import ProfileKeeping

/// Backups in a real folder.
@Suite(.timeLimit(.minutes(5))) struct BackupsOnDiskTests {
    let folder = TemporaryFolder()
    let profile = ProfileID(high: 1, low: 2)
    var files: DiskFiles { DiskFiles(home: folder["home"]) }
    var place: String { folder["home/backups/\(profile)"] }

    private var engine: ProfileEngine<DiskFiles, MemoryRecord> {
        get throws { try ProfileEngine(files: files, store: MemoryRecord()) }
    }

    private static func document(_ number: Int) -> [UInt8] { Array("{\"n\":\(number)}".utf8) }

    @Test func theFolderHoldsTheFiveNewestAndTheSessions() throws {
        let engine = try engine
        for number in 1...9 {
            try engine.keepBackup(Self.document(number), of: profile, now: WallTime(milliseconds: Int64(number)))
        }
        let stored = try engine.backups(profile)
        #expect(stored.map(\.name) == [1, 5, 6, 7, 8, 9].map { "000000000\($0).backup" })
        #expect(stored.map(\.name) == Disk.names(in: place))
        for (backup, number) in zip(stored, [1, 5, 6, 7, 8, 9]) {
            #expect(engine.readBackup(profile, backup.name) == .document(Self.document(number)))
        }
    }

    @Test func aBackupThatIsTheNewestAlreadyIsLeftAsItIs() throws {
        let engine = try engine
        try engine.keepBackup(Self.document(1), of: profile, now: 1)
        var before = stat()
        stat(place + "/0000000001.backup", &before)
        for now in (2...9).map(WallTime.init) { try engine.keepBackup(Self.document(1), of: profile, now: now) }
        var after = stat()
        stat(place + "/0000000001.backup", &after)
        #expect(Disk.names(in: place) == ["0000000001.backup"])
        #expect(after.st_ino == before.st_ino)
    }

    @Test func whatAPowerCutLeftOfAWriteIsNoBackup() throws {
        try engine.keepBackup(Self.document(1), of: profile, now: 1)
        Disk.write("half of it", place + "/.new")
        #expect(try engine.backups(profile).count == 1)
        try engine.keepBackup(Self.document(2), of: profile, now: 2)
        #expect(Disk.names(in: place) == ["0000000001.backup", "0000000002.backup"])
    }

    /// The names that a backup would take, held by what is no file.
    @Test func aFolderOrAFIFOInTheirPlaceIsNamedAndPassed() throws {
        try HomeFolder.create(place)
        mkdir(place + "/0000000003.backup", 0o700)
        mkfifo(place + "/0000000004.backup", 0o600)
        symlink("/dev/zero", place + "/0000000005.backup")
        let engine = try engine
        for number in 1...7 {
            try engine.keepBackup(Self.document(number), of: profile, now: WallTime(milliseconds: Int64(number)))
        }
        let stored = try engine.backups(profile)
        let bad = stored.filter { $0.condition != .good }
        #expect(bad.map(\.name) == [3, 4, 5].map { "000000000\($0).backup" })
        #expect(stored.filter { $0.condition == .good }.count == 6)
        guard case .unusable(let fault, let next) = engine.readBackup(profile, "0000000004.backup") else {
            Issue.record("a FIFO was read")
            return
        }
        #expect(fault.message.contains("is a FIFO"))
        #expect(next == "0000000006.backup")
    }

    @Test func whereTheFolderCannotBeMadeNothingIsLost() throws {
        try HomeFolder.create(folder["home/backups"])
        Disk.write("a file", place)
        let engine = try engine
        #expect(throws: StorageFault.self) { try engine.keepBackup(Self.document(1), of: profile, now: 1) }
        #expect(throws: StorageFault.self) { try engine.backups(profile) }
        #expect(Disk.text(place) == "a file")
    }

    /// The price of a backup beside a plain durable write of the same bytes: printed, since it is the disk's as well.
    @Test(arguments: [10_000, 1_000_000]) func theCostOfABackup(_ size: Int) throws {
        var random = SeededRandom(seed: 7)
        var text = "{"
        while text.utf8.count < size {
            let key = UInt32.random(in: 0 ... .max, using: &random)
            text += "\"item-\(key)\":{\"count\":\(Int.random(in: 0..<10_000, using: &random)),\"seen\":true},"
        }
        let bytes = Array((text + "\"end\":0}").utf8)
        let engine = try engine
        let plainFolder = folder["plain"]
        mkdir(plainFolder, 0o700)
        var plain: [Duration] = []
        var backup: [Duration] = []
        for number in 0..<15 {
            let save = bytes.dropLast(2) + Array("\(number % 10)}".utf8)
            plain.append(ContinuousClock().measure { Self.writeDurably(Array(save), plainFolder, "\(number)") })
            backup.append(
                try ContinuousClock().measure {
                    try engine.keepBackup(Array(save), of: profile, now: WallTime(milliseconds: Int64(number)))
                }
            )
        }
        let (a, b) = (plain.sorted()[7], backup.sorted()[7])
        let stored = try #require(Disk.read(place + "/0000000015.backup"))
        print(
            "backup of \(bytes.count) bytes (\(stored.count) stored): \(b), plain durable write: \(a),",
            "ratio \((b / a * 100).rounded() / 100), beyond: \(b - a)"
        )
        #expect(try engine.backups(profile).count == 6)
        #expect(stored.count < bytes.count / 2)
    }

    /// Write, fsync, rename, fsync of the folder.
    private static func writeDurably(_ bytes: [UInt8], _ folder: String, _ name: String) {
        let file = open(folder + "/.new", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        precondition(write(file, bytes, bytes.count) == bytes.count)
        fsync(file)
        close(file)
        rename(folder + "/.new", folder + "/" + name)
        let place = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        fsync(place)
        close(place)
    }

    @Test func theDayOfThisMachineIsACalendarDay() throws {
        // Whatever its zone is: a day later is another day, and a millisecond before 1970 is no trap.
        let noon = try #require(LocalDay(at: 1_700_000_000_000))
        #expect((14...15).contains(noon.day) && noon.month == 11 && noon.year == 2023)
        #expect(try #require(LocalDay(at: 1_700_000_000_000 + .seconds(2 * 86_400))) > noon)
        #expect(LocalDay(at: -1)?.year == 1969 || LocalDay(at: -1)?.year == 1970)
        #expect(LocalDay(at: .max) == nil)
        #expect(LocalDay(at: .min) == nil)
    }

    @Test(.enabled(if: MountNamespace.isAllowed, "mounts need root and a mount namespace"))
    func aFullBackupDiskIsSaidAndCostsNoOlderBackup() {
        let path = folder.path
        let profile = profile
        MountNamespace.run {
            guard MountNamespace.mount("tmpfs", path, "tmpfs", 0, "size=256k,mode=700") else {
                Issue.record("no tmpfs")
                return
            }
            do { try Self.fill(path, profile) } catch { Issue.record(error) }
        }
    }

    private static func fill(_ folder: String, _ profile: ProfileID) throws {
        let engine = try ProfileEngine(files: DiskFiles(home: folder + "/home"), store: MemoryRecord())
        for number in 1...7 {
            try engine.keepBackup(document(number), of: profile, now: WallTime(milliseconds: Int64(number)))
        }
        let before = try engine.backups(profile)
        let filler = open(folder + "/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        let block = [UInt8](repeating: 0, count: 4_096)
        while write(filler, block, block.count) == block.count {}
        close(filler)
        let fault = #expect(throws: StorageFault.self) { try engine.keepBackup(document(8), of: profile, now: 8) }
        #expect(fault?.reason == .noSpace)
        #expect(fault?.message.contains("the disk is full; free some space") == true)
        #expect(throws: StorageFault.self) { try engine.pinBackup(profile, before[0].name, true) }
        #expect(try engine.backups(profile) == before)
        // The space comes back at once, also where a program that another test starts has the file open for a moment.
        truncate(folder + "/filler", 0)
        unlink(folder + "/filler")
        try engine.keepBackup(document(8), of: profile, now: 8)
        #expect(try engine.backups(profile).count == before.count)
    }
}
