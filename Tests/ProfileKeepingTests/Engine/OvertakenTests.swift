import HouseholdSimulation
import MergeCore
import Testing

@testable import ProfileKeeping

/// A game that runs on saves right after the swap that put a merge into its file.
@Suite struct OvertakenTests {
    private typealias Device = TestDevice<MemoryFiles, MemoryRecord>

    private let path = "/a/save.json"

    /// A device with 100 coins, and one of the same profile that has earned 7.
    private func devices() throws -> (device: Device, other: Device, id: ProfileID) {
        let (files, others) = (MemoryFiles(), MemoryFiles())
        files.saveByRename(TestSave.bytes(coins: 100, level: 1), at: path)
        var device = try Device(files, MemoryRecord(power: files.power), path: path, number: 1)
        let id = try device.add()
        var other = try Device(others, MemoryRecord(power: others.power), path: "/b/save.json", number: 2)
        try other.join(id, from: device)
        try other.engine.bind(id, to: other.path, now: other.now)
        try other.settle(id)
        others.saveByRename(TestSave.bytes(coins: 107, level: 1), at: other.path)
        try other.settle(id)
        try device.settle(id)
        return (device, other, id)
    }

    /// Takes in what the other device earned, and lets the game, which has 100 in memory, save 105 right after the swap.
    private func overtake(_ device: inout Device, _ other: Device, _ id: ProfileID) throws {
        let files = device.engine.files
        files.power.setHook { [path] operation throws(StorageFault) in
            guard case .syncFolder = operation, files.bytes(at: path) == TestSave.bytes(coins: 107, level: 1) else {
                return
            }
            files.saveByRename(TestSave.bytes(coins: 105, level: 1), at: path)
        }
        #expect(try device.joinAndWrite(id, from: other) == .written)
        files.power.setHook(nil)
        #expect(files.bytes(at: path) == TestSave.bytes(coins: 105, level: 1))
    }

    /// It cannot have read what was there for no moment, so what came in is not taken for spent, and nothing is a guess.
    @Test(arguments: [0, 60_000]) func whatStoodThereForNoMomentWasNotRead(wait: Int64) throws {
        var (device, other, id) = try devices()
        try overtake(&device, other, id)
        device.now += wait
        try device.settle(id)
        #expect(device.engine.files.bytes(at: path) == TestSave.bytes(coins: 112, level: 1))
        #expect(device.engine.profiles[id]?.notices.isEmpty == true)
    }

    /// Where a program opened something in that moment, it may have read it: nothing is ruled out on a doubt.
    @Test func anOpenInThatMomentLeavesADoubt() throws {
        var (device, other, id) = try devices()
        try overtake(&device, other, id)
        device.engine.note(.seen, of: id, isSwap: true)
        #expect(device.engine.profiles[id]?.baseHistory.candidates(.none).isEmpty == true)
        // What is opened later is the save that took its place.
        (device, other, id) = try devices()
        try overtake(&device, other, id)
        device.engine.note(.none, of: id, isSwap: true)
        device.engine.note(.seen, of: id)
        #expect(device.engine.profiles[id]?.baseHistory.candidates(.none) == [1])
    }
}
