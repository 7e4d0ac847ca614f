import MergeCore
package import ProfileKeeping
import Synchronization

/// Profile files on a disk in memory. They are changed by the same system calls, in the same order, as on a real disk;
/// ``disk`` shows what a crash or a power cut would leave.
///
/// A game's own saves are durable unless a test asks otherwise. There are no symbolic links and no permissions.
package final class MemoryFiles: ProfileFiles, Sendable {
    /// How this file system swaps two files.
    package enum Swapping: CaseIterable, Sendable {
        /// By an atomic exchange, in one step.
        case exchange
        /// The same, where Hearth's own folder is on another file system: no draft can be moved.
        case exchangeWithoutDrafts
        /// By a hard link as a second name of the former file.
        case links
        /// By renames only.
        case renames
    }

    private let state: Mutex<MemoryDisk>
    private let readCount = Mutex(0)
    private let claimed = Mutex(DiskRoom(free: 100 << 30, total: 100 << 30))
    package let power: PowerSwitch
    package let swapping: Swapping

    package init(
        _ disk: MemoryDisk = MemoryDisk(), power: PowerSwitch = PowerSwitch(), swapping: Swapping = .exchange
    ) {
        state = Mutex(disk)
        self.power = power
        self.swapping = swapping
    }

    /// The disk as it is now.
    package var disk: MemoryDisk { state.withLock { $0 } }

    /// The free space that the disk reports. Writes do not depend on it.
    package var room: DiskRoom {
        get { claimed.withLock { $0 } }
        set { claimed.withLock { $0 = newValue } }
    }

    /// Simulates a power cut: only what was synced remains, and open files are closed.
    package func loseUnsynced() { change { $0 = $0.durableOnly } }

    /// Puts another disk in place of this one.
    func put(_ disk: MemoryDisk) {
        let disk = disk
        change { $0 = disk }
    }

    // MARK: Looking, for tests

    package func bytes(at path: String) -> [UInt8]? { state.withLock { $0[path]?.bytes } }

    /// How many times a profile's file was read.
    package var reads: Int { readCount.withLock { $0 } }

    /// The paths of all files outside Hearth's own folder, sorted.
    package var paths: [String] { state.withLock { $0.names.keys.filter { !$0.hasPrefix(Self.home) }.sorted() } }

    // MARK: ProfileFiles

    package func place(of path: String) -> String? { path }

    package func isLink(_ path: String) -> Bool { false }

    /// Syncthing's mark alone is recognised, in the folder of the path itself.
    package func foreignSync(around path: String) -> ForeignSync? {
        let marker = path.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/.stfolder"
        return bytes(at: marker).map { _ in ForeignSync(tool: "Syncthing", marker: marker) }
    }

    package func read(_ path: String, limit: Int) throws(StorageFault) -> FileContent? {
        try power.look()
        readCount.withLock { $0 += 1 }
        guard let file = state.withLock({ $0[path] }) else { return nil }
        guard file.bytes.count <= limit else { throw StorageFault(.tooLarge, "\(path) has more than \(limit) bytes") }
        return FileContent(bytes: file.bytes, modified: file.modified)
    }

    package func identity(of path: String) throws(StorageFault) -> FileIdentity? {
        try power.look()
        return state.withLock { disk in
            guard let inode = disk.names[path], let file = disk.files[inode] else { return nil }
            return FileIdentity(
                [Int64(inode), Int64(file.bytes.count), file.modified.milliseconds], modified: file.modified)
        }
    }

    package func sync(_ path: String) throws(StorageFault) {
        guard let inode = disk.names[path] else { return }
        try sync(inode, as: .sync(path))
        try syncFolder(of: path, as: .sync(MemoryDisk.folder(path)))
    }

    package func syncStaged(_ name: String, beside path: String) throws(StorageFault) {
        guard let inode = disk.names[try beside(name, path)] else { return }
        try sync(inode, as: .sync(name))
    }

    package func stage(_ bytes: [UInt8], as name: String, beside path: String) throws(StorageFault) {
        let staged = try beside(name, path)
        try power.step(.create(name))
        guard let inode = change({ $0.create(staged) }) else {
            throw StorageFault(.other, "cannot create \(staged): it exists")
        }
        do throws(StorageFault) {
            let half = bytes.count / 2
            try power.step(.writeHalf(name))
            change { $0.write(.put(Array(bytes[..<half]), at: 0), to: inode) }
            try power.step(.writeWhole(name))
            change { $0.write(.put(Array(bytes[half...]), at: half), to: inode) }
            try sync(inode, as: .sync(name))
        } catch {
            if !power.isOff { change { $0.unlink(staged) } }
            throw error
        }
    }

    @discardableResult
    package func exchange(_ name: String, with path: String) throws(StorageFault) -> FileIdentity? {
        let staged = try beside(name, path)
        guard has(path) else { throw Self.gone(path) }
        guard swapping == .exchange || swapping == .exchangeWithoutDrafts else {
            try exchangeInSteps(name, staged, path)
            return nil
        }
        try power.step(.exchange(name, path: path))
        guard has(staged) else { throw StorageFault(.other, "cannot find \(staged)") }
        guard has(path) else { throw Self.gone(path) }
        change { $0.exchange(staged, path) }
        return try identity(of: path)
    }

    package func place(_ name: String, at path: String) throws(StorageFault) {
        let staged = try beside(name, path)
        try power.step(.place(name, path: path))
        guard has(staged) else { throw StorageFault(.other, "cannot find \(staged)") }
        guard !has(path) else { throw Self.taken(path) }
        change { $0.rename(staged, to: path) }
    }

    /// Every folder is there.
    package func makeFolder(of path: String) {}

    package func syncFolder(of path: String) throws(StorageFault) {
        try syncFolder(of: path, as: .syncFolder(MemoryDisk.folder(path)))
    }

    package func syncFolders(of paths: [String]) throws(StorageFault) {
        var folders: Set<String> = []
        for path in paths where folders.insert(MemoryDisk.folder(path)).inserted { try syncFolder(of: path) }
    }

    package func readStaged(_ name: String, beside path: String, limit: Int) throws(StorageFault) -> FileContent? {
        let staged = try beside(name, path)
        try settleAside(staged, path)
        return try read(staged, limit: limit)
    }

    package func removeStaged(_ name: String, beside path: String) throws(StorageFault) {
        let staged = try beside(name, path)
        try power.look()
        try settleAside(staged, path)
        guard has(staged) else { return }
        try power.step(.remove(name))
        change { $0.unlink(staged) }
    }

    package func stagedNames(beside path: String, prefix: String) -> [String] {
        guard !power.isOff else { return [] }
        let folder = MemoryDisk.folder(path)
        let names = paths.filter { MemoryDisk.folder($0) == folder }.map { String($0.dropFirst(folder.count + 1)) }
        return Array(names.filter { $0.hasPrefix(prefix) && !$0.hasSuffix(Self.asideSuffix) }.prefix(1_000))
    }

    package func isHeldOpen(_ name: String, beside path: String) -> Bool {
        guard !power.isOff, let staged = try? beside(name, path) else { return false }
        return state.withLock { disk in disk.names[staged].map(disk.open.contains) ?? false }
    }

    // MARK: The disk

    func has(_ path: String) -> Bool { state.withLock { $0.names[path] != nil } }

    @discardableResult
    func change<Result: Sendable>(_ change: (inout sending MemoryDisk) -> sending Result) -> Result {
        state.withLock { change(&$0) }
    }

    /// Syncs a file. Where the step fails, it is unknown what is on the disk.
    func sync(_ inode: Int, as step: DiskOperation) throws(StorageFault) {
        do throws(StorageFault) {
            try power.step(step)
        } catch {
            if !power.isOff { change { $0.failToSync(inode) } }
            throw error
        }
        change { $0.sync(inode) }
    }

    func syncFolder(of path: String, as step: DiskOperation) throws(StorageFault) {
        try power.step(step)
        change { $0.sync(folder: MemoryDisk.folder(path)) }
    }

    // MARK: Names

    static func gone(_ path: String) -> StorageFault { StorageFault(.changed, "there is nothing at \(path)") }

    static func taken(_ path: String) -> StorageFault { StorageFault(.changed, "there is something at \(path)") }

    func beside(_ name: String, _ path: String) throws(StorageFault) -> String {
        try Self.check(name)
        return MemoryDisk.folder(path) + "/" + name
    }

    static func check(_ name: String) throws(StorageFault) {
        guard !name.isEmpty, name != ".", name != "..", name.utf8.count <= 255,
            !name.contains("/"), !name.contains("\0")
        else { throw StorageFault(.other, "\"\(name)\" is no file name") }
    }
}
