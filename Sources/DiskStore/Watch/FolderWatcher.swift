import Libc
package import Logging
package import ProfileKeeping
import Synchronization

/// Reports changes of profile files, by watching the folders that hold them.
///
/// - A file that is renamed to a watched path is reported as `.replaced`, any other change as `.written`.
/// - `.unsure` says that events may have been lost: the system's queue overflowed, or a folder vanished or came back.
/// - A path that is a symbolic link is watched at the link and at its target.
/// - Folders that do not exist (any more) are looked for once a second.
/// - Names that begin with `.hearth-` are Hearth's own and not reported.
///
/// Events are only hints. Some kinds of file systems do not report changes by other machines, and only ``refresh()``
/// notices that a folder's parent was renamed. So callers have to look at every file from time to time.
package final class FolderWatcher: Sendable {
    private let watch: any FolderWatch
    private let thread: Mutex<OwnThread?>

    /// Starts a thread that calls `report` for every event, at once and one at a time.
    ///
    /// Equal events of one path that arrive together are reported once. After a ``watch(_:without:)`` without a path has
    /// returned, `report` is not called for that path any more; after ``stop()`` it is not called at all.
    ///
    /// - Parameter probe: Finds the process that writes, and may report it after the event itself.
    package init(
        logger: Logger, probe: WriterProbe? = nil,
        report: @escaping @Sendable (_ path: String, _ event: FileDebouncer.Event) -> Void
    ) throws(StorageFault) {
        #if os(Linux)
            let watch = try InotifyWatch(logger: logger, probe: probe, report: report)
        #else
            let watch = try KqueueWatch(logger: logger, probe: probe, report: report)
        #endif
        self.watch = watch
        guard let started = OwnThread({ watch.run() }) else {
            watch.close()
            throw StorageFault(
                .other, "the system gives no thread to watch files; files are looked at now and then only")
        }
        thread = Mutex(started)
    }

    deinit { stop() }

    /// Watches more absolute paths, and others no more. Costs as much as those do, however many are watched already.
    package func watch(_ paths: Set<String>, without gone: Set<String> = []) { watch.set(paths, without: gone) }

    /// Resolves the watched paths again: finds folders that were replaced without an event.
    package func refresh() { watch.refresh() }

    /// Ends the thread. Returns when the last report has returned (unless called from within a report).
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

/// The common interface of the systems' ways to watch folders.
protocol FolderWatch: Sendable {
    /// Blocks until ``close()``, and reports events meanwhile.
    func run()
    func set(_ paths: Set<String>, without gone: Set<String>)
    func refresh()
    /// Ends ``run()``.
    func close()
}
