import HouseholdSimulation
import MergeCore
import ProfileKeeping
import Synchronization

/// A save that a game makes in the middle of what Hearth writes: before one of the next steps that change the disk.
final class PlannedSave: Sendable {
    private struct Course {
        var isDone = false
        var shown: [UInt8]?
    }

    /// What the game held in memory, and what it saves.
    let read: [UInt8], written: [UInt8]
    private let course = Mutex(Course())

    init(read: [UInt8], written: [UInt8]) { (self.read, self.written) = (read, written) }

    var isDone: Bool { course.withLock { $0.isDone } }
    /// What the file held by then; the game may have read it, even if it stood there for a moment only.
    var shown: [UInt8]? { course.withLock { $0.shown } }

    /// Saves where it is the game's turn, before a step of the disk comes.
    func step(isTurn: Bool, at path: String, in files: MemoryFiles) {
        guard isTurn, !isDone else { return }
        let held = files.bytes(at: path)
        course.withLock { ($0.isDone, $0.shown) = (true, held) }
        files.saveByRename(written, at: path)
    }
}

/// Games that save while Hearth writes.
extension Stage {
    /// Lets a game that still runs save what it holds before one of the next steps that change the disk. Where none runs, it
    /// reads its file now.
    func planOverwrite(_ device: Int, before step: Int, _ change: ([UInt8]) throws -> [UInt8]) {
        guard !isOff(device), canSave(device), let held = memories[device] ?? text(device),
            let written = changed(device, held, change)
        else { return }
        let (planned, files) = (PlannedSave(read: held, written: written), devices[device].files)
        plannedSaves[device] = planned
        let number = files.power.operations.count + max(1, step)
        files.power.setHook { [unowned files] _ in
            planned.step(isTurn: files.power.operations.count >= number, at: Self.path, in: files)
        }
    }

    /// Notes a planned save that happened meanwhile, and lets the agent see it.
    func notePlannedSave(_ device: Int) {
        guard let planned = plannedSaves[device], planned.isDone else { return }
        dropPlannedSave(device)
        (memories[device], shown[device]) = (planned.written, planned.written)
        home.digestText(of: Self.path, on: devices[device])
        timeline.add(at: now, [device], .step, "the game saves in the middle of what Hearth writes")
        if let read = save(planned.read), let written = save(planned.written) {
            let held = planned.shown.flatMap { save($0) }
            round.plays.append(
                Round.Play(
                    device: device, read: read, shown: held, written: written, time: now,
                    earlier: contents[device].map(\.text)))
        }
        contents[device].append((planned.written, isSave: true))
        checkInvariants(device, planned.written)
        home.hear(.replaced, at: Self.path, on: devices[device])
    }

    /// A planned save does not happen any more.
    func dropPlannedSave(_ device: Int) {
        guard plannedSaves[device] != nil else { return }
        plannedSaves[device] = nil
        setDiskFault(device)
    }
}
