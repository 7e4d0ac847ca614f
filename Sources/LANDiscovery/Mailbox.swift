import HouseholdAgent
import Libc
import Synchronization

/// The only state that the discovery thread shares with the rest of the program: what to publish, and whether to stop.
///
/// Every change also writes a byte into a pipe, which wakes a thread that sleeps in `poll`. So does a change of the
/// network, where the kernel tells of it (``NetworkNews``).
final class Mailbox: Sendable {
    private struct Content {
        var announcement: ServiceAnnouncement?
        var isCancelled = false
        var waiter: CheckedContinuation<Void, Never>?
        var hasEnded = false
    }

    private let content = Mutex(Content())
    /// The end of the pipe that the thread polls; it becomes readable when something has changed.
    private let readDescriptor: Int32
    private let writeDescriptor: Int32
    /// Becomes readable when the network may have changed; `nil` where the kernel does not tell that.
    private let newsDescriptor: Int32?

    /// Fails when the process has no descriptors left.
    ///
    /// - Parameter news: Opens a descriptor that becomes readable when the network may have changed.
    init?(news: () -> Int32? = NetworkNews.open) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        (readDescriptor, writeDescriptor) = (ends[0], ends[1])
        newsDescriptor = news()
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        close(readDescriptor)
        close(writeDescriptor)
        if let newsDescriptor { close(newsDescriptor) }
    }

    /// The descriptors that the discovery thread polls beside its own sockets. One becomes readable when the mailbox has
    /// changed, the other when the network may have.
    var wakeDescriptors: [Int32] { [readDescriptor] + (newsDescriptor.map { [$0] } ?? []) }

    /// Whether the kernel tells of changes of the network.
    var hasNews: Bool { newsDescriptor != nil }

    /// The announcement to publish; nil until the first one came.
    var announcement: ServiceAnnouncement? { content.withLock { $0.announcement } }

    /// Whether the thread was asked to end.
    var isCancelled: Bool { content.withLock { $0.isCancelled } }

    func post(_ announcement: ServiceAnnouncement) {
        content.withLock { $0.announcement = announcement }
        wake()
    }

    func cancel() {
        content.withLock { $0.isCancelled = true }
        wake()
    }

    /// Runs `work`, unless the thread was asked to end or has ended: this keeps reports from coming after the end.
    func whileOpen(_ work: () -> Void) {
        let isOpen = content.withLock { !$0.hasEnded && !$0.isCancelled }
        if isOpen { work() }
    }

    /// Suspends the task until `end` was called.
    func untilEnd() async {
        await withCheckedContinuation { continuation in
            let hasEnded = content.withLock { content in
                if !content.hasEnded { content.waiter = continuation }
                return content.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }

    /// Notes that the thread has ended, or that no task is to wait for it any longer. Repeating it does nothing.
    func end() {
        let waiter = content.withLock { content in
            defer { content.waiter = nil }
            content.hasEnded = true
            return content.waiter
        }
        waiter?.resume()
    }

    /// Empties the pipe, and takes the news of the network. Returns whether there were any.
    func drain() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(readDescriptor, &bytes, bytes.count) == bytes.count {}
        return newsDescriptor.map(NetworkNews.take) ?? false
    }

    /// Sleeps until something changes, at most `milliseconds`.
    func sleep(milliseconds: Int32) {
        var descriptors = wakeDescriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        poll(&descriptors, nfds_t(descriptors.count), milliseconds)
    }

    /// Wakes the thread that sleeps in `poll`.
    func wake() {
        // A full pipe already wakes the reader.
        _ = write(writeDescriptor, [0], 1)
    }
}
