package import MergeCore

/// Changes that games and people make to files, without knowing of Hearth.
extension MemoryFiles {
    /// The part of its save that a game makes durable.
    package enum GameSync: CaseIterable, Sendable {
        /// Nothing: the system writes it to the disk later.
        case nothing
        /// The content, before the file gets its name.
        case content
        /// The content and the name.
        case all
    }

    /// Sets the date that changed files get.
    package func setTime(_ time: WallTime) { change { $0.time = time } }

    /// Saves like a game that writes a new file and renames it to the path.
    package func saveByRename(_ bytes: [UInt8], at path: String, syncing sync: GameSync = .all) {
        change { disk in
            let temporary = path + ".game"
            disk.unlink(temporary)
            guard let inode = disk.create(temporary) else { return }
            disk.write(.put(bytes, at: 0), to: inode)
            if sync != .nothing { disk.sync(inode) }
            disk.rename(temporary, to: path)
            if sync == .all { disk.sync(folder: MemoryDisk.folder(path)) }
        }
    }

    /// Saves like a game that writes into the existing file.
    package func saveInPlace(
        _ bytes: [UInt8], at path: String, truncating: Bool = true, syncing sync: GameSync = .all
    ) {
        guard let inode = disk.names[path] else { return saveByRename(bytes, at: path, syncing: sync) }
        write(bytes, into: inode, truncating: truncating, syncing: sync)
    }

    /// Opens a file like a game that keeps it open. Returns a handle for writing into it; `nil` where there is no file.
    package func holdOpen(_ path: String) -> Int? {
        change { disk in
            guard let inode = disk.names[path] else { return nil }
            disk.open.insert(inode)
            return inode
        }
    }

    /// Writes into an open file, whatever its name is now.
    ///
    /// - Parameter truncating: Whether to empty the file first (O_TRUNC), or to overwrite it and cut off the rest.
    package func write(
        _ bytes: [UInt8], into handle: Int, truncating: Bool = true, syncing sync: GameSync = .all
    ) {
        change { disk in
            if truncating { disk.write(.cut(0), to: handle) }
            disk.write(.put(bytes, at: 0), to: handle)
            if !truncating { disk.write(.cut(bytes.count), to: handle) }
            if sync != .nothing { disk.sync(handle) }
        }
    }

    package func release(_ handle: Int) { change { _ = $0.open.remove(handle) } }

    package func delete(_ path: String) {
        change { disk in
            disk.unlink(path)
            disk.sync(folder: MemoryDisk.folder(path))
        }
    }
}
