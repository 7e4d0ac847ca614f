import HouseholdAgent
import LANTransport
import Synchronization

/// Keeps every event of a transport and lets a test wait for one. A test's time limit bounds the wait.
final class Recorder: Sendable {
    private struct Waiter {
        var number: Int
        var matches: @Sendable (TransportEvent) -> Bool
        var continuation: CheckedContinuation<TransportEvent, any Error>
    }

    private struct State {
        var events: [TransportEvent] = []
        var waiters: [Waiter] = []
        var lastWaiter = 0
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())

    var events: [TransportEvent] { state.withLock { $0.events } }

    func record(_ event: TransportEvent) {
        let woken = state.withLock { state in
            state.events.append(event)
            // Once each: some count.
            let matches = state.waiters.map { $0.matches(event) }
            let woken = zip(state.waiters, matches).filter(\.1).map(\.0)
            state.waiters = zip(state.waiters, matches).filter { !$0.1 }.map(\.0)
            return woken
        }
        for waiter in woken { waiter.continuation.resume(returning: event) }
    }

    /// The first event, past or to come, that matches.
    func first(where matches: @escaping @Sendable (TransportEvent) -> Bool) async throws -> TransportEvent {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let answer = state.withLock { state -> Result<TransportEvent, any Error>? in
                    if let event = state.events.first(where: matches) { return .success(event) }
                    if state.cancelled.contains(number) { return .failure(CancellationError()) }
                    state.waiters.append(Waiter(number: number, matches: matches, continuation: continuation))
                    return nil
                }
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.cancelled.insert(number)
                let index = state.waiters.firstIndex { $0.number == number }
                return index.map { state.waiters.remove(at: $0) }
            }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }

    struct Opened {
        var id: ConnectionID
        var purpose: LinkPurpose
        var peerKey: [UInt8]
        var remote: PeerAddress
        var dialled: Bool
        var isHere: Bool
    }

    /// The first connection that opened: any, the one with an id, or the one with a peer's key.
    func opened(_ wanted: ConnectionID? = nil, key wantedKey: [UInt8]? = nil) async throws -> Opened {
        let event = try await first { event in
            guard case .opened(let id, _, let key, _, _, _) = event else { return false }
            return (wanted == nil || wanted == id) && (wantedKey == nil || wantedKey == key)
        }
        guard case .opened(let id, let purpose, let key, let remote, let dialled, let isHere) = event else {
            preconditionFailure("first(where:) gave an event that does not match")
        }
        return Opened(id: id, purpose: purpose, peerKey: key, remote: remote, dialled: dialled, isHere: isHere)
    }

    func closed(_ id: ConnectionID) async throws -> String {
        let event = try await first { if case .closed(id, _) = $0 { true } else { false } }
        guard case .closed(_, let reason) = event else { return "" }
        return reason
    }

    func dialFailed(_ id: ConnectionID) async throws -> String {
        let event = try await first { if case .dialFailed(id, _) = $0 { true } else { false } }
        guard case .dialFailed(_, let reason) = event else { return "" }
        return reason
    }

    func refused() async throws -> String {
        let event = try await first { if case .refused = $0 { true } else { false } }
        guard case .refused(_, let reason, _) = event else { return "" }
        return reason
    }

    /// Waits until `count` bytes came on a connection, and returns them.
    func bytes(_ count: Int, on id: ConnectionID) async throws -> [UInt8] {
        let total = Mutex(0)
        // Past events are offered in order, then each new one once, so a running sum is right.
        _ = try await first { event in
            guard case .received(id, let bytes) = event else { return false }
            return total.withLock { total in
                total += bytes.count
                return total >= count
            }
        }
        return received(on: id)
    }

    func received(on id: ConnectionID) -> [UInt8] {
        events.flatMap { event -> [UInt8] in
            if case .received(id, let bytes) = event { bytes } else { [] }
        }
    }

    func count(where matches: (TransportEvent) -> Bool) -> Int {
        events.count(where: matches)
    }
}
