import Synchronization

/// Hands values to everybody who listens. Whoever reads too slowly loses the oldest, and is told so.
final class ChangeFeed<Element: Sendable>: Sendable {
    private struct State {
        var next: UInt64 = 0
        var listeners: [UInt64: AsyncStream<Element>.Continuation] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())
    private let limit: Int
    /// What takes the place of values that were lost.
    private let gap: Element?

    /// - Parameter limit: How many values wait for one listener.
    init(limit: Int = 256, gap: Element? = nil) { (self.limit, self.gap) = (limit, gap) }

    /// Whether anybody listens.
    var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

    /// A stream of what comes from now on.
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
