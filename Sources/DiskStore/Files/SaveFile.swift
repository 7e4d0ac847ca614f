import Libc
import LocalFiles
package import ProfileKeeping

/// A save that a game reads and writes itself, as a whole: durably, and never over content that it has not read.
///
/// A writer holds a kernel lock on the folder while it writes. So two processes of one game, or a game and the agent,
/// do not lose each other's saves.
package struct SaveFile: Sendable {
    /// The absolute path of the save.
    package let path: String
    private let files: DiskFiles

    /// The largest size of a save in bytes.
    package static let limit = 64 << 20

    /// The outcome of a write.
    package enum Outcome: Sendable {
        /// The save is durable.
        case written(FileIdentity)
        /// The save is in its place, but the disk did not confirm that it would survive a power cut.
        case unconfirmed(FileIdentity, StorageFault)
        /// Another file is at the path than the one that was read; nothing was written.
        case changed
    }

    package init(path: String) {
        self.path = path
        files = DiskFiles(home: ProfilePlace.split(path).folder)
    }

    /// Reads the file at the path; `nil` where there is none.
    package func read() throws(StorageFault) -> (bytes: [UInt8], mark: FileIdentity)? {
        // The identity is taken before the content, so that a write in between shows as a change later.
        for _ in 0..<3 {
            guard let mark = try mark() else { return nil }
            guard let content = try files.read(path, limit: Self.limit) else { continue }
            if try self.mark() == mark { return (content.bytes, mark) }
        }
        guard let mark = try mark(), let content = try files.read(path, limit: Self.limit) else { return nil }
        return (content.bytes, mark)
    }

    /// The identity of the file that is at the path now; `nil` where there is none.
    package func mark() throws(StorageFault) -> FileIdentity? { try files.identity(of: path) }

    private func mark(_ place: ProfilePlace) throws(StorageFault) -> FileIdentity? {
        try DiskFiles.status(place.path).map { FileIdentity($0) }
    }

    /// Replaces the file that was read, known by its identity, by a complete new one. Without an identity, there must
    /// be no file at the path.
    package func write(_ bytes: [UInt8], over mark: FileIdentity?) throws(StorageFault) -> Outcome {
        var found = try ProfilePlace(path)
        if found == nil {
            try HomeFolder.create(ProfilePlace.split(path).folder)
            found = try ProfilePlace(path)
        }
        guard let place = found else {
            throw StorageFault(.other, "the folder of \(path) cannot be made; choose another place for the saves")
        }
        let folder = try StorageFault.explaining("open the folder", place.folder) { () throws(FileFault) in
            try Descriptor(place.folder, O_RDONLY | O_DIRECTORY)
        }
        folder.lock()
        defer { folder.unlock() }
        guard try self.mark(place) == mark else { return .changed }
        // Files with this prefix are Hearth's own: no agent reads them as saves.
        let name = String(".hearth-save-\(place.name)".prefix(200))
        let staged = try place.beside(name)
        unlink(staged)
        try files.stage(bytes, as: name, beside: path)
        let own = try DiskFiles.status(staged)
        do throws(StorageFault) {
            guard try self.mark(place) == mark else {
                unlink(staged)
                return .changed
            }
            if mark == nil {
                try files.place(name, at: path)
            } else {
                try StorageFault.explaining("replace", path) { () throws(FileFault) in
                    try DurableFile.move(staged, over: place.path)
                }
            }
        } catch {
            unlink(staged)
            if error.reason == .changed { return .changed }
            throw error
        }
        // From here on the save is in place: an error must not claim otherwise. A program that ignores the lock may
        // have put its own file there since, and no program has read that file.
        guard let status = try? DiskFiles.status(place.path) else { return .changed }
        if own.map({ ($0.st_dev, $0.st_ino) == (status.st_dev, status.st_ino) }) != true {
            // A file system may give the file a new number; then its content shows whether it is ours.
            guard let content = try? files.read(path, limit: Self.limit), content.bytes == bytes else {
                return .changed
            }
        }
        let new = FileIdentity(status)
        do throws(FileFault) {
            try folder.syncNames()
        } catch {
            return .unconfirmed(new, StorageFault(code: error.code, "make durable the folder", place.folder))
        }
        return .written(new)
    }
}
