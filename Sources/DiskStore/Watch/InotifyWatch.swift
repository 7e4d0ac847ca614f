#if os(Linux)
    import Glibc
    import Logging
    import MergeCore
    import ProfileKeeping
    import Synchronization

    /// Watches folders with inotify(7).
    ///
    /// All state is behind one lock. `report` is called outside of the lock, on the thread of ``run()``.
    final class InotifyWatch: FolderWatch {
        typealias Report = @Sendable (_ path: String, _ event: FileDebouncer.Event) -> Void

        private struct State {
            var plan = WatchPlan()
            /// The watch of each folder. Two paths that lead to one folder share a watch.
            var watches: [String: Int32] = [:]
            var spellings: [Int32: Set<String>] = [:]
            var missing: Set<String> = []
        }

        private let state = Mutex(State())
        private let logger: Logger
        private let report: Report
        private let probe: WriterProbe?
        /// Closed only with the last reference to this object, so that no call can use the number after the system has
        /// given it to another file.
        private let inotify: Int32
        private let wakeRead: Int32
        private let wakeWrite: Int32
        private let isClosed = Atomic(false)

        private static let mask = UInt32(
            IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_DELETE | IN_ATTRIB
                | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK)

        init(logger: Logger, probe: WriterProbe?, report: @escaping Report) throws(StorageFault) {
            self.logger = logger
            self.probe = probe
            self.report = report
            var ends: [Int32] = [-1, -1]
            let number = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
            guard number >= 0 else {
                throw StorageFault(
                    .other,
                    "the system gives no file watch (\(String(cString: strerror(errno)))); raise fs.inotify.max_user_instances"
                )
            }
            guard pipe(&ends) == 0 else {
                Glibc.close(number)
                throw StorageFault(code: errno, "make a pipe for", "the file watch")
            }
            for end in ends {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
            inotify = number
            (wakeRead, wakeWrite) = (ends[0], ends[1])
        }

        deinit { for number in [inotify, wakeRead, wakeWrite] { Glibc.close(number) } }

        // MARK: Asking

        func set(_ paths: Set<String>, without gone: Set<String>) {
            state.withLock { state in
                state.plan.set(paths, without: gone)
                adjust(&state)
            }
            wake()
        }

        func refresh() {
            let changed = state.withLock { state in
                for path in Array(state.plan.paths) { state.plan.look(at: path) }
                var changed = adjust(&state)
                for (folder, watch) in state.watches {
                    // Adding a watch to the same folder again gives the same number.
                    let number = inotify_add_watch(inotify, folder, Self.mask)
                    guard number != watch else { continue }
                    forget(folder, &state)
                    _ = add(folder, &state)
                    changed.formUnion(state.plan.paths(in: folder))
                }
                return changed
            }
            for path in changed.sorted() { report(path, .unsure) }
            wake()
        }

        func close() {
            isClosed.store(true, ordering: .releasing)
            wake()
        }

        private func wake() {
            var byte: UInt8 = 1
            _ = write(wakeWrite, &byte, 1)
        }

        // MARK: Folders

        /// Watches exactly the folders that the plan needs. Returns the paths whose folder is newly watched.
        @discardableResult
        private func adjust(_ state: inout State) -> Set<String> {
            for folder in state.watches.keys where state.plan.folders[folder] == nil { forget(folder, &state) }
            state.missing = state.missing.filter { state.plan.folders[$0] != nil }
            var fresh: Set<String> = []
            for folder in state.plan.folders.keys where state.watches[folder] == nil {
                if add(folder, &state) { fresh.formUnion(state.plan.paths(in: folder)) }
            }
            return fresh
        }

        private func add(_ folder: String, _ state: inout State) -> Bool {
            let number = inotify_add_watch(inotify, folder, Self.mask)
            let code = errno
            guard number >= 0 else {
                if state.missing.insert(folder).inserted {
                    logger.notice(
                        "a folder cannot be watched; looking for it every second",
                        metadata: ["folder": "\(folder)", "reason": "\(String(cString: strerror(code)))"])
                }
                return false
            }
            state.missing.remove(folder)
            state.watches[folder] = number
            state.spellings[number, default: []].insert(folder)
            return true
        }

        private func forget(_ folder: String, _ state: inout State) {
            guard let number = state.watches.removeValue(forKey: folder) else { return }
            state.spellings[number]?.remove(folder)
            guard state.spellings[number]?.isEmpty == true else { return }
            state.spellings[number] = nil
            _ = inotify_rm_watch(inotify, number)
        }

        // MARK: Listening

        func run() {
            var nextLook: MonotonicTime?
            withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 8) { buffer in
                while !isClosed.load(ordering: .acquiring) {
                    let isMissing = state.withLock { !$0.missing.isEmpty }
                    if isMissing, .now >= nextLook ?? .min {
                        lookForMissing()
                        nextLook = .now + .seconds(1)
                    }
                    if !isMissing { nextLook = nil }
                    let wait = nextLook.map { Int32(clamping: max(0, ($0 - .now).wholeMilliseconds)) } ?? -1
                    var polls = [
                        pollfd(fd: inotify, events: Int16(POLLIN), revents: 0),
                        pollfd(fd: wakeRead, events: Int16(POLLIN), revents: 0),
                    ]
                    _ = poll(&polls, 2, wait)
                    if polls[1].revents != 0 {
                        var bytes = [UInt8](repeating: 0, count: 64)
                        while read(wakeRead, &bytes, bytes.count) > 0 {}
                    }
                    if polls[0].revents != 0 {
                        let count = read(inotify, buffer.baseAddress, buffer.count)
                        if count > 0 { handle(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
                    }
                }
            }
        }

        private func lookForMissing() {
            let found = state.withLock { adjust(&$0) }
            for path in found.sorted() { report(path, .unsure) }
        }

        private func handle(_ buffer: UnsafeRawBufferPointer) {
            let events = InotifyEvent.all(in: buffer)
            if let probe { probe.received(state.withLock { state in events.flatMap { notes(of: $0, state) } }) }
            let swapped = InotifyEvent.swappedAway(in: events)
            let others = events.filter { $0.mask & UInt32(IN_MOVED_FROM) == 0 || !swapped.contains($0.cookie) }
            let reports = state.withLock { state in
                var reports = WatchReports()
                for event in others { take(event, &state, &reports) }
                for path in reports.paths where state.plan.look(at: path) {
                    adjust(&state)
                    // The new target was not watched until now, so it may have changed.
                    reports.add(path, .unsure)
                }
                return reports.list
            }
            for (path, event) in reports {
                guard !isClosed.load(ordering: .acquiring) else { return }
                report(path, event)
            }
        }

        /// The events of writing for the probe of writers; none for files that Hearth made itself.
        private func notes(of event: InotifyEvent, _ state: State) -> [WriterProbe.Note] {
            guard !event.name.isEmpty, !event.name.hasPrefix(".hearth-") else { return [] }
            var notes: [WriterProbe.Note] = []
            for folder in state.spellings[event.watch] ?? [] {
                let paths = state.plan.folders[folder]?[event.name]?.sorted ?? []
                if event.mask & UInt32(IN_CREATE | IN_MODIFY) != 0 {
                    notes.append(.stirred(folder: folder))
                    if !paths.isEmpty { notes.append(.wrote(paths: paths, folder: folder, name: event.name)) }
                } else if event.mask & UInt32(IN_MOVED_FROM) != 0 {
                    notes.append(.from(folder: folder, name: event.name, cookie: event.cookie))
                } else if event.mask & UInt32(IN_MOVED_TO) != 0, !paths.isEmpty {
                    notes.append(.to(paths: paths, cookie: event.cookie))
                }
            }
            return notes
        }

        private func take(_ event: InotifyEvent, _ state: inout State, _ reports: inout WatchReports) {
            if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
                for path in state.plan.paths.sorted() { reports.add(path, .unsure) }
                return
            }
            let spellings = (state.spellings[event.watch] ?? []).sorted()
            if event.mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED) != 0 {
                for folder in spellings {
                    forget(folder, &state)
                    state.missing.insert(folder)
                    for path in state.plan.paths(in: folder).sorted() { reports.add(path, .unsure) }
                }
                return
            }
            guard !event.name.isEmpty, !event.name.hasPrefix(".hearth-") else { return }
            let kind: FileDebouncer.Event = event.mask & UInt32(IN_MOVED_TO) != 0 ? .replaced : .written
            for folder in spellings {
                for path in state.plan.folders[folder]?[event.name]?.sorted ?? [] { reports.add(path, kind) }
            }
        }
    }
#endif
