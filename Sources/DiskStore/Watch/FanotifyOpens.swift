#if os(Linux)
    import Glibc
    package import ProfileKeeping
    import Synchronization

    /// Finds out with fanotify(7) which watched files other processes open for reading.
    ///
    /// Since Linux 5.13 any user may watch their own folders in this way. The kernel marks the opens of this process;
    /// of other processes it only says that they opened a file. If fanotify is not available (an older kernel, a file
    /// system without file handles, a container that forbids it), the answer is always `.unknown`.
    ///
    /// The kernel notes an open before the process has read a byte, and the notes are read when a question comes, so an
    /// answer includes everything that happened before it. Each folder has a queue of its own; if it overflows, all
    /// files of the folder are unknown until the next question. Waiting notes of one process about one file are merged,
    /// so a thousand reads are one note. Between questions this costs nothing.
    ///
    /// A process that only writes the file does not count as a reader. Known limit: a process that reads a file by
    /// mapping it into memory, and writes the same file in place by system calls, looks like one that only writes.
    package final class FanotifyOpens: OpenWatch {
        /// The largest number of watched folders: a user may have 128 queues.
        static let limit = 24

        /// The real place of a path.
        private struct Place: Equatable {
            var folder: String
            var device: UInt64
            var inode: UInt64
            var name: String

            var key: Key { Key(folder: folder, name: name) }
        }

        /// The folder and the name that an event of the kernel carries. Its watched paths are looked up by it.
        private struct Key: Hashable {
            let folder: String
            let name: String
        }

        private struct Watched {
            var place: Place?
            var seen = FileOpens.unknown
        }

        private struct State {
            var paths: [String: Watched] = [:]
            /// The paths that lead to each file. A note is about one of thousands.
            var byFile: [Key: SmallSet<String>] = [:]
            /// The number of paths that lead into each folder.
            var uses: [String: Int] = [:]
            /// By folder: its queue, and the device and inode of the folder that the queue was made for.
            var queues: [String: (number: Int32, device: UInt64, inode: UInt64)] = [:]
        }

        private let state = Mutex(State())
        private let calls = Calls()

        package init() {}

        deinit { state.withLock { for queue in $0.queues.values { close(queue.number) } } }

        package func watch(_ paths: Set<String>, without gone: Set<String>) {
            state.withLock { state in
                for path in gone { set(path, to: nil, &state) }
                // A path that is watched already needs no look here: each question about it looks up its file anew.
                for path in paths where state.paths[path] == nil {
                    set(path, to: Watched(), &state)
                    place(path, &state)
                }
                for (folder, queue) in state.queues where state.uses[folder] == nil {
                    close(queue.number)
                    state.queues[folder] = nil
                }
            }
        }

        package func watchNothing() {
            state.withLock { state in
                for queue in state.queues.values { close(queue.number) }
                state = State()
            }
        }

        package func opens(of path: String) -> FileOpens {
            state.withLock { state in
                guard state.paths[path] != nil else { return .unknown }
                place(path, &state)
                guard let folder = state.paths[path]?.place?.folder, state.queues[folder] != nil else {
                    return .unknown
                }
                take(from: folder, &state)
                let seen = state.paths[path]?.seen ?? .unknown
                state.paths[path]?.seen = .none
                return seen
            }
        }

        /// Finds the real place of a path, and watches its folder. Opens of the file are unknown until the watch is set
        /// up.
        private func place(_ path: String, _ state: inout State) {
            var found = Self.find(path)
            // Thousands of files may be in one folder, whose name is in memory once then.
            if let known = found.flatMap({ state.uses.index(forKey: $0.folder) }) {
                found?.folder = state.uses[known].key
            }
            if let found, let queue = state.queues[found.folder],
                (queue.device, queue.inode) != (found.device, found.inode)
            {
                // Another folder has that name now.
                close(queue.number)
                state.queues[found.folder] = nil
            }
            if let found, state.queues[found.folder] == nil, state.queues.count < Self.limit,
                let number = calls.queue(of: found.folder)
            {
                state.queues[found.folder] = (number, found.device, found.inode)
                for other in state.paths.keys where state.paths[other]?.place?.folder == found.folder {
                    state.paths[other]?.seen = .unknown
                }
                state.paths[path]?.seen = .unknown
            }
            guard state.paths[path]?.place != found else { return }
            set(path, to: Watched(place: found), &state)
        }

        private func set(_ path: String, to new: Watched?, _ state: inout State) {
            if let key = state.paths[path]?.place?.key {
                state.byFile.remove(path, at: key)
                let left = state.uses[key.folder, default: 1] - 1
                state.uses[key.folder] = left == 0 ? nil : left
            }
            state.paths[path] = new
            if let key = new?.place?.key {
                state.byFile.insert(path, at: key)
                state.uses[key.folder, default: 0] += 1
            }
        }

        private static func find(_ path: String) -> Place? {
            guard let place = try? ProfilePlace(path) else { return nil }
            var status = stat()
            guard stat(place.folder, &status) == 0 else { return nil }
            return Place(
                folder: place.folder, device: UInt64(status.st_dev), inode: UInt64(status.st_ino), name: place.name)
        }

        // MARK: What the kernel has noted

        private func take(from folder: String, _ state: inout State) {
            guard let queue = state.queues[folder] else { return }
            let own = getpid()
            let notes = Note.waiting(in: queue.number).filter { $0.process != own || $0.isOverflow }
            // Whoever replaces a file by rename makes the new one first, in the same folder. So an open before that was
            // an open of the former content, and one after it may have been of the new one.
            let moves = notes.indices.filter { notes[$0].isMoveAway }
            for (index, note) in notes.enumerated() {
                if note.isOverflow {
                    for path in state.paths.keys where state.paths[path]?.place?.folder == folder {
                        state.paths[path]!.seen = state.paths[path]!.seen.and(.unknown)
                    }
                } else if note.isRead {
                    let isFormer = note.isReplacement && moves.first.map { $0 > index } == true
                    for path in state.byFile[Key(folder: folder, name: note.name)]?.sorted ?? [] {
                        let seen = state.paths[path]?.seen ?? .unknown
                        state.paths[path]?.seen = seen.and(isFormer ? .byWriter : .seen)
                    }
                }
            }
        }

        /// One note of the kernel: a fixed head, then the file that it is about.
        private struct Note {
            let mask: UInt64
            let process: Int32
            let name: String

            static let access: UInt64 = 0x1
            static let modify: UInt64 = 0x2
            static let closeWrite: UInt64 = 0x8
            static let closeNoWrite: UInt64 = 0x10
            static let open: UInt64 = 0x20
            static let movedAway: UInt64 = 0x40
            static let movedHere: UInt64 = 0x80
            static let overflow: UInt64 = 0x4000
            static let onChild: UInt64 = 0x0800_0000
            private static let named: UInt8 = 2

            var isOverflow: Bool { mask & Self.overflow != 0 }

            /// Whether the file may have been read. If it was opened for writing only, the later events show that. If
            /// nothing was written after an open, the process may have mapped the file into memory.
            var isRead: Bool {
                if mask & (Self.access | Self.closeNoWrite) != 0 { return true }
                return mask & Self.open != 0 && mask & Self.modify == 0
            }

            /// Whether the process put another file in the place of this one, and did nothing else to it but opening it. The
            /// kernel merges the waiting notes of one process about one name into the first of them, so a game that read its
            /// file and saved is one note.
            var isReplacement: Bool { mask & (Self.movedHere | Self.movedAway | Self.modify) == Self.movedHere }

            /// Whether the process gave this file another name.
            var isMoveAway: Bool { mask & Self.movedAway != 0 }

            /// All that wait, the oldest first.
            static func waiting(in queue: Int32) -> [Note] {
                var notes: [Note] = []
                withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 8) { buffer in
                    while true {
                        let count = read(queue, buffer.baseAddress, buffer.count)
                        guard count > 0 else { return }
                        notes += all(in: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                    }
                }
                return notes
            }

            static func all(in buffer: UnsafeRawBufferPointer) -> [Note] {
                var notes: [Note] = []
                var start = 0
                while start + 24 <= buffer.count {
                    let length = Int(buffer.loadUnaligned(fromByteOffset: start, as: UInt32.self))
                    guard 24...(buffer.count - start) ~= length else { break }
                    let head = Int(buffer.loadUnaligned(fromByteOffset: start + 6, as: UInt16.self))
                    let whole = UnsafeRawBufferPointer(rebasing: buffer[start..<(start + length)])
                    notes.append(
                        Note(
                            mask: buffer.loadUnaligned(fromByteOffset: start + 8, as: UInt64.self),
                            process: buffer.loadUnaligned(fromByteOffset: start + 20, as: Int32.self),
                            name: name(in: whole, from: head)))
                    start += length
                }
                return notes
            }

            /// The name of the file in its folder; empty where there is none, or the note has an unknown form.
            private static func name(in note: UnsafeRawBufferPointer, from head: Int) -> String {
                var start = head
                while start + 20 <= note.count {
                    let length = Int(note.loadUnaligned(fromByteOffset: start + 2, as: UInt16.self))
                    guard 4...(note.count - start) ~= length else { return "" }
                    if note[start] == named {
                        let handle = Int(note.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self))
                        let first = start + 20 + handle
                        guard first < start + length else { return "" }
                        return String(decoding: note[first..<(start + length)].prefix { $0 != 0 }, as: UTF8.self)
                    }
                    start += length
                }
                return ""
            }
        }

        /// The two calls of fanotify, looked up by name, because Swift's module of the C library lacks them.
        private struct Calls {
            private typealias Begin = @convention(c) (UInt32, UInt32) -> Int32
            private typealias Mark = @convention(c) (Int32, UInt32, UInt64, Int32, UnsafePointer<CChar>) -> Int32

            private let begin: Begin?
            private let mark: Mark?

            private static let closeOnExec: UInt32 = 0x1
            private static let nonBlocking: UInt32 = 0x2
            private static let folderAndName: UInt32 = 0xC00
            private static let add: UInt32 = 0x1
            private static let onlyFolders: UInt32 = 0x8
            private static let here: Int32 = -100

            init() {
                begin = dlsym(nil, "fanotify_init").map { unsafeBitCast($0, to: Begin.self) }
                mark = dlsym(nil, "fanotify_mark").map { unsafeBitCast($0, to: Mark.self) }
            }

            /// Makes a queue for the events of a folder's files; `nil` where the system gives none.
            func queue(of folder: String) -> Int32? {
                guard let begin, let mark else { return nil }
                let number = begin(
                    Self.closeOnExec | Self.nonBlocking | Self.folderAndName, UInt32(O_RDONLY | O_CLOEXEC))
                guard number >= 0 else { return nil }
                let wanted =
                    Note.access | Note.modify | Note.closeWrite | Note.closeNoWrite | Note.open | Note.movedHere
                    | Note.movedAway | Note.onChild
                guard mark(number, Self.add | Self.onlyFolders, wanted, Self.here, folder) == 0 else {
                    close(number)
                    return nil
                }
                return number
            }
        }
    }
#endif
