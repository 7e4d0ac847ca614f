import HouseholdSimulation
import LosslessJSON
import MergeCore
import ProfileKeeping
import Testing

/// The engine's history through a crash, and through a join of two profiles.
@Suite struct EngineHistoryTests {
    /// A step is stored with what it tells of, or neither is: stopped before any operation of the disk.
    @Test func aStepIsThereExactlyWhenItsChangeIs() throws {
        for cut in 1...40 {
            let power = PowerSwitch()
            let (files, store) = (MemoryFiles(power: power), MemoryRecord(power: power))
            files.saveByRename(TestSave.bytes(coins: 100, level: 3), at: "/a/save.json")
            var device = try TestDevice(files, store, path: "/a/save.json", number: 1)
            let id = try device.add()
            power.restart()
            power.cut(before: cut)
            files.saveByRename(TestSave.bytes(coins: 150, level: 3), at: device.path)
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
        files.saveByRename(TestSave.bytes(coins: 100, level: 3), at: "/a/save.json")
        var device = try TestDevice(files, MemoryRecord(), path: "/a/save.json", number: 1)
        let first = try device.add()
        files.saveByRename(TestSave.bytes(coins: 90, level: 2, name: "Bo"), at: "/b/save.json")
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
        let step = try #require(try device.engine.historyStep(second, 2))
        #expect(step.entry.origin == .adopt && !step.entry.changes.isEmpty)
        // Of the two names one shows, and the other one is known.
        let replaced = try #require(try device.engine.historyStep(second, nil))
        #expect(replaced.number == 3 && replaced.entry.origin == .merge && replaced.entry.changes.map(\.old) == ["Ada"])
        #expect(replaced.entry.changes.map(\.new) == ["Bo"])
        try device.settle(second)
        #expect(try device.engine.historyStep(second, nil)?.number ?? 0 >= 2)
    }
}
