import Libc
import LocalFiles
package import ProfileKeeping

/// The two ways in which a staged file gets to its path: in exchange for an existing file, or as a new one.
extension DiskFiles {
    /// The suffix of the former file's name while a swap is made in several steps.
    static var asideSuffix: String { ".aside" }

    @discardableResult
    package func exchange(_ name: String, with path: String) throws(StorageFault) -> FileIdentity? {
        guard let place = try ProfilePlace(path), try Self.replaceable(place, shown: path) != nil else {
            throw Self.gone(path)
        }
        let staged = try place.beside(name)
        guard let folder = try? Descriptor(place.folder, O_RDONLY | O_DIRECTORY) else {
            return try exchange(name, staged, place, shown: path)
        }
        // The lock keeps a game from replacing the new file right after: it may have checked its file already, and be
        // about to replace it.
        guard folder.lockShortly() else {
            throw StorageFault(.changed, "a game is writing \(path); Hearth reads it first")
        }
        defer { folder.unlock() }
        return try exchange(name, staged, place, shown: path)
    }

    private func exchange(
        _ name: String, _ staged: String, _ place: ProfilePlace, shown path: String
    ) throws(StorageFault) -> FileIdentity? {
        let own = try Self.status(staged)
        switch swap(staged, place.path) {
        case 0:
            // Another program may have replaced or changed it by now.
            guard let own, let status = try? Self.status(place.path), own.isSameContent(as: status) else { return nil }
            return FileIdentity(status)
        case ENOENT:
            guard try Self.status(staged) != nil else { throw StorageFault(code: ENOENT, "find", staged) }
            throw Self.gone(path)
        case EXDEV, EBUSY: throw Self.mounted(path)
        case EINVAL, ENOSYS, ENOTSUP:
            try exchangeInSteps(name, staged, place, shown: path)
            return nil
        case let code: throw StorageFault(code: code, "replace", path)
        }
    }

    package func place(_ name: String, at path: String) throws(StorageFault) {
        guard let place = try ProfilePlace(path) else { throw Self.gone(path) }
        let staged = try place.beside(name)
        let code = try Self.moveToNew(staged, place.path)
        switch code {
        case 0: return
        case EEXIST:
            throw StorageFault(.changed, "\(path) appeared while Hearth was writing; Hearth reads it first")
        default: throw StorageFault(code: code, "create", path)
        }
    }

    private static func gone(_ path: String) -> StorageFault {
        StorageFault(.changed, "\(path) disappeared while Hearth was writing; Hearth looks for it first")
    }

    private func swap(_ a: String, _ b: String) -> Int32 {
        guard !lacksExchange else { return ENOSYS }
        #if os(Linux)
            return LinuxCalls.rename(a, b, LinuxCalls.renameExchange)
        #else
            return renamex_np(a, b, UInt32(RENAME_SWAP)) == 0 ? 0 : errno
        #endif
    }

    /// Renames a file without replacing another one. Returns 0 or the error code (EEXIST where something is there).
    static func moveToNew(_ old: String, _ new: String) throws(StorageFault) -> Int32 {
        #if os(Linux)
            let code = LinuxCalls.rename(old, new, LinuxCalls.renameNoReplace)
        #else
            let code = renamex_np(old, new, UInt32(RENAME_EXCL)) == 0 ? 0 : errno
        #endif
        guard code == EINVAL || code == ENOSYS || code == ENOTSUP else { return code }
        do throws(FileFault) {
            try DurableFile.place(old, at: new)
        } catch {
            guard error.call != .status else { throw StorageFault(code: error.code, "look at", new) }
            return error.code
        }
        // The file is in its place now, even if its former name cannot be removed.
        unlink(old)
        return 0
    }

    // MARK: Without an exchange

    /// Swaps two files in several steps if the file system has no atomic exchange: link the former file to a second
    /// name (aside), rename the new file over it, then rename the former one to the staged name.
    ///
    /// A rename by the game between the first two steps would be lost; that time is some microseconds, and such file
    /// systems offer nothing better. If there are no hard links either, the former file is renamed aside. Then for a
    /// moment there is no file at the path, but nothing can be overwritten. ``settleAside(_:_:)`` finishes or undoes a
    /// swap that a crash has interrupted.
    private func exchangeInSteps(
        _ name: String, _ staged: String, _ place: ProfilePlace, shown: String
    ) throws(StorageFault) {
        let aside = try place.beside(name + Self.asideSuffix)
        unlink(aside)
        if link(place.path, aside) == 0 {
            do throws(StorageFault) {
                // The second name must be durable before the rename removes the first one. Otherwise a power cut may
                // leave the former file without any name.
                try Self.sync(folder: place.folder)
            } catch {
                unlink(aside)
                throw error
            }
            // The sync took some time, and the game may have saved meanwhile.
            guard let former = try Self.status(aside), try Self.status(place.path)?.st_ino == former.st_ino else {
                unlink(aside)
                throw Self.gone(shown)
            }
            guard rename(staged, place.path) == 0 else {
                let code = errno
                unlink(aside)
                throw code == EBUSY || code == EXDEV ? Self.mounted(shown) : StorageFault(code: code, "replace", shown)
            }
        } else {
            guard rename(place.path, aside) == 0 else {
                throw errno == ENOENT ? Self.gone(shown) : StorageFault(code: errno, "replace", shown)
            }
            let code: Int32
            do throws(StorageFault) {
                try Self.sync(folder: place.folder)
                code = try Self.moveToNew(staged, place.path)
            } catch {
                if try Self.moveToNew(aside, place.path) == EEXIST { unlink(aside) }
                throw error
            }
            guard code == 0 else {
                // The game may have saved in between. Then its file stays, and the former one is not needed.
                if try Self.moveToNew(aside, place.path) == EEXIST { unlink(aside) }
                throw code == EEXIST ? Self.gone(shown) : StorageFault(code: code, "replace", shown)
            }
        }
        // The swap is done: throwing now would claim that it is not. If a later step fails, the next look at the
        // staged file does it (``settleAside(_:_:)``).
        try? Self.sync(folder: place.folder)
        _ = rename(aside, staged)
    }

    /// Finishes or undoes an interrupted swap in several steps. Nearly always there is nothing to do, and the call only
    /// looks up one name.
    func settleAside(_ name: String, _ place: ProfilePlace) throws(StorageFault) {
        guard name.utf8.count + Self.asideSuffix.utf8.count <= 255 else { return }
        let aside = try place.beside(name + Self.asideSuffix)
        guard try Self.status(aside) != nil else { return }
        let staged = try place.beside(name)
        // If there is no file at the path, the new file was not in place yet: undo. If no file has the staged name,
        // the new file is in place: finish.
        for free in [place.path, staged] {
            let code = try Self.moveToNew(aside, free)
            // The rename is made durable at once: a note of the staged name may follow, and must not exist without the
            // file.
            if code == 0 { return try Self.sync(folder: place.folder) }
            guard code == EEXIST else { throw StorageFault(code: code, "rename", aside) }
        }
        // Both names are taken: the aside file is a second name of the former file, or the game has saved over it
        // since.
        unlink(aside)
    }
}
