import Libc
import LocalFiles
import MergeCore
package import ProfileKeeping

/// Profile files on a real disk.
///
/// Every call does its whole work before it returns, on the calling thread, and keeps no state in memory: all state is
/// on the disk. Backups are in `HOME/backups/PROFILE/`, bytes that are no profile in `HOME/quarantine/PROFILE/`
/// (folders 0700, files 0600).
package struct DiskFiles: ProfileFiles, Sendable {
    let home: String
    /// The process's umask: the bits that are removed from the mode of new files.
    let mask: mode_t
    /// Whether to behave as on a file system without an atomic exchange of two files.
    let lacksExchange: Bool

    /// - Parameter home: Hearth's own folder, as an absolute path; see ``HomeFolder``.
    package init(home: String) { self.init(home: home, lacksExchange: false) }

    /// - Parameter lacksExchange: Whether to behave as on a file system without an atomic exchange of two files.
    package init(home: String, lacksExchange: Bool) {
        self.home = home
        self.lacksExchange = lacksExchange
        mask = CreationMask.current
    }

    // MARK: Reading

    package func read(_ path: String, limit: Int) throws(StorageFault) -> FileContent? {
        guard let place = try ProfilePlace(path) else { return nil }
        return try content(place.path, shown: path, limit: limit)
    }

    package func identity(of path: String) throws(StorageFault) -> FileIdentity? {
        guard let place = try ProfilePlace(path) else { return nil }
        return try Self.status(place.path).map { FileIdentity($0) }
    }

    package func place(of path: String) -> String? { ((try? ProfilePlace(path)) ?? nil)?.path }

    package func isLink(_ path: String) -> Bool { ProfilePlace.link(at: path) != nil }

    package func readStaged(
        _ name: String, beside path: String, limit: Int
    ) throws(StorageFault) -> FileContent? {
        guard let place = try ProfilePlace(path) else { return nil }
        let staged = try place.beside(name)
        try settleAside(name, place)
        return try content(staged, shown: staged, limit: limit)
    }

    /// Reads the file at a path whose last component is no link. Opens nothing that could block or have side effects.
    func content(_ path: String, shown: String, limit: Int) throws(StorageFault) -> FileContent? {
        guard let before = try Self.status(path) else { return nil }
        if let fault = StorageFault.unless(regular: before.st_mode, at: shown) { throw fault }
        guard let file = try Self.open(path, shown: shown) else { return nil }
        let status = try StorageFault.explaining("read", shown) { () throws(FileFault) in try file.status() }
        if let fault = StorageFault.unless(regular: status.st_mode, at: shown) { throw fault }
        let tooLarge = StorageFault(
            .tooLarge, "\(shown) has more than \(limit) bytes; a save that large is not kept in step")
        guard status.st_size <= limit else { throw tooLarge }
        let bytes = try StorageFault.explaining("read", shown) { () throws(FileFault) in
            try file.readAll(expecting: Int(status.st_size), limit: limit)
        }
        guard let bytes else { throw tooLarge }
        return FileContent(bytes: bytes, modified: WallTime(milliseconds: ((try? file.status()) ?? status).modified))
    }

    package func stagedNames(beside path: String, prefix: String) -> [String] {
        guard let place = try? ProfilePlace(path) else { return [] }
        let names = Self.names(in: place.folder, limit: 1_000) {
            $0.hasPrefix(prefix) && !$0.hasSuffix(Self.asideSuffix)
        }
        return names.sorted()
    }

    package func isHeldOpen(_ name: String, beside path: String) -> Bool {
        #if os(Linux)
            guard let place = try? ProfilePlace(path), let staged = try? place.beside(name),
                let file = try? Descriptor(staged, Self.safely)
            else { return false }
            return LinuxCalls.hasWriters(file.number)
        #else
            // That system cannot answer this without a walk over all processes.
            return false
        #endif
    }

    // MARK: Removing

    package func removeStaged(_ name: String, beside path: String) throws(StorageFault) {
        guard let place = try ProfilePlace(path) else { return }
        let staged = try place.beside(name)
        try settleAside(name, place)
        guard unlink(staged) != 0, errno != ENOENT else { return }
        throw StorageFault(code: errno, "remove", staged)
    }

    package func sync(_ path: String) throws(StorageFault) {
        guard let place = try ProfilePlace(path) else { return }
        // Both at once: neither needs the other, and each waits for the disk.
        let file = CallBeside {
            Result { () throws(StorageFault) in try Self.sync(file: place.path) }
        }
        let folder = Result { () throws(StorageFault) in try Self.sync(folder: place.folder) }
        try file.wait().get()
        try folder.get()
    }

    package func syncStaged(_ name: String, beside path: String) throws(StorageFault) {
        guard let place = try ProfilePlace(path) else { return }
        try Self.sync(file: try place.beside(name))
    }

    package func makeFolder(of path: String) throws(StorageFault) {
        // The folder is looked at even where its path exists: in `save.json/other.json` it is a file, which is refused.
        try HomeFolder.create(try ProfilePlace(path)?.folder ?? ProfilePlace.split(path).folder)
    }

    package func syncFolder(of path: String) throws(StorageFault) {
        // A folder that is gone has nothing left to make durable.
        guard let place = try ProfilePlace(path) else { return }
        try Self.sync(folder: place.folder)
    }

    package func syncFolders(of paths: [String]) throws(StorageFault) {
        var folders: Set<String> = []
        for path in paths {
            if let folder = try ProfilePlace(path)?.folder, folders.insert(folder).inserted {
                try Self.sync(folder: folder)
            }
        }
    }

    // MARK: Helpers

    /// The flags to open a file for reading that may be replaced by anything: opening waits for nothing and follows no
    /// link.
    static var safely: Int32 { O_RDONLY | O_NONBLOCK | O_NOFOLLOW }

    /// Opens a file for reading; `nil` where nothing is there.
    static func open(_ path: String, shown: String) throws(StorageFault) -> Descriptor? {
        try StorageFault.explaining("read", shown) { () throws(FileFault) in
            try Descriptor(existing: path, safely)
        }
    }

    /// The status of a path, without following links; `nil` where nothing is there.
    static func status(_ path: String) throws(StorageFault) -> stat? {
        var status = stat()
        guard lstat(path, &status) != 0 else { return status }
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw StorageFault(code: errno, "look at", path)
    }

    /// Syncs a file. Opens nothing that could block; a missing file is no error.
    private static func sync(file path: String) throws(StorageFault) {
        guard let status = try status(path), status.st_mode & S_IFMT == S_IFREG else { return }
        try StorageFault.explaining("make durable", path) { () throws(FileFault) in
            guard let file = try Descriptor(existing: path, Self.safely) else { return }
            try file.sync()
        }
    }

    static func sync(folder: String) throws(StorageFault) {
        do throws(FileFault) {
            try DurableFile.sync(folder: folder)
        } catch {
            let action = error.call == .openFolder ? "open the folder" : "make durable the folder"
            throw StorageFault(code: error.code, action, folder)
        }
    }

    /// The names in a folder that pass a test, in no order, at most `limit`; empty where the folder cannot be read.
    static func names(in folder: String, limit: Int, _ passes: (String) -> Bool) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < limit, let entry = readdir(stream) {
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { break }
            let start = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
            let name = String(cString: start)
            if name != ".", name != "..", passes(name) { names.append(name) }
        }
        return names
    }
}
