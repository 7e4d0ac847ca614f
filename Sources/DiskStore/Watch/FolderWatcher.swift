package import Logging
package import ProfileKeeping
import Synchronization

/// Tells when something happens to profile files, by watching the folders they stand in.
///
/// - A file that is renamed to a watched path is reported as `.replaced`, any other change as `.written`.
/// - `.unsure` says that events may have been lost: the system's queue overflowed, or a folder vanished or came back.
/// - A path that is a symbolic link is watched at the link and at its target.
/// - Folders that do not exist (any more) are looked for once a second.
/// - Names that begin with `.hearth-` are Hearth's own and not reported.
///
/// Events are hints. Some kinds of file system report none of what other machines do there, and a folder whose parent
/// is renamed is noticed by ``refresh()`` only: callers look at every file now and then.
package final class FolderWatcher: Sendable {
    private let watch: any FolderWatch
    private let thread: Mutex<OwnThread?>

    /// Starts a thread that calls `report` for every event, at once and one at a time.
    ///
    /// Equal events of one path that arrive together are reported once. `report` may be called for a path up to the
    /// moment that ``watch(_:)`` without it returns, and never after ``stop()``.
    ///
    /// - Parameter scout: Tells who writes, right before the event itself is reported.
    package init(
        logger: Logger, scout: WriterScout? = nil,
        report: @escaping @Sendable (_ path: String, _ event: FileSettling.Event) -> Void
    ) throws(StorageFault) {
        #if os(Linux)
            let watch = try InotifyWatch(logger: logger, scout: scout, report: report)
        #else
            let watch = try KqueueWatch(logger: logger, scout: scout, report: report)
        #endif
        self.watch = watch
        guard let started = OwnThread({ watch.run() }) else {
            watch.close()
            throw StorageFault(.other, "the system gives no thread to watch files; files are looked at now and then only")
        }
        thread = Mutex(started)
    }

    deinit { stop() }

    /// Watches exactly these absolute paths. Calling it again with the same paths costs next to nothing.
    package func watch(_ paths: Set<String>) { watch.set(paths) }

    /// Looks again where the watched paths lead: finds folders that were exchanged behind a watched one's back.
    package func refresh() { watch.refresh() }

    /// Ends the thread; returns when the last report has returned (but for a call from within a report).
    package func stop() {
        let running = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        guard let running else { return }
        watch.close()
        running.join()
    }
}

/// What the systems' own ways to watch folders have in common.
protocol FolderWatch: Sendable {
    /// Blocks until ``close()``; reports meanwhile.
    func run()
    func set(_ paths: Set<String>)
    func refresh()
    /// Ends ``run()``.
    func close()
}
