import HouseholdAgent
import Synchronization

/// The queue of all events of an agent. They are handled in the order of arrival.
///
/// The inbox wakes its reader, the agent's host, with the function that ``serve(_:)`` was given. That function schedules
/// work on the event loop of the host itself. An `AsyncStream` would first wake a thread of Swift's shared pool for each
/// event, and that one the thread of the host.
final class AgentInbox: Sendable {
    private struct Content {
        var events: [AgentEvent] = []
        var wake: (@Sendable () -> Void)?
        /// Whether `wake` was called since events were taken for the last time.
        var isAwake = false
        var isClosed = false

        /// The function that wakes the reader, if the reader has to be woken now; `nil` where it was woken already, or there
        /// is nothing to take. Notes that it is woken.
        mutating func waking() -> (@Sendable () -> Void)? {
            guard !isAwake, !events.isEmpty || isClosed, let wake else { return nil }
            isAwake = true
            return wake
        }
    }

    private let content = Mutex(Content())

    func post(_ event: AgentEvent) {
        let wake = content.withLock { content in
            if !content.isClosed { content.events.append(event) }
            return content.waking()
        }
        wake?()
    }

    /// Has `wake` called when there is something to take: once, until it is taken.
    func serve(_ wake: @escaping @Sendable () -> Void) {
        let waking = content.withLock { content in
            content.wake = wake
            return content.waking()
        }
        waking?()
    }

    /// Takes all events that are here.
    ///
    /// - Returns: The events in order, and whether no more will come.
    func take() -> (events: [AgentEvent], isLast: Bool) {
        content.withLock { content in
            defer { (content.events, content.isAwake) = ([], false) }
            return (content.events, content.isClosed)
        }
    }

    /// Takes no more events in. Those that are here can still be taken.
    func close() {
        let wake = content.withLock { content in
            content.isClosed = true
            return content.waking()
        }
        wake?()
    }

    /// Takes no more events in, drops those that are here, and calls nobody any more.
    func end() { content.withLock { $0 = Content(isClosed: true) } }
}
