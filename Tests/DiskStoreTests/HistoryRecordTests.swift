import DiskStore
import HouseholdSimulation
import LosslessJSON
import MergeCore
import ProfileKeeping
import TestSupport
import Testing

/// The engine's history through both records.
@Suite struct HistoryRecordTests {
    typealias Kind = RecordConformanceTests.Kind

    /// The same days on both records, with a restart after each.
    @Test(arguments: Kind.allCases) func whatHappenedIsKeptOverRestarts(_ kind: Kind) throws {
        if kind == .memory {
            try live(MemoryRecord()) { $0 }
        } else {
            let folder = TemporaryFolder()
            try live(try SQLiteRecord(home: folder.path)) { record in
                record.close()
                return try SQLiteRecord(home: folder.path)
            }
        }
    }

    private func live<Store: ProfileKeeping.Record>(_ store: Store, _ reopen: (Store) throws -> Store) throws {
        let files = MemoryFiles()
        files.saveByRename(TestSave.bytes(coins: 100, level: 3), at: "/a/save.json")
        var device = try TestDevice(files, store, path: "/a/save.json", number: 1)
        let id = try device.add()
        func restart() throws {
            let now = device.now
            device = try TestDevice(files, try reopen(device.engine.store), path: "/a/save.json", number: 1)
            device.now = now
        }
        try restart()
        files.saveByRename(TestSave.bytes(coins: 120, level: 3), at: device.path)
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
        files.saveByRename(TestSave.bytes(coins: 120, level: 3) + [0x20], at: device.path)
        try device.settle(id)
        #expect(try device.engine.history(id, limit: 9).count == 4)
    }
}

extension JSONValue {
    fileprivate var text: String { String(decoding: jsonBytes, as: UTF8.self) }
}
