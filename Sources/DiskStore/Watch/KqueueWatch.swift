#if canImport(Darwin)
    import Darwin
    import Logging
    import ProfileKeeping
    import Synchronization

    /// Watches folders and files with kqueue(2).
    ///
    /// It was written from the manual and only compiled for macOS; it has not run there yet. A folder's event says that
    /// its names changed but not which, so every path in it that has another file than before is reported as replaced.
    final class KqueueWatch: FolderWatch {
        typealias Report = @Sendable (_ path: String, _ event: FileDebouncer.Event) -> Void

        private struct State {
            var plan = WatchPlan()
            /// The open descriptors by watched path, of folders and files.
            var open: [String: Int32] = [:]
            var inodes: [String: UInt64] = [:]
        }

        private let state = Mutex(State())
        private let logger: Logger
        private let report: Report
        private let probe: WriterProbe?
        private let queue: Int32
        private let isClosed = Atomic(false)
        private static let wakeID: UInt = 1

        init(logger: Logger, probe: WriterProbe?, report: @escaping Report) throws(StorageFault) {
            self.logger = logger
            self.probe = probe
            self.report = report
            queue = kqueue()
            guard queue >= 0 else { throw StorageFault(code: errno, "make", "the file watch") }
            var wake = kevent(
                ident: Self.wakeID, filter: Int16(EVFILT_USER), flags: UInt16(EV_ADD | EV_CLEAR), fflags: 0, data: 0,
                udata: nil)
            _ = kevent(queue, &wake, 1, nil, 0, nil)
        }

        deinit {
            state.withLock { for number in $0.open.values { Darwin.close(number) } }
            Darwin.close(queue)
        }

        func set(_ paths: Set<String>, without gone: Set<String>) {
            state.withLock { state in
                state.plan.set(paths, without: gone)
                adjust(&state)
            }
            wake()
        }

        func refresh() {
            let changed = state.withLock { look(&$0, in: nil) }
            for path in changed { report(path, .unsure) }
        }

        func close() {
            isClosed.store(true, ordering: .releasing)
            wake()
        }

        private func wake() {
            var wake = kevent(
                ident: Self.wakeID, filter: Int16(EVFILT_USER), flags: 0, fflags: UInt32(NOTE_TRIGGER), data: 0,
                udata: nil)
            _ = kevent(queue, &wake, 1, nil, 0, nil)
        }

        /// Opens the folders and files of the plan that exist, and closes all others.
        private func adjust(_ state: inout State) {
            var wanted = Set(state.plan.folders.keys)
            for places in state.plan.places.values { wanted.formUnion(places.map { $0.folder + "/" + $0.name }) }
            for gone in Set(state.open.keys).subtracting(wanted) { drop(gone, &state) }
            for path in wanted where state.open[path] == nil {
                let number = open(path, O_EVTONLY | O_CLOEXEC)
                guard number >= 0 else { continue }
                state.open[path] = number
                state.inodes[path] = Self.inode(path)
                var event = kevent(
                    ident: UInt(number), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
                    fflags: UInt32(NOTE_WRITE | NOTE_EXTEND | NOTE_ATTRIB | NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE),
                    data: 0, udata: nil)
                _ = kevent(queue, &event, 1, nil, 0, nil)
            }
        }

        private func drop(_ path: String, _ state: inout State) {
            if let number = state.open.removeValue(forKey: path) { Darwin.close(number) }
            state.inodes[path] = nil
        }

        private static func inode(_ path: String) -> UInt64? {
            var status = stat()
            return lstat(path, &status) == 0 ? UInt64(status.st_ino) : nil
        }

        /// Finds the paths that have another file than before, and opens the new file in place of the former one.
        private func look(_ state: inout State, in folder: String?) -> [String] {
            var changed: Set<String> = []
            for (path, places) in state.plan.places {
                for place in places where folder == nil || place.folder == folder {
                    let file = place.folder + "/" + place.name
                    guard Self.inode(file) != state.inodes[file] else { continue }
                    drop(file, &state)
                    changed.insert(path)
                }
            }
            for path in changed { state.plan.look(at: path) }
            adjust(&state)
            return changed.sorted()
        }

        func run() {
            while !isClosed.load(ordering: .acquiring) {
                let complete = state.withLock { state in
                    state.plan.folders.keys.allSatisfy { state.open[$0] != nil }
                }
                var event = kevent()
                var second = timespec(tv_sec: 1, tv_nsec: 0)
                let count = complete ? kevent(queue, nil, 0, &event, 1, nil) : kevent(queue, nil, 0, &event, 1, &second)
                if count == 0 { refresh() }
                guard count > 0, event.filter == Int16(EVFILT_VNODE) else { continue }
                // A rename's two names are not connected here, so only a process that writes the file itself is found.
                for (path, kind) in state.withLock({ take(event, &$0) }) {
                    let (folder, name) = ProfilePlace.split(path)
                    probe?.received([.stirred(folder: folder), .wrote(paths: [path], folder: folder, name: name)])
                    report(path, kind)
                }
            }
        }

        private func take(_ event: kevent, _ state: inout State) -> [(String, FileDebouncer.Event)] {
            guard let path = state.open.first(where: { UInt($0.value) == event.ident })?.key else { return [] }
            let isGone = event.fflags & UInt32(NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE) != 0
            guard state.plan.folders[path] == nil else {
                if isGone { drop(path, &state) }
                let changed = look(&state, in: path)
                guard isGone else { return changed.map { ($0, .replaced) } }
                return state.plan.paths(in: path).sorted().map { ($0, .unsure) }
            }
            let (folder, name) = ProfilePlace.split(path)
            // The event of the folder shows which file is there instead.
            guard !isGone else { return [] }
            return (state.plan.folders[folder]?[name]?.sorted ?? []).map { ($0, .written) }
        }
    }
#endif
