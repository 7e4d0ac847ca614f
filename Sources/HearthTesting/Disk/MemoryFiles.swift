package import MergeCore
package import ProfileKeeping
import Synchronization

/// Profile files in memory, with what a power cut would leave of them.
///
/// Content is durable when it is written; names are durable when their folder is synced (the worst that POSIX allows,
/// and the order in which an ordinary file system may write). A game's own saves count as durable. No links, no modes.
package final class MemoryFiles: ProfileFiles, Sendable {
    struct File: Hashable {
        var bytes: [UInt8]
        var modified: Int64
        /// Two names with one number are one file.
        var inode: Int
    }

    struct Backup {
        var stored: StoredBackup
        var bytes: [UInt8]
        var isDamaged = false
    }

    struct State {
        var names: [String: File] = [:]
        var durable: [String: File] = [:]
        var held: Set<Int> = []
        var time: Int64 = 0
        var lastInode = 0
        var backups: [ProfileID: [Backup]] = [:]
        var lastBackup = 0
        var quarantine: [ProfileID: [String: [UInt8]]] = [:]

        mutating func file(_ bytes: [UInt8]) -> File {
            lastInode += 1
            return File(bytes: bytes, modified: time, inode: lastInode)
        }
    }

    let state = Mutex(State())
    package let power: PowerSwitch

    package init(power: PowerSwitch = PowerSwitch()) { self.power = power }

    // MARK: What games and people do

    /// The clock that new files take their time from, milliseconds since 1970.
    package func setTime(_ time: Int64) { state.withLock { $0.time = time } }

    /// A game saves by writing another file and renaming it to the path.
    package func saveByRename(_ bytes: [UInt8], at path: String) {
        state.withLock { state in
            state.names[path] = state.file(bytes)
            state.durable[path] = state.names[path]
        }
    }

    /// A game writes into the file that stands at the path.
    package func saveInPlace(_ bytes: [UInt8], at path: String) {
        guard let inode = state.withLock({ $0.names[path]?.inode }) else { return saveByRename(bytes, at: path) }
        write(bytes, into: inode)
    }

    /// A game opens the file at the path and keeps it open; returns a handle for ``write(_:into:)``.
    package func holdOpen(_ path: String) -> Int? {
        state.withLock { state in
            guard let inode = state.names[path]?.inode else { return nil }
            state.held.insert(inode)
            return inode
        }
    }

    /// Writes to a file wherever its name is by now.
    package func write(_ bytes: [UInt8], into handle: Int) {
        state.withLock { state in
            let time = state.time
            for (name, file) in state.names where file.inode == handle {
                state.names[name] = File(bytes: bytes, modified: time, inode: handle)
            }
            for (name, file) in state.durable where file.inode == handle {
                state.durable[name] = File(bytes: bytes, modified: time, inode: handle)
            }
        }
    }

    package func letGo(_ handle: Int) { state.withLock { _ = $0.held.remove(handle) } }

    package func delete(_ path: String) {
        state.withLock { state in
            state.names[path] = nil
            state.durable[path] = nil
        }
    }

    /// After a power cut: names that were not synced are as they were before. Open files are closed.
    package func loseUnsynced() {
        state.withLock { state in
            state.names = state.durable
            state.held = []
        }
    }

    // MARK: Looking, for tests

    package func bytes(at path: String) -> [UInt8]? { state.withLock { $0.names[path]?.bytes } }

    /// Every path at which something stands, sorted.
    package var paths: [String] { state.withLock { $0.names.keys.sorted() } }

    // MARK: ProfileFiles

    package func read(_ path: String, limit: Int) throws(StorageFault) -> FileContent? {
        try power.look()
        guard let file = state.withLock({ $0.names[path] }) else { return nil }
        guard file.bytes.count <= limit else { throw StorageFault(.tooLarge, "\(path) has more than \(limit) bytes") }
        return FileContent(bytes: file.bytes, modified: file.modified)
    }

    package func stage(_ bytes: [UInt8], as name: String, beside path: String) throws(StorageFault) {
        let staged = try beside(name, path)
        try power.step(.create(name))
        let file = state.withLock { state in
            guard state.names[staged] == nil else { return nil as File? }
            let file = state.file([])
            state.names[staged] = file
            return file
        }
        guard var file else { throw StorageFault(.other, "cannot create \(staged): it exists") }
        do throws(StorageFault) {
            try power.step(.writeHalf(name))
            file.bytes = Array(bytes.prefix(bytes.count / 2))
            state.withLock { $0.names[staged] = file }
            try power.step(.writeWhole(name))
            file.bytes = bytes
            state.withLock { $0.names[staged] = file }
        } catch {
            if !power.isOff { state.withLock { $0.names[staged] = nil } }
            throw error
        }
    }

    package func exchange(_ name: String, with path: String) throws(StorageFault) {
        let staged = try beside(name, path)
        try power.step(.exchange(name, path: path))
        let fault: StorageFault? = state.withLock { state in
            guard let new = state.names[staged] else { return StorageFault(.other, "cannot find \(staged)") }
            guard let old = state.names[path] else { return StorageFault(.changed, "nothing stands at \(path)") }
            state.names[path] = new
            state.names[staged] = old
            return nil
        }
        if let fault { throw fault }
    }

    package func place(_ name: String, at path: String) throws(StorageFault) {
        let staged = try beside(name, path)
        try power.step(.place(name, path: path))
        let fault: StorageFault? = state.withLock { state in
            guard let new = state.names[staged] else { return StorageFault(.other, "cannot find \(staged)") }
            guard state.names[path] == nil else { return StorageFault(.changed, "something stands at \(path)") }
            state.names[path] = new
            state.names[staged] = nil
            return nil
        }
        if let fault { throw fault }
    }

    package func syncFolder(of path: String) throws(StorageFault) {
        let folder = Self.folder(path)
        try power.step(.syncFolder(folder))
        state.withLock { state in
            for name in Set(state.names.keys).union(state.durable.keys) where Self.folder(name) == folder {
                state.durable[name] = state.names[name]
            }
        }
    }

    package func readStaged(_ name: String, beside path: String, limit: Int) throws(StorageFault) -> FileContent? {
        try read(try beside(name, path), limit: limit)
    }

    package func removeStaged(_ name: String, beside path: String) throws(StorageFault) {
        let staged = try beside(name, path)
        try power.look()
        guard state.withLock({ $0.names[staged] != nil }) else { return }
        try power.step(.remove(name))
        state.withLock { $0.names[staged] = nil }
    }

    package func stagedNames(beside path: String, prefix: String) -> [String] {
        guard !power.isOff else { return [] }
        let folder = Self.folder(path)
        let paths = state.withLock { $0.names.keys.filter { Self.folder($0) == folder } }
        let names = paths.map { String($0.dropFirst(folder.count + 1)) }
        return Array(names.filter { $0.hasPrefix(prefix) }.sorted().prefix(1_000))
    }

    package func isHeldOpen(_ name: String, beside path: String) -> Bool {
        guard !power.isOff, let staged = try? beside(name, path) else { return false }
        return state.withLock { state in state.names[staged].map { state.held.contains($0.inode) } ?? false }
    }

    package func quarantine(
        _ bytes: [UInt8], of profile: ProfileID, named name: String
    ) throws(StorageFault) -> String {
        try Self.check(name)
        try power.step(.quarantine(name))
        return state.withLock { state in
            var number = 1
            var free = name
            while let other = state.quarantine[profile]?[free], other != bytes {
                number += 1
                free = "\(name)-\(number)"
            }
            state.quarantine[profile, default: [:]][free] = bytes
            return "quarantine/\(profile)/\(free)"
        }
    }

    // MARK: Names

    private func beside(_ name: String, _ path: String) throws(StorageFault) -> String {
        try Self.check(name)
        return Self.folder(path) + "/" + name
    }

    private static func check(_ name: String) throws(StorageFault) {
        guard !name.isEmpty, name != ".", name != "..", name.utf8.count <= 255,
            !name.contains("/"), !name.contains("\0")
        else { throw StorageFault(.other, "\"\(name)\" is no file name") }
    }

    private static func folder(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
}
