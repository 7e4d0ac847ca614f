import MergeCore
import SyncProtocol

/// The requests for deltas that wait for a later event. A device that has nothing yet lacks every save at once, and while
/// thousands of deltas are made, nothing else is done.
struct WaitingDeltas {
    /// Deltas that are made in one event.
    static let turn = 16
    /// The time until the next turn, where no other event comes before.
    static let pause = Duration.milliseconds(1)

    private var waiting: [(id: ConnectionID, request: DeltaRequest)] = []
    /// How many of `waiting` were answered.
    private var answered = 0
    /// How many more may be made in the present event.
    private var left = turn
    private var next: MonotonicTime?

    /// The time at which the next ones are made; `nil` where none waits.
    var deadline: MonotonicTime? { next }

    mutating func beginEvent() { left = Self.turn }

    /// Whether a request is to be answered at once. Else it waits behind the others. What was just saved does not wait for
    /// saves of which the peer has nothing.
    mutating func isAnsweredNow(_ request: DeltaRequest, on id: ConnectionID, now: MonotonicTime) -> Bool {
        if left > 0, next == nil || !request.beyond.entries.isEmpty {
            left -= 1
            return true
        }
        waiting.append((id, request))
        next = next ?? now + Self.pause
        return false
    }

    /// The requests that are to be answered in this event, in the order in which they came.
    mutating func take(now: MonotonicTime) -> [(id: ConnectionID, request: DeltaRequest)] {
        guard next != nil else { return [] }
        let turn = waiting[answered...].prefix(left)
        left -= turn.count
        answered += turn.count
        if answered == waiting.count { (waiting, answered) = ([], 0) }
        next = waiting.isEmpty ? nil : now + Self.pause
        return Array(turn)
    }

    /// A link is gone, and nothing is sent over it any more.
    mutating func closed(_ id: ConnectionID) {
        waiting = waiting[answered...].filter { $0.id != id }
        answered = 0
        if waiting.isEmpty { next = nil }
    }
}
