import HouseholdSimulation
import MergeCore
import ProfileKeeping

/// Two devices at the start of a scene, as they lie on their disks.
struct Household: Sendable {
    let disk: MemoryDisk
    let record: MemoryRecord.Copy
    let otherDisk: MemoryDisk
    let otherRecord: MemoryRecord.Copy

    static let now: Moment = 1_700_000_000_000
    static let otherPath = "/b/save.json"
    static let secondPath = "/saves/second.json"

    init(_ kind: TallySave.Kind, _ start: CrashScene.Start) throws {
        let (files, otherFiles) = (MemoryFiles(), MemoryFiles())
        let (record, otherRecord) = (MemoryRecord(power: files.power), MemoryRecord(power: otherFiles.power))
        files.setTime(Self.now.wall)
        otherFiles.setTime(Self.now.wall)
        files.saveByRename(TallySave(kind).bytes, at: Stage.path)
        if start != .alone {
            var device = try CrashDevice(files, record, number: 1, now: Self.now)
            var other = try CrashDevice(otherFiles, otherRecord, number: 2, now: Self.now + 1_000)
            let (ours, theirs) =
                start.isReversed
                ? (CrashScene.second, CrashScene.profile) : (CrashScene.profile, CrashScene.second)
            let id = try device.add(Stage.path, kind, profile: ours)
            if start.isApart {
                otherFiles.saveByRename(TallySave(kind).bytes, at: Self.otherPath)
                _ = try other.add(Self.otherPath, kind, profile: theirs)
            } else {
                try other.join(id, from: device)
                try other.engine.bind(id, to: Self.otherPath, now: other.now)
                try other.settle()
            }
            if start == .twoFiles {
                files.saveByRename(TallySave(kind).bytes, at: Self.secondPath)
                _ = try device.add(Self.secondPath, kind, profile: CrashScene.second)
                try other.join(CrashScene.second, from: device)
                try other.engine.bind(CrashScene.second, to: "/b/second.json", now: other.now)
                try other.settle()
                otherFiles.saveByRename(TallySave(kind, plays: CrashScene.remote).bytes, at: "/b/second.json")
            }
            for plays in [1 << 18, CrashScene.remote] as [UInt32] {
                otherFiles.saveByRename(TallySave(kind, plays: plays).bytes, at: Self.otherPath)
                try other.settle()
            }
            if start != .unheard { for id in other.engine.ids { try device.join(id, from: other) } }
            if start.isJoinedElsewhere {
                for id in device.engine.ids { try other.join(id, from: device) }
                try other.engine.bind(ours, to: Self.otherPath, now: other.now)
                try other.settle()
            }
        }
        (disk, self.record) = (files.disk, record.copy)
        (otherDisk, self.otherRecord) = (otherFiles.disk, otherRecord.copy)
    }

    /// The other device, once more as it was.
    func other(now: Moment) throws -> CrashDevice {
        let files = MemoryFiles(otherDisk)
        let record = MemoryRecord(power: files.power)
        record.restore(otherRecord)
        return try CrashDevice(files, record, number: 2, now: now)
    }
}
