import Synchronization

/// Delivers values to any number of listeners. A listener that reads too slowly loses the oldest values; where there is
/// a `gap` value, it gets that as well.
final class ChangeFeed<Element: Sendable>: Sendable {
    private struct State {
        var next: UInt64 = 0
        var listeners: [UInt64: AsyncStream<Element>.Continuation] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())
    private let limit: Int
    /// Tells a listener that values were lost.
    private let gap: Element?

    /// - Parameter limit: How many values are kept for each listener until it reads them.
    init(limit: Int = 256, gap: Element? = nil) { (self.limit, self.gap) = (limit, gap) }

    var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

    /// A stream of the values from now on; it ends when the feed is closed.
    func listen() -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(limit))
        let number = state.withLock { state -> UInt64? in
            guard !state.isClosed else { return nil }
            state.next += 1
            state.listeners[state.next] = continuation
            return state.next
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    func publish(_ values: [Element]) {
        guard !values.isEmpty else { return }
        for listener in state.withLock({ $0.listeners.sorted { $0.key < $1.key }.map(\.value) }) {
            var isCut = false
            for value in values {
                if case .dropped = listener.yield(value) { isCut = true }
            }
            if isCut, let gap { listener.yield(gap) }
        }
    }

    func close() {
        let listeners = state.withLock { state in
            defer { state.listeners = [:] }
            state.isClosed = true
            return state.listeners.values.map { $0 }
        }
        for listener in listeners { listener.finish() }
    }
}
