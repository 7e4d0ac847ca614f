/// What games and people do to the files, knowing nothing of Hearth.
extension MemoryFiles {
    /// How much of a save a game makes durable.
    package enum GameSync: CaseIterable, Sendable {
        /// Nothing: the system writes it when it likes.
        case nothing
        /// The content, before it gets its name.
        case content
        /// Content and name.
        case all
    }

    /// The clock that new files take their time from, milliseconds since 1970.
    package func setTime(_ time: Int64) { change { $0.time = time } }

    /// A game saves by writing another file and renaming it to the path.
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

    /// A game writes into the file that stands at the path.
    package func saveInPlace(
        _ bytes: [UInt8], at path: String, truncating: Bool = true, syncing sync: GameSync = .all
    ) {
        guard let inode = disk.names[path] else { return saveByRename(bytes, at: path, syncing: sync) }
        write(bytes, into: inode, truncating: truncating, syncing: sync)
    }

    /// A game opens the file at the path and keeps it open; returns a handle for writing into it.
    package func holdOpen(_ path: String) -> Int? {
        change { disk in
            guard let inode = disk.names[path] else { return nil }
            disk.open.insert(inode)
            return inode
        }
    }

    /// Writes to a file wherever its name is by now.
    ///
    /// - Parameter truncating: Empty it first (O_TRUNC), rather than write over it and cut off what is left.
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

    package func letGo(_ handle: Int) { change { _ = $0.open.remove(handle) } }

    package func delete(_ path: String) {
        change { disk in
            disk.unlink(path)
            disk.sync(folder: MemoryDisk.folder(path))
        }
    }
}
