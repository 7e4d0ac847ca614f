import MergeCore

/// The keep-alive of a link; it notices that a peer is gone. After 20 to 25 s of silence it sends a Ping. 10 s after a
/// Ping without an answer the peer counts as silent: reports must not say any more that it is connected. After 45 s of
/// silence the link ends.
///
/// Both sides hear each other last at nearly the same moment. Were the silence before a Ping the same on both, each would ask
/// and answer every time. So each side of a link draws at random how long its own is, and mostly the same one asks.
struct KeepAlive {
    /// The silence before a Ping.
    private let quietTime: Duration
    private var lastReceived: MonotonicTime
    /// When the Ping was sent that has had no answer yet.
    private var asked: MonotonicTime?
    /// Whether a Ping had no answer for so long that the peer may be gone.
    private(set) var isSilent = false

    enum Due: Hashable {
        case nothing, ping, silent, dead
    }

    /// - Parameter salt: A random number, from which the silence before a Ping is taken.
    init(now: MonotonicTime, salt: UInt64 = 0) {
        quietTime = Limits.quietTime + .milliseconds(Int64(salt % UInt64(Limits.quietSpread.wholeMilliseconds)))
        lastReceived = now
    }

    /// Whether a Ping was sent and nothing has been received since.
    var awaitsAnswer: Bool { asked != nil }

    /// The earliest time at which ``due(at:)`` has something to do.
    var deadline: MonotonicTime {
        let end = lastReceived + Limits.deadTime
        guard let asked else { return lastReceived + quietTime }
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
        guard now >= lastReceived + quietTime else { return .nothing }
        asked = now
        return .ping
    }
}
