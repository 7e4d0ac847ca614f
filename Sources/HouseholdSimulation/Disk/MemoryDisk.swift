package import MergeCore

/// A disk in memory for simulated power cuts: it knows what programs see, what is durable, and every change in between.
///
/// A file has an inode, a durable content, and the writes since its last sync. A folder has durable names, and the
/// changes since its last sync. The disk promises what POSIX promises and no more: syncing a file does not make its
/// name durable, and syncing a folder does not make the content of its files durable. ``PowerCut`` computes what a
/// power cut may leave.
///
/// It follows the abstract file system models of ALICE (Pillai and others, "All File Systems Are Not Created Equal: On
/// the Complexity of Crafting Crash-Consistent Applications", OSDI 2014). The state after a failed sync follows Rebello
/// and others, "Can Applications Recover from fsync Failures?", USENIX ATC 2020: pages are marked clean although they
/// were not written.
package struct MemoryDisk: Sendable {
    /// A change of a file's content by one system call.
    package enum Write: Hashable, Sendable {
        /// Sets the file's length. A shorter file is filled with zeros.
        case cut(Int)
        case put([UInt8], at: Int)

        func applied(to bytes: [UInt8]) -> [UInt8] {
            switch self {
            case .cut(let length):
                if length <= bytes.count { return Array(bytes[..<length]) }
                return bytes + [UInt8](repeating: 0, count: length - bytes.count)
            case .put(let new, let offset):
                var bytes = bytes
                if bytes.count < offset { bytes += [UInt8](repeating: 0, count: offset - bytes.count) }
                bytes.replaceSubrange(offset..<min(bytes.count, offset + new.count), with: new)
                return bytes
            }
        }
    }

    package struct File: Hashable, Sendable {
        /// The content that a reader sees.
        package var bytes: [UInt8] = []
        package var modified: WallTime
        /// The content that is certainly on the disk, before any of the writes.
        package var durable: [UInt8] = []
        /// The writes since the last sync, in order.
        package var writes: [Write] = []
        /// Whether a sync of the file has failed. Then the writes may never become durable, whatever later syncs
        /// report.
        package var isDoubtful = false
    }

    /// One atomic change of names: an entry for each name that is set to an inode, or removed.
    package struct NameChange: Hashable, Sendable {
        package struct Entry: Hashable, Sendable {
            package var path: String
            package var inode: Int?
        }

        package var folder: String
        package var entries: [Entry]
    }

    package internal(set) var files: [Int: File] = [:]
    /// The inode of each path, as programs see it.
    package internal(set) var names: [String: Int] = [:]
    package internal(set) var durableNames: [String: Int] = [:]
    /// The changes since the last sync of their folder, in order.
    package internal(set) var nameChanges: [NameChange] = []
    /// The inodes of files that a process has open.
    package var open: Set<Int> = []
    /// The date that changed files get.
    package var time: WallTime = 0
    private var lastInode = 0

    package init() {}

    package subscript(path: String) -> File? { names[path].flatMap { files[$0] } }

    // MARK: Contents

    /// Creates an empty file and returns its inode; `nil` where something exists at the path.
    package mutating func create(_ path: String) -> Int? {
        guard names[path] == nil else { return nil }
        lastInode += 1
        files[lastInode] = File(modified: time)
        change([(path, lastInode)])
        return lastInode
    }

    package mutating func write(_ write: Write, to inode: Int) {
        guard var file = files[inode] else { return }
        file.bytes = write.applied(to: file.bytes)
        file.writes.append(write)
        file.modified = time
        files[inode] = file
    }

    /// Makes the file's content durable, but not its name. Does nothing after a failed sync.
    package mutating func sync(_ inode: Int) {
        guard var file = files[inode], !file.isDoubtful else { return }
        file.durable = file.bytes
        file.writes = []
        files[inode] = file
    }

    /// Marks a sync as failed: from then on it is unknown which of the writes are on the disk.
    package mutating func failToSync(_ inode: Int) { files[inode]?.isDoubtful = true }

    // MARK: Names

    package mutating func rename(_ old: String, to new: String) {
        change([(old, nil), (new, names[old])])
    }

    package mutating func exchange(_ a: String, _ b: String) {
        change([(a, names[b]), (b, names[a])])
    }

    package mutating func link(_ old: String, as new: String) { change([(new, names[old])]) }

    package mutating func unlink(_ path: String) {
        if names[path] != nil { change([(path, nil)]) }
    }

    /// Makes the names in a folder durable, but not the content of its files.
    package mutating func sync(folder: String) {
        for change in nameChanges where change.folder == folder { Self.apply(change, to: &durableNames) }
        nameChanges.removeAll { $0.folder == folder }
        forgetUnreachable()
    }

    package static func folder(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    static func apply(_ change: NameChange, to names: inout [String: Int]) {
        for entry in change.entries { names[entry.path] = entry.inode }
    }

    private mutating func change(_ entries: [(String, Int?)]) {
        let change = NameChange(
            folder: Self.folder(entries[0].0), entries: entries.map { NameChange.Entry(path: $0.0, inode: $0.1) })
        Self.apply(change, to: &names)
        nameChanges.append(change)
    }

    private mutating func forgetUnreachable() {
        var reachable = open.union(names.values).union(durableNames.values)
        for change in nameChanges { reachable.formUnion(change.entries.compactMap(\.inode)) }
        guard reachable.count < files.count else { return }
        files = files.filter { reachable.contains($0.key) }
    }

    // MARK: After a crash

    /// The disk after the process was killed while the machine kept running: everything that was written is there.
    package var afterKill: MemoryDisk { left(names, [:]) }

    /// The least that a power cut leaves: only what was synced.
    package var durableOnly: MemoryDisk { left(durableNames, files.mapValues(\.durable)) }

    /// A disk with these names and contents, all of them durable.
    ///
    /// - Parameter contents: By inode, the content of a file in place of the last one written.
    func left(_ names: [String: Int], _ contents: [Int: [UInt8]]) -> MemoryDisk {
        var disk = self
        disk.names = names
        disk.durableNames = names
        disk.nameChanges = []
        disk.open = []
        let reachable = Set(names.values)
        disk.files = files.filter { reachable.contains($0.key) }
        for inode in reachable {
            let bytes = contents[inode] ?? files[inode]?.bytes ?? []
            disk.files[inode] = File(bytes: bytes, modified: files[inode]?.modified ?? time, durable: bytes)
        }
        return disk
    }

    /// A hash of names and contents, to tell disks apart. It is the same only within one process.
    package func fingerprint(where includes: (String) -> Bool = { _ in true }) -> Int {
        var sum = names.count
        for (path, inode) in names where includes(path) {
            var hasher = Hasher()
            hasher.combine(path)
            files[inode]?.bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
            sum ^= hasher.finalize()
        }
        return sum
    }
}
