import HouseholdSimulation
import TestSupport
import Testing

/// What the disk in memory keeps and what it may lose: the rules that every crash test stands on.
@Suite struct MemoryDiskTests {
    private static let (old, new) = (Array("old!".utf8), Array("newer".utf8))
    private var random = SeededRandom(seed: 1)

    /// A disk with one durable file.
    private func disk() throws -> (MemoryDisk, Int) {
        var disk = MemoryDisk()
        let inode = try make("/a/file", on: &disk)
        disk.write(.put(Self.old, at: 0), to: inode)
        disk.sync(inode)
        disk.sync(folder: "/a")
        return (disk, inode)
    }

    private func make(_ path: String, on disk: inout MemoryDisk) throws -> Int {
        let inode = disk.create(path)
        return try #require(inode)
    }

    private mutating func cuts(_ disk: MemoryDisk) -> [MemoryDisk] {
        PowerCut(of: disk, using: &random).disks(limit: 10_000, using: &random)
    }

    @Test mutating func whatIsSyncedStays() throws {
        let (disk, _) = try disk()
        let left = cuts(disk)
        #expect(left.allSatisfy { $0["/a/file"]?.bytes == Self.old && $0.names.count == 1 })
        #expect(!left.isEmpty)
    }

    @Test mutating func aWriteMayBeTornAnywhere() throws {
        var (disk, inode) = try disk()
        disk.write(.put(Self.new, at: 0), to: inode)
        let left = Set(cuts(disk).map { $0["/a/file"]!.bytes })
        #expect(left.isSuperset(of: [Self.old, Self.new, Array("new!".utf8), Array("newe".utf8), [0, 0, 0, 0, 0]]))
        #expect(left.contains(Array("new".utf8) + [0, 0]))
        disk.sync(inode)
        #expect(Set(cuts(disk).map { $0["/a/file"]!.bytes }) == [Self.new])
    }

    @Test mutating func writesPersistInTheirOrder() throws {
        var (disk, inode) = try disk()
        disk.write(.cut(0), to: inode)
        disk.write(.put([1], at: 0), to: inode)
        disk.write(.put([2], at: 1), to: inode)
        let left = Set(cuts(disk).map { $0["/a/file"]!.bytes })
        #expect(left == [Self.old, [], [1], [1, 2], [1, 0], [0, 0]])
    }

    @Test mutating func blocksOfALargeWritePersistEachForItself() throws {
        var (disk, inode) = try disk()
        let (a, b) = ([UInt8](repeating: 1, count: 512), [UInt8](repeating: 2, count: 512))
        disk.write(.put(a + b, at: 0), to: inode)
        disk.sync(inode)
        disk.write(.put([UInt8](repeating: 3, count: 1_024), at: 0), to: inode)
        let left = Set(cuts(disk).map { $0["/a/file"]!.bytes })
        let c = [UInt8](repeating: 3, count: 512)
        #expect(left.isSuperset(of: [c + c, a + c, c + b, a + b]))
        #expect(!left.contains(b + a))
    }

    @Test mutating func aNameIsDurableWithItsFolder_andItsContentWithTheFile() throws {
        var (disk, _) = try disk()
        let inode = try make("/a/second", on: &disk)
        disk.write(.put(Self.new, at: 0), to: inode)
        disk.sync(inode)
        #expect(Set(cuts(disk).map { $0["/a/second"]?.bytes }) == [nil, Self.new])
        disk.sync(folder: "/b")
        #expect(cuts(disk).contains { $0["/a/second"] == nil })
        disk.sync(folder: "/a")
        #expect(Set(cuts(disk).map { $0["/a/second"]?.bytes }) == [Self.new])
    }

    @Test mutating func aSyncOfTheFolderSaysNothingOfContents() throws {
        var (disk, _) = try disk()
        let inode = try make("/a/second", on: &disk)
        disk.write(.put(Self.new, at: 0), to: inode)
        disk.rename("/a/second", to: "/a/file")
        disk.sync(folder: "/a")
        // The classic: renamed over the old file before the new one was written.
        let left = Set(cuts(disk).map { $0["/a/file"]!.bytes })
        #expect(left.contains([]) && left.contains([0, 0, 0, 0, 0]) && left.contains(Self.new))
        #expect(!left.contains(Self.old))
    }

    @Test mutating func namesPersistInAnySubset_eachChangeWhole() throws {
        var (disk, inode) = try disk()
        let other = try make("/a/other", on: &disk)
        disk.sync(other)
        disk.exchange("/a/file", "/a/other")
        disk.unlink("/a/other")
        let left = Set(cuts(disk).map(\.names))
        #expect(left.contains(["/a/file": inode]))
        #expect(left.contains(["/a/file": inode, "/a/other": other]))
        #expect(left.contains(["/a/file": other, "/a/other": inode]))
        #expect(left.contains(["/a/file": other]))
        #expect(left.allSatisfy { $0["/a/file"] != nil }, "an exchange is whole or not at all")
    }

    @Test mutating func aFailedSyncLeavesEverythingOpen_alsoAfterOneThatWorks() throws {
        var (disk, inode) = try disk()
        disk.write(.put(Self.new, at: 0), to: inode)
        disk.failToSync(inode)
        disk.sync(inode)
        #expect(Set(cuts(disk).map { $0["/a/file"]!.bytes }).isSuperset(of: [Self.old, Self.new]))
    }

    @Test func aKillLosesNothing() throws {
        var (disk, inode) = try disk()
        disk.write(.put(Self.new, at: 0), to: inode)
        disk.rename("/a/file", to: "/a/moved")
        #expect(disk.afterKill["/a/moved"]?.bytes == Self.new)
        #expect(disk.afterKill.nameChanges.isEmpty)
    }

    @Test mutating func aSampleHoldsTheCorners_andIsTheSameForTheSameSeed() throws {
        var (disk, inode) = try disk()
        disk.write(.put([UInt8](repeating: 7, count: 300), at: 0), to: inode)
        var (first, second) = (SeededRandom(seed: 3), SeededRandom(seed: 3))
        let left = PowerCut(of: disk, using: &first).disks(limit: 20, using: &first)
        let again = PowerCut(of: disk, using: &second).disks(limit: 20, using: &second)
        #expect(left.count == 20)
        #expect(left.map { $0["/a/file"] } == again.map { $0["/a/file"] })
        let contents = left.map { $0["/a/file"]!.bytes }
        #expect(contents.contains(Self.old) && contents.contains(disk["/a/file"]!.bytes))
        #expect(contents.contains([UInt8](repeating: 0, count: 300)))
    }

    @Test func fingerprintsTellDisksApart() throws {
        let (disk, inode) = try disk()
        var other = disk
        #expect(other.fingerprint() == disk.fingerprint())
        other.write(.put([9], at: 0), to: inode)
        #expect(other.fingerprint() != disk.fingerprint())
        other = disk
        other.rename("/a/file", to: "/a/moved")
        #expect(other.fingerprint() != disk.fingerprint())
    }
}
