package import ProfileKeeping
import Synchronization

/// One step that changes a simulated disk, in the order of a keeper's calls.
package enum DiskOperation: Hashable, Sendable, CustomStringConvertible {
    /// A staged file is created (empty), half of it is written, the whole is written.
    case create(String), writeHalf(String), writeWhole(String)
    /// A file becomes durable: a staged one, or a save that is being taken up, and then its folder.
    case sync(String)
    case exchange(String, path: String)
    case place(String, path: String)
    case syncFolder(String)
    case remove(String)
    /// Of a swap in steps: the file at the path gets a second name, or another one, which becomes durable.
    case link(String), rename(String), syncAside(String)
    case keepBackup(String)
    /// A step within Hearth's own folder: what.
    case home(String)
    case quarantine(String)
    case commit

    package var description: String {
        switch self {
        case .create(let name): "create \(name)"
        case .writeHalf(let name): "write half of \(name)"
        case .writeWhole(let name): "write the rest of \(name)"
        case .sync(let path): "sync \(path)"
        case .exchange(let name, let path): "exchange \(name) with \(path)"
        case .place(let name, let path): "place \(name) at \(path)"
        case .syncFolder(let folder): "sync \(folder)"
        case .remove(let name): "remove \(name)"
        case .link(let path): "link \(path) aside"
        case .rename(let path): "rename \(path)"
        case .syncAside(let path): "sync the folder of \(path)"
        case .home(let step): step
        case .keepBackup(let name): "back up as \(name)"
        case .quarantine(let name): "set aside as \(name)"
        case .commit: "commit"
        }
    }
}

/// What a simulated device's memory disk and record ask before every step, so that a test can stop the device between
/// any two, make a step fail, or do something else just then.
///
/// While the power is off nothing changes any more and every call fails: what is left is what a restart finds.
package final class PowerSwitch: Sendable {
    /// Looks at a step before it is done; what it throws is what the step fails with.
    package typealias Hook = @Sendable (DiskOperation) throws(StorageFault) -> Void

    private struct State {
        var operations: [DiskOperation] = []
        var cutBefore: Int?
        var isOff = false
        var hook: Hook?
    }

    private let state = Mutex(State())

    package init() {}

    /// Every step since the last ``restart()``; the one that met the cut is the last.
    package var operations: [DiskOperation] { state.withLock { $0.operations } }

    package var isOff: Bool { state.withLock { $0.isOff } }

    /// Cuts the power before the step of that number, counted from 1 since the last ``restart()``.
    package func cut(before number: Int?) { state.withLock { $0.cutBefore = number } }

    package func setHook(_ hook: Hook?) { state.withLock { $0.hook = hook } }

    /// Off at once.
    package func cut() { state.withLock { $0.isOff = true } }

    /// On again, with no cut planned, no hook and an empty list of steps.
    package func restart() { state.withLock { $0 = State() } }

    /// Called before every step that changes something.
    func step(_ operation: DiskOperation) throws(StorageFault) {
        let (isOff, hook) = state.withLock { state in
            guard !state.isOff else { return (true, nil as Hook?) }
            state.operations.append(operation)
            if state.operations.count == state.cutBefore { state.isOff = true }
            return (state.isOff, state.hook)
        }
        if isOff { throw Self.fault }
        // Outside of the lock, since a hook may well use the disk.
        try hook?(operation)
        if self.isOff { throw Self.fault }
    }

    /// Called before every look.
    func look() throws(StorageFault) {
        if isOff { throw Self.fault }
    }

    /// What every call fails with while the power is off.
    package static let fault: StorageFault = StorageFault(.other, "the power is off")
}
