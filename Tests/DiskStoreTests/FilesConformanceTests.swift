import DiskStore
import HouseholdSimulation
import MergeCore
import ProfileKeeping
import TestSupport
import Testing

/// What every kind of ``ProfileFiles`` must do, memory and disk alike.
@Suite struct FilesConformanceTests {
    enum Kind: String, CaseIterable, Sendable {
        case memory, disk, diskWithoutExchange
    }

    /// A kind of files with a way for a game to save.
    final class World {
        let files: any ProfileFiles
        let path: String
        private let folder: TemporaryFolder?

        init(_ kind: Kind) {
            if kind == .memory {
                files = MemoryFiles()
                path = "/saves/save.json"
                folder = nil
            } else {
                let folder = TemporaryFolder()
                try? HomeFolder.create(folder["home"])
                files = DiskFiles(home: folder["home"], lacksExchange: kind == .diskWithoutExchange)
                path = folder["save.json"]
                self.folder = folder
            }
        }

        func save(_ text: String) {
            if let memory = files as? MemoryFiles {
                memory.saveByRename(Array(text.utf8), at: path)
            } else {
                Disk.replace(path, with: Array(text.utf8))
            }
        }

        func text() throws(StorageFault) -> String? {
            try files.read(path, limit: 1_000_000).map { String(decoding: $0.bytes, as: UTF8.self) }
        }

        func staged(_ name: String) throws(StorageFault) -> String? {
            try files.readStaged(name, beside: path, limit: 1_000_000).map { String(decoding: $0.bytes, as: UTF8.self) }
        }
    }

    static let profile = ProfileID(high: 1, low: 2)

    /// A draft is not seen before it is moved, and is then what a staged file is.
    @Test(arguments: Kind.allCases) func aDraftIsStagedByMovingIt(_ kind: Kind) throws {
        let world = World(kind)
        #expect(world.files.draft(Array("new".utf8), for: world.path) == nil)
        world.save("old")
        do {
            let draft = try #require(world.files.draft(Array("newer".utf8), for: world.path))
            #expect(world.files.stagedNames(beside: world.path, prefix: ".") == [])
            withExtendedLifetime(draft) {}
        }
        let draft = try #require(world.files.draft(Array("new".utf8), for: world.path))
        #expect(draft.move(to: ".hearth-1", beside: world.path))
        #expect(try world.staged(".hearth-1") == "new")
        #expect(try world.text() == "old")
        // Nothing is left to move, and what has the name already stays.
        #expect(!draft.move(to: ".hearth-2", beside: world.path))
        let other = try #require(world.files.draft(Array("other".utf8), for: world.path))
        #expect(!other.move(to: ".hearth-1", beside: world.path))
        #expect(try world.staged(".hearth-1") == "new")
        try world.files.exchange(".hearth-1", with: world.path)
        #expect(try world.text() == "new" && world.staged(".hearth-1") == "old")
    }

    @Test(arguments: Kind.allCases) func absentIsNil(_ kind: Kind) throws {
        let world = World(kind)
        #expect(try world.text() == nil)
        #expect(try world.staged(".hearth-1") == nil)
        #expect(world.files.stagedNames(beside: world.path, prefix: ".hearth-") == [])
        try world.files.removeStaged(".hearth-1", beside: world.path)
        #expect(!world.files.isHeldOpen(".hearth-1", beside: world.path))
    }

    @Test(arguments: Kind.allCases) func exchangeLeavesTheOldBytesUnderTheName(_ kind: Kind) throws {
        let world = World(kind)
        world.save("old")
        try world.files.stage(Array("new".utf8), as: ".hearth-1", beside: world.path)
        #expect(try world.staged(".hearth-1") == "new")
        #expect(try world.text() == "old")
        try world.files.exchange(".hearth-1", with: world.path)
        try world.files.syncFolder(of: world.path)
        try world.files.syncFolders(of: [world.path, world.path])
        #expect(try world.text() == "new")
        #expect(try world.staged(".hearth-1") == "old")
        #expect(world.files.stagedNames(beside: world.path, prefix: ".hearth-") == [".hearth-1"])
        try world.files.removeStaged(".hearth-1", beside: world.path)
        #expect(world.files.stagedNames(beside: world.path, prefix: ".hearth-") == [])
    }

    /// What was put at the path is known by its identity, where nobody has touched it since.
    @Test(arguments: Kind.allCases) func theNewFileIsKnown(_ kind: Kind) throws {
        let world = World(kind)
        world.save("old")
        try world.files.stage(Array("new".utf8), as: ".hearth-1", beside: world.path)
        let known = try world.files.exchange(".hearth-1", with: world.path)
        #expect(known == (kind == .diskWithoutExchange ? nil : try world.files.identity(of: world.path)))
        world.save("newer")
        #expect(try world.files.identity(of: world.path) != known)
    }

    @Test(arguments: Kind.allCases) func exchangeWithNothingIsAChange(_ kind: Kind) throws {
        let world = World(kind)
        try world.files.stage([1], as: ".hearth-1", beside: world.path)
        let fault = #expect(throws: StorageFault.self) { try world.files.exchange(".hearth-1", with: world.path) }
        #expect(fault?.reason == .changed)
        #expect(try world.text() == nil)
    }

    @Test(arguments: Kind.allCases) func placeNeverReplaces(_ kind: Kind) throws {
        let world = World(kind)
        try world.files.stage(Array("new".utf8), as: ".hearth-1", beside: world.path)
        try world.files.place(".hearth-1", at: world.path)
        #expect(try world.text() == "new")
        #expect(try world.staged(".hearth-1") == nil)
        try world.files.stage(Array("newer".utf8), as: ".hearth-2", beside: world.path)
        let fault = #expect(throws: StorageFault.self) { try world.files.place(".hearth-2", at: world.path) }
        #expect(fault?.reason == .changed)
        #expect(try world.text() == "new")
        #expect(try world.staged(".hearth-2") == "newer")
    }

    @Test(arguments: Kind.allCases) func stagingTwiceUnderOneNameFails(_ kind: Kind) throws {
        let world = World(kind)
        try world.files.stage([1], as: ".hearth-1", beside: world.path)
        #expect(throws: StorageFault.self) { try world.files.stage([2], as: ".hearth-1", beside: world.path) }
        #expect(try world.staged(".hearth-1") == "\u{1}")
    }

    @Test(arguments: Kind.allCases) func whatIsNotThereNeedsNoSync(_ kind: Kind) throws {
        let world = World(kind)
        try world.files.sync(world.path)
        try world.files.syncStaged(".hearth-1", beside: world.path)
        world.save("whole")
        try world.files.stage([1], as: ".hearth-1", beside: world.path)
        try world.files.sync(world.path)
        try world.files.syncStaged(".hearth-1", beside: world.path)
        #expect(try world.text() == "whole")
        #expect(throws: StorageFault.self) { try world.files.syncStaged("../x", beside: world.path) }
    }

    @Test(arguments: Kind.allCases) func theLimitHolds(_ kind: Kind) throws {
        let world = World(kind)
        world.save("12345")
        #expect(try world.files.read(world.path, limit: 5)?.bytes.count == 5)
        let fault = #expect(throws: StorageFault.self) { try world.files.read(world.path, limit: 4) }
        #expect(fault?.reason == .tooLarge)
    }

    @Test(arguments: Kind.allCases, ["", ".", "..", "a/b", "../x", "a\0b", String(repeating: "x", count: 256)])
    func namesThatLeadElsewhereAreRefused(_ kind: Kind, _ name: String) throws {
        let world = World(kind)
        let (files, path) = (world.files, world.path)
        #expect(throws: StorageFault.self) { try files.stage([1], as: name, beside: path) }
        #expect(throws: StorageFault.self) { try files.readStaged(name, beside: path, limit: 9) }
        #expect(throws: StorageFault.self) { try files.removeStaged(name, beside: path) }
        #expect(throws: StorageFault.self) { try files.exchange(name, with: path) }
        #expect(throws: StorageFault.self) { try files.place(name, at: path) }
        #expect(throws: StorageFault.self) { try files.readBackup(name, of: Self.profile, limit: 9) }
        let note = BackupNote(time: 0, pools: .changes)
        #expect(throws: StorageFault.self) { try files.noteBackup(name, of: Self.profile, as: note) }
        #expect(!files.backup(name, of: Self.profile, holds: []))
        files.removeBackups([name], of: Self.profile)
        #expect(throws: StorageFault.self) { try files.quarantine([1], of: Self.profile, named: name) }
        #expect(!files.isHeldOpen(name, beside: path))
    }

    @Test(arguments: Kind.allCases) func backupsStandInTheOrderInWhichTheyWereMade(_ kind: Kind) throws {
        let files = World(kind).files
        #expect(try files.backups(of: Self.profile) == [])
        let day = try #require(LocalDay(year: 2026, month: 11, day: 21))
        let notes = [
            BackupNote(time: 7, pools: .changes), BackupNote(time: -5, pools: [.changes, .sessions]),
            BackupNote(time: .max, pools: .daily, day: day), BackupNote(time: .min, pools: [], isPinned: true),
        ]
        var names: [String] = []
        for (index, note) in notes.enumerated() {
            names.append(try files.keepBackup([UInt8(index)], of: Self.profile, as: note))
        }
        var stored = try files.backups(of: Self.profile)
        #expect(stored.map(\.name) == names)
        #expect(stored.map(\.note) == notes)
        #expect(stored.map(\.size) == [1, 1, 1, 1])
        #expect(stored.allSatisfy { $0.condition == .good })
        let changed = BackupNote(time: 8, pools: .all, day: day, isPinned: true)
        try files.noteBackup(names[0], of: Self.profile, as: changed)
        stored[0].note = changed
        #expect(try files.backups(of: Self.profile) == stored)
        #expect(try names.map { try files.readBackup($0, of: Self.profile, limit: 1) } == [[0], [1], [2], [3]])
        let fault = #expect(throws: StorageFault.self) { try files.readBackup(names[0], of: Self.profile, limit: 0) }
        #expect(fault?.reason == .tooLarge)
        files.removeBackups([names[1], names[2]], of: Self.profile)
        #expect(try files.backups(of: Self.profile) == [stored[0], stored[3]])
        // Another profile has its own.
        #expect(try files.backups(of: ProfileID(high: 1, low: 3)) == [])
    }

    @Test(arguments: Kind.allCases) func onlyTheVeryBytesAreTheSame(_ kind: Kind) throws {
        let files = World(kind).files
        let name = try files.keepBackup([1, 2], of: Self.profile, as: BackupNote(time: 1, pools: .changes))
        #expect(files.backup(name, of: Self.profile, holds: [1, 2]))
        #expect(!files.backup(name, of: Self.profile, holds: [1, 3]))
        #expect(!files.backup(name, of: Self.profile, holds: [1]))
        #expect(!files.backup(name, of: ProfileID(high: 1, low: 3), holds: [1, 2]))
    }

    @Test(arguments: Kind.allCases) func quarantineKeepsEveryVersion(_ kind: Kind) throws {
        let world = World(kind)
        let first = try world.files.quarantine([1], of: Self.profile, named: ".hearth-1")
        let second = try world.files.quarantine([2], of: Self.profile, named: ".hearth-1")
        let again = try world.files.quarantine([1], of: Self.profile, named: ".hearth-1")
        #expect(first != second)
        #expect(first == again)
    }
}
