import HouseholdSimulation
import MergeCore
import ProfileKeeping
import Synchronization

/// What a device held at one moment, and what its game may rely on.
struct CrashPoint: Sendable {
    var disk: MemoryDisk
    var record: MemoryRecord.Copy
    /// Plays that the game made durable itself, and did not destroy itself.
    var durable: UInt32
    /// Files that the game wrote to.
    var inodes: Set<Int>
    /// What would have come next.
    var step: String
}

/// One device with its game, of which every moment is kept: before every step of Hearth's and after every save.
final class Stage: Sendable {
    private struct State {
        var moments: [CrashPoint] = []
        var memory: TallySave
        var durable: UInt32 = 0
        var inodes: Set<Int> = []
        var lastPlay: UInt32 = 0
        var handle: Int?
    }

    static let path = "/saves/save.json"

    let files: MemoryFiles
    let record: MemoryRecord
    private let state: Mutex<State>

    init(_ disk: MemoryDisk, _ record: MemoryRecord.Copy, _ kind: TallySave.Kind, _ swapping: MemoryFiles.Swapping) {
        files = MemoryFiles(disk, swapping: swapping)
        self.record = MemoryRecord(power: files.power)
        self.record.restore(record)
        state = Mutex(State(memory: TallySave(kind)))
    }

    var moments: [CrashPoint] { state.withLock { $0.moments } }

    /// Lets the game do something at a step of Hearth's. Every moment is kept.
    func watch(
        _ game: @escaping @Sendable (DiskOperation, Stage) throws(StorageFault) -> Void = { _, _ throws(StorageFault) in
        }
    ) {
        // The hook goes with the run; the stage outlives it.
        files.power.setHook { [unowned self] operation throws(StorageFault) in
            keep("\(operation)")
            try game(operation, self)
        }
    }

    func keep(_ step: String) {
        let (disk, copy) = (files.disk, record.copy)
        state.withLock { state in
            state.moments.append(
                CrashPoint(disk: disk, record: copy, durable: state.durable, inodes: state.inodes, step: step))
        }
    }

    // MARK: The game

    enum Way: CaseIterable, Sendable { case rename, truncate, overwrite }

    /// The game reads its save, as at its start.
    func load() {
        guard let bytes = files.bytes(at: Self.path) else { return }
        state.withLock { state in
            if let save = TallySave(bytes, state.memory.kind) { state.memory = save }
        }
    }

    /// The game goes on playing, and saves.
    func save(_ way: Way, _ sync: MemoryFiles.GameSync) {
        let save = play()
        switch way {
        case .rename: files.saveByRename(save.bytes, at: Self.path, syncing: sync)
        case .truncate: files.saveInPlace(save.bytes, at: Self.path, truncating: true, syncing: sync)
        case .overwrite: files.saveInPlace(save.bytes, at: Self.path, truncating: false, syncing: sync)
        }
        note(
            save, isDurable: sync == .all || sync == .content && way != .rename,
            // A content without a name leaves what the name stood for.
            destroys: sync == .nothing, inode: files.disk.names[Self.path])
    }

    /// The game keeps its save open from now on.
    func hold() {
        let handle = files.holdOpen(Self.path)
        state.withLock { $0.handle = handle }
    }

    func release() {
        guard let handle = state.withLock({ $0.handle }) else { return }
        files.release(handle)
    }

    /// The game saves into the file it holds open, wherever that is.
    func saveHeld(_ sync: MemoryFiles.GameSync) {
        guard let handle = state.withLock({ $0.handle }) else { return }
        let save = play()
        files.write(save.bytes, into: handle, syncing: sync)
        note(save, isDurable: sync != .nothing, destroys: sync == .nothing, inode: handle)
    }

    /// Something writes that is no save.
    func spoil(_ bytes: [UInt8], _ way: Way) {
        switch way {
        case .rename: files.saveByRename(bytes, at: Self.path)
        case .truncate, .overwrite: files.saveInPlace(bytes, at: Self.path)
        }
        let inode = files.disk.names[Self.path]
        state.withLock { state in
            state.durable = 0
            if let inode { state.inodes.insert(inode) }
        }
        keep("the game goes on")
    }

    private func play() -> TallySave {
        state.withLock { state in
            state.memory.plays |= 1 << state.lastPlay
            state.lastPlay += 1
            return state.memory
        }
    }

    private func note(_ save: TallySave, isDurable: Bool, destroys: Bool, inode: Int?) {
        state.withLock { state in
            if isDurable { state.durable |= save.plays } else if destroys { state.durable = 0 }
            if let inode { state.inodes.insert(inode) }
        }
        keep("the game goes on")
    }
}

/// Counts what closures see that may not change anything themselves.
final class Count: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func add() { count.withLock { $0 += 1 } }
}
