import DiskStore
import HearthTesting
import LosslessJSON
import MergeCore
import ProfileKeeping
import TestSupport
import Testing

/// The engine's history through both records, and through a crash.
@Suite struct EngineHistoryTests {
    typealias Kind = RecordConformanceTests.Kind

    /// The same days on both records, with a restart after each.
    @Test(arguments: Kind.allCases) func whatHappenedIsKeptOverRestarts(_ kind: Kind) throws {
        if kind == .memory {
            try live(MemoryRecord()) { $0 }
        } else {
            let folder = TemporaryFolder()
            try live(try SQLiteRecord(home: folder.path)) { record in
                try record.close()
                return try SQLiteRecord(home: folder.path)
            }
        }
    }

    private func live<Store: ProfileKeeping.Record>(_ store: Store, _ reopen: (Store) throws -> Store) throws {
        let files = MemoryFiles()
        files.saveByRename(Save.bytes(coins: 100, level: 3), at: "/a/save.json")
        var device = try TestDevice(files, store, path: "/a/save.json", number: 1)
        let id = try device.add()
        func restart() throws {
            let now = device.now
            device = try TestDevice(files, try reopen(device.engine.store), path: "/a/save.json", number: 1)
            device.now = now
        }
        try restart()
        files.saveByRename(Save.bytes(coins: 120, level: 3), at: device.path)
        try device.settle(id)
        try restart()
        try device.engine.reset(id, PathSelector(places: [DocumentPath([.member("coins")])]), now: device.now)
        try device.settle(id)
        try restart()
        let undone = try #require(try device.engine.historyStep(id, 3))
        try device.engine.perform(.undo(undone.entry, force: false), on: id, now: device.now)
        try device.settle(id)
        try restart()
        let steps = try device.engine.history(id, limit: 9)
        #expect(steps.map(\.number) == [4, 3, 2, 1])
        #expect(steps.map(\.entry.origin) == [.undo, .reset, .save, .adopt])
        #expect(
            steps.dropLast().map { $0.entry.changes.map { "\($0.path) \($0.old!.text) \($0.new!.text)" } } == [
                ["/coins 0 120"], ["/coins 120 0"], ["/coins 100 120"],
            ])
        #expect(steps.last?.entry.changes.count == 4)
        #expect(try JSONValue(parsing: files.bytes(at: device.path)!)["coins"] == 120)
        // What changes nothing that shows is no step.
        try device.engine.rename(id, to: "other", now: device.now)
        files.saveByRename(Save.bytes(coins: 120, level: 3) + [0x20], at: device.path)
        try device.settle(id)
        #expect(try device.engine.history(id, limit: 9).count == 4)
    }

    /// A step is stored with what it tells of, or neither is: stopped before any operation of the disk.
    @Test func aStepIsThereExactlyWhenItsChangeIs() throws {
        for cut in 1...40 {
            let power = PowerSwitch()
            let (files, store) = (MemoryFiles(power: power), MemoryRecord(power: power))
            files.saveByRename(Save.bytes(coins: 100, level: 3), at: "/a/save.json")
            var device = try TestDevice(files, store, path: "/a/save.json", number: 1)
            let id = try device.add()
            power.restart()
            power.cut(before: cut)
            files.saveByRename(Save.bytes(coins: 150, level: 3), at: device.path)
            try? device.settle(id)
            let selector = PathSelector(places: [DocumentPath([.member("coins")])])
            try? device.engine.reset(id, selector, now: device.now)
            let wasCut = power.isOff
            power.restart()
            let after = try TestDevice(files, store, path: "/a/save.json", number: 1)
            let origins = try after.engine.history(id, limit: 9).map(\.entry.origin)
            let coins = after.engine.profiles[id]?.state.value(at: DocumentPath([.member("coins")]))
            switch coins {
            case 100: #expect(origins == [.adopt])
            case 150: #expect(origins == [.save, .adopt])
            case 0: #expect(origins == [.reset, .save, .adopt])
            default: Issue.record("\(String(describing: coins)) after a cut before \(cut)")
            }
            if !wasCut { return #expect(coins == 0 && cut > 3) }
        }
        Issue.record("it never ran to its end")
    }

    /// Two profiles that become one: what came over is a step.
    @Test func aJoinIsAStep() throws {
        let files = MemoryFiles()
        files.saveByRename(Save.bytes(coins: 100, level: 3), at: "/a/save.json")
        var device = try TestDevice(files, MemoryRecord(), path: "/a/save.json", number: 1)
        let first = try device.add()
        files.saveByRename(Save.bytes(coins: 90, level: 2, name: "Bo"), at: "/b/save.json")
        let ids = FreshIDs(profile: ProfileID(random: 3, 4), replica: ReplicaID(high: 1, low: 2))
        let second = try device.engine.add(
            file: "/b/save.json",
            name: "test",
            rules: TestDevice<MemoryFiles, MemoryRecord>.rules,
            ids: ids,
            now: device.now
        )
        try device.engine.unbind(second)
        try device.engine.bind(second, to: "/a/save.json", now: device.now)
        #expect(device.engine.profiles.target(of: first) == second)
        let step = try #require(try device.engine.historyStep(second, nil))
        #expect(step.number == 2 && step.entry.origin == .adopt && !step.entry.changes.isEmpty)
        try device.settle(second)
        #expect(try device.engine.historyStep(second, nil)?.number ?? 0 >= 2)
    }
}

extension JSONValue {
    fileprivate var text: String { String(decoding: jsonBytes, as: UTF8.self) }
}
