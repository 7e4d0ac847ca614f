import ControlInterface
import HouseholdAgent
import Synchronization

/// Follows the agent for all clients of the event stream together. It begins with the first client, and goes on until the
/// server stops listening, so that a client that comes back finds what it has missed.
final class EventFeed: Sendable {
    private struct State {
        var log: EventLog
        var clients: [UInt64: AsyncStream<Void>.Continuation] = [:]
        var next: UInt64 = 0
    }

    private let state: Mutex<State>
    private let first = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(tag: String) { state = Mutex(State(log: EventLog(tag: tag))) }

    /// Follows the agent once there is a client.
    func run(_ submit: @Sendable (any AgentRequest) -> AsyncStream<AgentReply>) async {
        for await _ in first.stream {
            for await reply in submit(FollowRequest()) {
                if let report = reply.message(FollowReport.self) { add(ControlCoding.bytes(report)) }
            }
        }
    }

    var hasClients: Bool { state.withLock { !$0.clients.isEmpty } }

    func add(_ json: [UInt8]) {
        let clients = state.withLock { state in
            state.log.append(json)
            return Array(state.clients.values)
        }
        for client in clients { client.yield() }
    }

    /// A client of the stream.
    final class Client: Sendable {
        /// Gives a value whenever there may be news; several changes in a row are one.
        let signals: AsyncStream<Void>
        private let signal: AsyncStream<Void>.Continuation
        private let feed: EventFeed
        private let number: UInt64
        private let cursor: Mutex<EventLog.Cursor>

        fileprivate init(
            _ feed: EventFeed, _ number: UInt64, _ cursor: EventLog.Cursor,
            _ signals: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)
        ) {
            (self.feed, self.number) = (feed, number)
            self.cursor = Mutex(cursor)
            (self.signals, signal) = signals
        }

        /// The changes that this client has not been sent yet, as lines of the stream.
        func news() -> [UInt8] {
            cursor.withLock { cursor in feed.state.withLock { $0.log.news(&cursor) } }
        }

        /// Ends its signals. Called when the client is gone.
        func end() {
            feed.state.withLock { $0.clients[number] = nil }
            signal.finish()
        }
    }

    /// The most clients at once; a browser has one for each tab.
    static let clientLimit = 16

    /// - Parameter last: The id of the event that the client has seen last, as it says.
    /// - Returns: `nil` where there are too many clients already.
    func client(after last: String?) -> Client? {
        let signals = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        signals.continuation.yield()
        let client = state.withLock { state -> Client? in
            guard state.clients.count < Self.clientLimit else { return nil }
            state.next += 1
            state.clients[state.next] = signals.continuation
            return Client(self, state.next, state.log.cursor(after: last), signals)
        }
        if client != nil { first.continuation.yield() }
        return client
    }
}
