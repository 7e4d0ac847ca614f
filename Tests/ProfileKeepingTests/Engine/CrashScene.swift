import HouseholdSimulation
import LosslessJSON
import MergeCore
import ProfileKeeping
import Synchronization
import Testing

/// One household, one crash: an edit of another device is being written into the first one's file when the power goes.
final class CrashScene {
    typealias Device = TestDevice<MemoryFiles, MemoryRecord>

    enum GameSave: String, CaseIterable, Sendable {
        case none
        /// By rename: right before the swap, right after it, both, or while the agent is down.
        case beforeSwap, afterSwap, beforeAndAfterSwap, afterCrash
        /// Into the displaced file, which the game still holds open.
        case late
    }

    enum Loss: String, CaseIterable, Sendable {
        /// The process is killed; the system writes everything later.
        case killed
        /// A power cut: names that were not synced are lost.
        case unsynced
    }

    private let files = MemoryFiles()
    private let record: MemoryRecord
    private let path = "/saves/save.json"
    private let save: GameSave
    private let loss: Loss
    private let saves = SaveCount()
    private(set) var wasStopped = false
    private(set) var wasStoppedAgain = false
    private var steps: [DiskOperation] = []

    init(_ save: GameSave, _ loss: Loss) {
        record = MemoryRecord(power: files.power)
        (self.save, self.loss) = (save, loss)
    }

    /// Stops before step `cut`, and before step `again` of what follows the restart; then lets everything run.
    func run(cut: Int, again: Int, absent: Bool) throws {
        var (device, other, id) = try devices(absent: absent)
        let power = files.power
        power.restart()
        let handle = arrange()
        power.cut(before: cut)
        _ = device.project(id)
        for _ in 0..<2 {
            device.now += 10_000
            try? device.engine.clearDisplaced(id, now: device.now)
        }
        steps = power.operations
        wasStopped = power.isOff
        if let handle { files.release(handle) }
        crash(wasStopped)
        if save == .afterCrash {
            files.saveByRename(TestSave.bytes(coins: 110, level: 1), at: path)
            saves.add()
        }

        power.cut(before: again)
        let now = device.now + 10_000
        _ = try? reopen(id, now: now)
        steps += power.operations
        wasStoppedAgain = power.isOff
        crash(wasStoppedAgain)

        device = try reopen(id, now: now + 100_000)
        try check(&device, &other, id, "cut before step \(cut), again before \(again), \(save), \(loss): \(steps)")
    }

    /// Lets steps fail from `first` on, `count` of them, in a process that goes on (a full disk, a disk error);
    /// afterwards all is well again. `wasStopped` says whether a step failed.
    func run(failingAt first: Int, count: Int) throws {
        var (device, other, id) = try devices(absent: false)
        let power = files.power
        power.restart()
        let step = SaveCount()
        let handle = arrange { operation throws(StorageFault) in
            step.add()
            if step.value >= first, step.value < first + count {
                throw StorageFault(.noSpace, "the disk is full")
            }
        }
        for _ in 0..<3 {
            _ = device.project(id)
            device.now += 10_000
            try? device.engine.clearDisplaced(id, now: device.now)
            _ = try? device.engine.ingest(id, now: device.now)
        }
        steps = power.operations
        wasStopped = step.value >= first
        if let handle { files.release(handle) }
        power.restart()
        try device.settle(id)
        try check(&device, &other, id, "\(count) steps from \(first) on failed, \(save): \(steps)")
        device = try reopen(id, now: device.now + 100_000)
        try check(&device, &other, id, "restarted after \(count) steps from \(first) on failed, \(save): \(steps)")
    }

    private func reopen(_ id: ProfileID, now: Moment) throws -> Device {
        var device = try Device(files, record, path: path, number: 1)
        device.now = now
        _ = device.engine.recover(id, now: now)
        try device.settle(id)
        return device
    }

    private func crash(_ isCrash: Bool) {
        files.power.restart()
        if isCrash, loss == .unsynced { files.loseUnsynced() }
    }

    /// Two devices that share a profile, and an edit of the second (40 coins, level 5) that the first has joined.
    private func devices(absent: Bool) throws -> (Device, Device, ProfileID) {
        var other = try Device(MemoryFiles(), MemoryRecord(), path: "/b/save.json", number: 2)
        var device = try Device(files, record, path: path, number: 1)
        let first = TestSave.bytes(coins: 100, level: 1)
        let id: ProfileID
        if absent {
            other.engine.files.saveByRename(first, at: other.path)
            id = try other.add()
            try device.join(id, from: other)
            try device.engine.bind(id, to: path, now: device.now)
        } else {
            files.saveByRename(first, at: path)
            id = try device.add()
            try other.restore(id, from: device)
        }
        other.engine.files.saveByRename(TestSave.bytes(coins: 140, level: 5), at: other.path)
        other.now += 1_000
        try other.settle(id)
        try device.join(id, from: other)
        return (device, other, id)
    }

    /// Makes the game save at its moment, once.
    private func arrange(_ fail: @escaping PowerSwitch.Hook = { _ throws(StorageFault) in }) -> Int? {
        let handle = save == .late ? files.holdOpen(path) : nil
        files.power.setHook { [files, path, save, saves] operation throws(StorageFault) in
            try fail(operation)
            switch (operation, save, saves.value) {
            case (.exchange, .beforeSwap, 0), (.exchange, .beforeAndAfterSwap, 0), (.syncFolder, .afterSwap, 0):
                files.saveByRename(TestSave.bytes(coins: 110, level: 1), at: path)
            case (.syncFolder, .beforeAndAfterSwap, 1):
                files.saveByRename(TestSave.bytes(coins: 120, level: 1), at: path)
            case (.syncFolder, .late, 0):
                guard let handle else { return }
                files.write(TestSave.bytes(coins: 110, level: 1), into: handle)
            default: return
            }
            saves.add()
        }
        return handle
    }

    private func check(_ device: inout Device, _ other: inout Device, _ id: ProfileID, _ place: String) throws {
        let expected = TestSave.bytes(coins: 140 + 10 * saves.value, level: 5)
        let found = files.bytes(at: path)
        #expect(try sameValues(found, expected), "\(String(decoding: found ?? [], as: UTF8.self)) \(place)")
        #expect(files.paths == [path], "\(files.paths) \(place)")
        #expect(try record.notes(prefix: "displaced/").isEmpty, "\(place)")
        #expect(try record.load(id)?.intent == nil, "\(place)")
        #expect(device.engine.profiles[id]?.trouble == nil, "\(place)")
        try other.join(id, from: device)
        try other.settle(id)
        #expect(try sameValues(other.engine.files.bytes(at: other.path), expected), "at the other device, \(place)")
    }
}

/// A file that was made anew has another layout than one that was patched.
private func sameValues(_ found: [UInt8]?, _ expected: [UInt8]) throws -> Bool {
    guard let found else { return false }
    return try JSONValue(parsing: found).canonicalBytes == JSONValue(parsing: expected).canonicalBytes
}

/// How often the game saved.
private final class SaveCount: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func add() { count.withLock { $0 += 1 } }
}
