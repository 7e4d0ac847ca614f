import HouseholdAgent
import LANTransport
import Synchronization

/// Keeps every event of a transport and lets a test wait for one. A test's time limit bounds the wait.
final class Recorder: Sendable {
    private struct Waiter {
        var matches: @Sendable (TransportEvent) -> Bool
        var continuation: CheckedContinuation<TransportEvent, Never>
    }

    private struct State {
        var events: [TransportEvent] = []
        var waiters: [Waiter] = []
    }

    private let state = Mutex(State())

    var events: [TransportEvent] { state.withLock { $0.events } }

    func record(_ event: TransportEvent) {
        let woken = state.withLock { state in
            state.events.append(event)
            let woken = state.waiters.filter { $0.matches(event) }
            state.waiters.removeAll { $0.matches(event) }
            return woken
        }
        for waiter in woken { waiter.continuation.resume(returning: event) }
    }

    /// The first event, past or to come, that matches.
    func first(where matches: @escaping @Sendable (TransportEvent) -> Bool) async -> TransportEvent {
        await withCheckedContinuation { continuation in
            let found = state.withLock { state -> TransportEvent? in
                if let event = state.events.first(where: matches) { return event }
                state.waiters.append(Waiter(matches: matches, continuation: continuation))
                return nil
            }
            if let found { continuation.resume(returning: found) }
        }
    }

    struct Opened {
        var id: ConnectionID
        var purpose: LinkPurpose
        var peerKey: [UInt8]
        var remote: PeerAddress
        var dialled: Bool
    }

    func opened(where matches: @escaping @Sendable ([UInt8]) -> Bool = { _ in true }) async -> Opened {
        let event = await first { event in
            if case .opened(_, _, let key, _, _) = event { matches(key) } else { false }
        }
        guard case .opened(let id, let purpose, let key, let remote, let dialled) = event else {
            preconditionFailure("first(where:) gave an event that does not match")
        }
        return Opened(id: id, purpose: purpose, peerKey: key, remote: remote, dialled: dialled)
    }

    func closed(_ id: ConnectionID) async -> String {
        let event = await first { if case .closed(id, _) = $0 { true } else { false } }
        guard case .closed(_, let reason) = event else { return "" }
        return reason
    }

    func dialFailed(_ id: ConnectionID) async -> String {
        let event = await first { if case .dialFailed(id, _) = $0 { true } else { false } }
        guard case .dialFailed(_, let reason) = event else { return "" }
        return reason
    }

    func refused() async -> String {
        let event = await first { if case .refused = $0 { true } else { false } }
        guard case .refused(_, let reason) = event else { return "" }
        return reason
    }

    /// Waits until `count` bytes came on a connection, and returns them.
    func bytes(_ count: Int, on id: ConnectionID) async -> [UInt8] {
        let total = Mutex(0)
        // Past events are offered in order, then each new one once, so a running sum is right.
        _ = await first { event in
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
