import Synchronization

/// A mutex for tasks. It lets one task in at a time, in the order of arrival; the holder may suspend.
final class AsyncMutex: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Runs `body` while holding the mutex.
    func withLock<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        await wait()
        defer { pass() }
        return try await body()
    }

    private func wait() async {
        await withCheckedContinuation { continuation in
            let mayGo = state.withLock { state in
                if state.isTaken {
                    state.waiting.append(continuation)
                    return false
                }
                state.isTaken = true
                return true
            }
            if mayGo { continuation.resume() }
        }
    }

    private func pass() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
