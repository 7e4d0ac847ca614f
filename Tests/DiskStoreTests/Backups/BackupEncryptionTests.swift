import HouseholdSimulation
import MergeCore
import TestSupport
import Testing

@testable import DiskStore
@testable import ProfileKeeping

/// Encrypted backups: format 2, the key and its words.
@Suite struct BackupEncryptionTests {
    let folder = TemporaryFolder()
    let profile = ProfileID(high: 1, low: 2)
    var home: String { folder["home"] }
    var files: DiskFiles { DiskFiles(home: home) }
    var place: String { folder["home/backups/\(profile)"] }
    var keyFile: BackupKeyFile { BackupKeyFile(home: home) }

    static let key = BackupKey(bytes: [UInt8](0..<16))
    static let words = "babad bamag bibaj bimal boban bomar bubat bumaz movom"
    /// A backup as version 2 wrote it (made with Python's struct, zlib and cryptography). Never to be changed.
    static let versionTwo = BackupFormatTests.bytes(
        """
        8948424B0D0A1A0A02000100050000007B68E5CF8B010000012935010000000013000000000000002B00000000000000
        0DF4780C64D1FC56202122232425262728292A2B2C2D2E2FD42D9C7E949ED0BBCB7AAF42AFD95AB9572E9B5C38CFCF70
        CD5462E4055A7C04B8DCC419D328BD29A0352205A5D0EF
        """
    )

    private func putKey(_ key: BackupKey = Self.key) throws {
        try HomeFolder.create(home)
        try keyFile.create(key)
    }

    private func put(_ bytes: [UInt8], _ name: String = "0000000001.backup") throws {
        if Disk.mode(place) == nil { try HomeFolder.create(place) }
        Disk.write(bytes, place + "/" + name)
    }

    // MARK: The format

    @Test func aBackupOfVersionTwoIsRead() throws {
        try putKey()
        try put(Self.versionTwo)
        let stored = try files.backups(of: profile)
        #expect(
            stored == [
                StoredBackup(
                    name: "0000000001.backup",
                    note: BackupFormatTests.note,
                    size: BackupFormatTests.content.count
                )
            ])
        #expect(try files.readBackup("0000000001.backup", of: profile, limit: 100) == BackupFormatTests.content)
    }

    @Test func whatIsWrittenWithAKeyIsVersionTwo() throws {
        try putKey()
        let name = try files.keepBackup(BackupFormatTests.content, of: profile, as: BackupFormatTests.note)
        let written = try #require(Disk.read(place + "/" + name))
        #expect(written[..<40] == Self.versionTwo[..<40] && written[48..<56] == Self.versionTwo[48..<56])
        #expect(Disk.mode(place + "/" + name) == 0o600)
        let salt = Array(Self.versionTwo[56..<72])
        let again = BackupFormat.sealedFile(BackupFormatTests.content, BackupFormatTests.note, Self.key, salt: salt)
        #expect(again[..<40] == Self.versionTwo[..<40] && again[48..<72] == Self.versionTwo[48..<72])
        // Two of one content have nothing in common that would tell.
        let second = try files.keepBackup(BackupFormatTests.content, of: profile, as: BackupFormatTests.note)
        let other = try #require(Disk.read(place + "/" + second))
        #expect(other[56...] != written[56...])
        #expect(try files.readBackup(second, of: profile, limit: 100) == BackupFormatTests.content)
    }

    @Test func everyFlippedBitAndEveryLengthIsNoticed() throws {
        try putKey()
        func expectUnreadable(_ bytes: [UInt8], _ what: String) throws {
            try put(bytes)
            let fault = #expect(throws: StorageFault.self, "\(what)") {
                try files.readBackup("0000000001.backup", of: profile, limit: 100)
            }
            #expect([.damaged, .tooNew].contains(fault?.reason), "\(what): \(fault?.message ?? "")")
            #expect(try files.backups(of: profile).count == 1)
        }
        for position in Self.versionTwo.indices {
            for bit in 0..<8 {
                var bytes = Self.versionTwo
                bytes[position] ^= 1 << bit
                try expectUnreadable(bytes, "bit \(bit) of byte \(position)")
            }
        }
        for length in Self.versionTwo.indices {
            try expectUnreadable(Array(Self.versionTwo[..<length]), "\(length) bytes")
        }
        try expectUnreadable(Self.versionTwo + [0], "a byte more")
    }

    // MARK: Locked

    @Test func withoutItsKeyABackupIsLockedAndStays() throws {
        try putKey()
        let names = try (1...3).map { number in
            try files.keepBackup(
                Array("{\"n\":\(number)}".utf8),
                of: profile,
                as: BackupNote(time: WallTime(milliseconds: Int64(number)), pools: .changes)
            )
        }
        Disk.replace(folder["words"], with: Array((Self.key.words + "\n").utf8))
        Disk.remove(keyFile.path)
        let engine = try ProfileEngine(files: files, store: MemoryRecord())
        for stored in try engine.backups(profile) {
            guard case .locked(let why) = stored.condition else {
                Issue.record("\(stored)")
                continue
            }
            #expect(why.contains(stored.name) && why.contains("recover") && stored.size == 7)
        }
        // The next one that can be read is offered, and a lock is told from damage.
        try engine.keepBackup(Array("{}".utf8), of: profile, now: 10)
        guard case .unusable(let fault, let next) = engine.readBackup(profile, names[2]) else {
            Issue.record("a locked backup was read")
            return
        }
        #expect(fault.reason == .locked && next == "0000000004.backup")
        let pin = #expect(throws: StorageFault.self) { try engine.pinBackup(profile, names[0], true) }
        #expect(pin?.reason == .locked)
        // However many come behind them, they stay; what comes is plain.
        for number in 0..<20 {
            try engine.keepBackup(
                Array("[\(number)]".utf8), of: profile, now: WallTime(milliseconds: Int64(100 + number)))
        }
        #expect(Set(names).isSubset(of: Disk.names(in: place)))
        #expect(Disk.read(place + "/0000000024.backup")?[8] == 1)
        // With the key they are what they were, and count again.
        try keyFile.create(try BackupKey(words: Disk.text(folder["words"])))
        #expect(engine.readBackup(profile, names[2]) == .document(Array("{\"n\":3}".utf8)))
        try engine.keepBackup(Array("true".utf8), of: profile, now: 200)
        #expect(Set(names).isDisjoint(with: Disk.names(in: place)))
        #expect(Disk.read(place + "/0000000025.backup")?[8] == 2)
    }

    @Test func anotherKeyUnlocksNothing() throws {
        try putKey(BackupKey(bytes: [UInt8](1..<17)))
        try put(Self.versionTwo)
        guard case .locked(let why)? = try files.backups(of: profile).first?.condition else {
            Issue.record("it is not locked")
            return
        }
        #expect(why.contains("another backup key"))
        let fault = #expect(throws: StorageFault.self) {
            try files.readBackup("0000000001.backup", of: profile, limit: 100)
        }
        #expect(fault?.reason == .locked)
    }

    @Test func plainBackupsFromBeforeStayReadable() throws {
        let old = try files.keepBackup(BackupFormatTests.content, of: profile, as: BackupFormatTests.note)
        try putKey()
        let new = try files.keepBackup(Array("2".utf8), of: profile, as: BackupNote(time: 2, pools: .changes))
        #expect(try files.backups(of: profile).map(\.condition) == [.good, .good])
        #expect(try files.readBackup(old, of: profile, limit: 100) == BackupFormatTests.content)
        #expect(try files.readBackup(new, of: profile, limit: 100) == Array("2".utf8))
        #expect(
            files.backup(new, of: profile, holds: Array("2".utf8))
                && !files.backup(new, of: profile, holds: Array("3".utf8))
        )
    }

    @Test func aPinIsSealedWithTheContent() throws {
        try putKey()
        let engine = try ProfileEngine(files: files, store: MemoryRecord())
        try engine.keepBackup(Array("1".utf8), of: profile, now: 1)
        try engine.pinBackup(profile, "0000000001.backup", true)
        for number in 2...9 {
            try engine.keepBackup(Array("\(number)".utf8), of: profile, now: WallTime(milliseconds: Int64(number)))
        }
        let first = try #require(try engine.backups(profile).first)
        #expect(first.note.isPinned && first.condition == .good)
        #expect(engine.readBackup(profile, first.name) == .document(Array("1".utf8)))
        try engine.pinBackup(profile, first.name, false)
        let after = try #require(try engine.backups(profile).first)
        #expect(after.name == first.name && !after.note.isPinned)
        #expect(engine.readBackup(profile, first.name) == .document(Array("1".utf8)))
    }

    // MARK: The key file

    @Test func aKeyFileThatCannotBeUsedMakesNoPlainBackup() throws {
        let note = BackupNote(time: 1, pools: .changes)
        func expectRefusal(_ words: String) throws {
            let fault = #expect(throws: StorageFault.self) { try files.keepBackup([1], of: profile, as: note) }
            #expect(fault?.message.contains(words) == true, "\(fault?.message ?? "")")
            #expect(try files.backups(of: profile) == [])
        }
        try putKey()
        Disk.write(Self.key.words, keyFile.path, mode: 0o644)
        try expectRefusal("chmod 600")
        Disk.write("nothing of the kind", keyFile.path, mode: 0o600)
        try expectRefusal("recover")
        Disk.write(String(repeating: Self.key.words, count: 100), keyFile.path, mode: 0o600)
        try expectRefusal("too large")
        Disk.remove(keyFile.path)
        try HomeFolder.create(keyFile.path)
        try expectRefusal("no regular file")
    }

    @Test func aKeyIsMadeOncePrivateAndWhole() throws {
        try HomeFolder.create(home)
        #expect(try keyFile.load() == nil)
        Disk.write("half", keyFile.path + ".new")
        try keyFile.create(Self.key)
        #expect(Disk.mode(keyFile.path) == 0o600 && Disk.names(in: home) == ["backup.key"])
        #expect(try keyFile.load() == Self.key)
        let fault = #expect(throws: StorageFault.self) { try keyFile.create(BackupKey()) }
        #expect(fault?.reason == .changed)
        #expect(try keyFile.load() == Self.key)
        #expect(BackupKey() != BackupKey())
    }

    // MARK: Words

    /// The examples of arXiv:0901.4016, appendix: IPv4 addresses.
    @Test(
        arguments: [
            (0x7F00, "lusab"), (0x0001, "babad"), (0x3F54, "gutih"), (0xDCC1, "tugad"), (0x3F76, "gutuk"),
        ] as [(UInt16, String)]) func proquintsAreThoseOfThePaper(_ number: UInt16, _ word: String)
    {
        #expect(Proquint.word(number) == word)
        #expect(Proquint.number(word) == number)
    }

    @Test func everyNumberHasItsWord() {
        var words: Set<String> = []
        for number in UInt16.min...UInt16.max {
            let word = Proquint.word(number)
            words.insert(word)
            #expect(Proquint.number(word) == number)
        }
        #expect(words.count == 65_536)
    }

    @Test func wordsAreReadHoweverTheyAreTyped() throws {
        #expect(Self.key.words == Self.words)
        for text in [
            Self.words, Self.words.uppercased(), "  " + Self.words.replacing(" ", with: "-") + "\n",
            Self.words.replacing(" ", with: "\n\t"),
        ] {
            #expect(try BackupKey(words: text) == Self.key)
        }
    }

    @Test func wordsThatAreWrongAreTold() throws {
        var words = Self.words.split(separator: " ").map(String.init)
        func expect(_ words: [String], _ part: String) {
            let error = #expect(throws: RecoveryWordsError.self) { try BackupKey(words: words.joined(separator: " ")) }
            #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
        }
        expect([], "0 words")
        expect(Array(words.dropLast()), "8 words")
        expect(words + ["babad"], "10 words")
        expect(words.dropLast() + ["babac"], "word 9")
        words.swapAt(2, 5)
        expect(words, "do not belong together")
        words.swapAt(2, 5)
        words[0] = "babaf"
        expect(words, "do not belong together")
    }
}
