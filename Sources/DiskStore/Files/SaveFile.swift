#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
package import ProfileKeeping

/// A file of a game's own, read and written whole by the game: durably, and never over what it has not read.
///
/// Whoever writes holds a lock of the kernel on the folder for that moment, so that two processes of one game do not
/// lose each other's saves, nor a game and the agent.
package struct SaveFile: Sendable {
    /// Absolute.
    package let path: String
    private let files: DiskFiles

    /// Most bytes a save may have.
    package static let limit = 64 << 20

    /// Tells whether what stands at the path is still what was read. Every replacement is another file.
    package struct Mark: Hashable, Sendable {
        private let identity: [Int64]

        fileprivate init(_ status: stat) {
            #if canImport(Darwin)
                let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
            #else
                let (modified, changed) = (status.st_mtim, status.st_ctim)
            #endif
            identity = [
                Int64(truncatingIfNeeded: status.st_dev), Int64(truncatingIfNeeded: status.st_ino),
                Int64(status.st_size), Int64(modified.tv_sec), Int64(modified.tv_nsec), Int64(changed.tv_sec),
                Int64(changed.tv_nsec),
            ]
        }
    }

    /// What became of a write.
    package enum Outcome: Sendable {
        /// It is on the disk for good.
        case written(Mark)
        /// It is in its place, and the disk did not confirm that it will be after a power cut.
        case unconfirmed(Mark, StorageFault)
        /// Something else stands there than was read; nothing was written.
        case changed
    }

    package init(path: String) {
        self.path = path
        files = DiskFiles(home: ProfilePlace.split(path).folder)
    }

    /// What stands at the path; `nil` for nothing.
    package func read() throws(StorageFault) -> (bytes: [UInt8], mark: Mark)? {
        // The mark first: what is written in between shows as a change later.
        for _ in 0..<3 {
            guard let mark = try mark() else { return nil }
            guard let content = try files.read(path, limit: Self.limit) else { continue }
            if try self.mark() == mark { return (content.bytes, mark) }
        }
        guard let mark = try mark(), let content = try files.read(path, limit: Self.limit) else { return nil }
        return (content.bytes, mark)
    }

    /// The mark of what stands at the path now; `nil` for nothing.
    package func mark() throws(StorageFault) -> Mark? {
        guard let place = try ProfilePlace(path) else { return nil }
        return try mark(place)
    }

    private func mark(_ place: ProfilePlace) throws(StorageFault) -> Mark? {
        try DiskFiles.status(place.path).map { Mark($0) }
    }

    /// Puts a complete file in the place of the one that was read, by its mark; without one nothing may stand there.
    package func write(_ bytes: [UInt8], over mark: Mark?) throws(StorageFault) -> Outcome {
        var found = try ProfilePlace(path)
        if found == nil {
            try HomeFolder.create(ProfilePlace.split(path).folder)
            found = try ProfilePlace(path)
        }
        guard let place = found else {
            throw StorageFault(.other, "the folder of \(path) cannot be made; choose another place for the saves")
        }
        guard let folder = Descriptor(place.folder, O_RDONLY | O_DIRECTORY) else {
            throw StorageFault(code: errno, "open the folder", place.folder)
        }
        folder.lock()
        guard try self.mark(place) == mark else { return .changed }
        // Names that begin so are Hearth's own: no agent takes them for saves.
        let name = String(".hearth-save-\(place.name)".prefix(200))
        let staged = try place.beside(name)
        unlink(staged)
        try files.stage(bytes, as: name, beside: path)
        do throws(StorageFault) {
            guard try self.mark(place) == mark else {
                unlink(staged)
                return .changed
            }
            if mark == nil {
                try files.place(name, at: path)
            } else if rename(staged, place.path) != 0 {
                throw StorageFault(code: errno, "replace", path)
            }
        } catch {
            unlink(staged)
            if error.reason == .changed { return .changed }
            throw error
        }
        // From here on it is saved: an error must not say otherwise.
        guard let new = try? self.mark(place) else { return .changed }
        if fsync(folder.number) != 0, errno != EINVAL, errno != ENOTSUP {
            return .unconfirmed(new, StorageFault(code: errno, "make durable the folder", place.folder))
        }
        return .written(new)
    }
}
