package import ProfileKeeping
import Synchronization

/// One step that changes a simulated disk, in the order of the engine's calls.
package enum DiskOperation: Hashable, Sendable, CustomStringConvertible {
    /// The steps of staging a file: it is created empty, half of it is written, all of it is written.
    case create(String), writeHalf(String), writeWhole(String)
    /// A file is synced: a staged one, or a save that is being taken up, and after it its folder.
    case sync(String)
    case exchange(String, path: String)
    case place(String, path: String)
    case syncFolder(String)
    case remove(String)
    /// The steps of a swap in several steps: the file at the path gets a second name or another name, and this becomes
    /// durable.
    case link(String), rename(String), syncAside(String)
    case keepBackup(String)
    /// A step in Hearth's own folder; the text describes it.
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

/// The power switch of a simulated device. Its disk and record call the switch before every step. So a test can stop
/// the device between any two steps, make a step fail, or do something else at that moment.
///
/// While the power is off, nothing changes and every call fails. A restart finds what is left.
package final class PowerSwitch: Sendable {
    /// Called before each step. If it throws, the step fails with that fault.
    package typealias Hook = @Sendable (DiskOperation) throws(StorageFault) -> Void

    private struct State {
        var operations: [DiskOperation] = []
        var cutBefore: Int?
        var isOff = false
        var hook: Hook?
    }

    private let state = Mutex(State())

    package init() {}

    /// Every step since the last ``restart()``, with the one before which the power was cut as the last.
    package var operations: [DiskOperation] { state.withLock { $0.operations } }

    package var isOff: Bool { state.withLock { $0.isOff } }

    /// Cuts the power before the step with this number, counted from 1 since the last ``restart()``; `nil` cancels a
    /// planned cut.
    package func cut(before number: Int?) { state.withLock { $0.cutBefore = number } }

    package func setHook(_ hook: Hook?) { state.withLock { $0.hook = hook } }

    /// Switches the power off at once.
    package func cut() { state.withLock { $0.isOff = true } }

    /// Switches the power on again, without a planned cut or a hook and with an empty list of steps.
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
        // The hook may use the disk, so it is called outside the lock.
        try hook?(operation)
        if self.isOff { throw Self.fault }
    }

    /// Called before every read.
    func look() throws(StorageFault) {
        if isOff { throw Self.fault }
    }

    /// The fault of every call while the power is off.
    package static let fault: StorageFault = StorageFault(.other, "the power is off")
}
