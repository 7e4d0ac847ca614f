import MergeCore

/// The keep-alive of a link; it notices that a peer is gone. After 20 s of silence it sends a Ping. 10 s after a Ping
/// without an answer the peer counts as silent: reports must not say any more that it is connected. After 45 s of
/// silence the link ends.
struct KeepAlive {
    private var lastReceived: MonotonicTime
    /// When the Ping was sent that has had no answer yet.
    private var asked: MonotonicTime?
    /// Whether a Ping had no answer for so long that the peer may be gone.
    private(set) var isSilent = false

    enum Due: Hashable {
        case nothing, ping, silent, dead
    }

    init(now: MonotonicTime) { lastReceived = now }

    /// Whether a Ping was sent and nothing has been received since.
    var awaitsAnswer: Bool { asked != nil }

    /// The earliest time at which ``due(at:)`` has something to do.
    var deadline: MonotonicTime {
        let end = lastReceived + Limits.deadTime
        guard let asked else { return lastReceived + Limits.quietTime }
        return isSilent ? end : min(end, asked + Limits.answerTime)
    }

    mutating func received(at now: MonotonicTime) {
        lastReceived = now
        asked = nil
        isSilent = false
    }

    /// Checks on request whether the peer is there. Returns whether a Ping has to be sent; a Ping that is already under
    /// way serves this request as well.
    mutating func ask(at now: MonotonicTime) -> Bool {
        guard asked == nil else { return false }
        asked = now
        return true
    }

    mutating func due(at now: MonotonicTime) -> Due {
        if now >= lastReceived + Limits.deadTime { return .dead }
        if let asked {
            guard !isSilent, now >= asked + Limits.answerTime else { return .nothing }
            isSilent = true
            return .silent
        }
        guard now >= lastReceived + Limits.quietTime else { return .nothing }
        asked = now
        return .ping
    }
}
