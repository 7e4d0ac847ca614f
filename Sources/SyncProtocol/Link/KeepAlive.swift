/// The keep-alive of a link; it notices that a peer is gone. After 20 s of silence it sends a Ping. 10 s after a Ping
/// without an answer the peer counts as silent: nobody may say any more that it is there. After 45 s of silence the
/// link ends. Times are milliseconds.
struct KeepAlive {
    private var lastHeard: Int64
    /// When the Ping was sent that has had no answer yet.
    private var asked: Int64?
    /// Whether a Ping had no answer for so long that the peer may be gone.
    private(set) var isSilent = false

    enum Due: Hashable {
        case nothing, ping, silent, dead
    }

    init(now: Int64) { lastHeard = now }

    /// Whether a Ping was sent and nothing has been heard since.
    var awaitsAnswer: Bool { asked != nil }

    /// The earliest time at which ``due(at:)`` has something to say.
    var deadline: Int64 {
        let end = Limits.time(lastHeard, plus: Limits.deadTime)
        guard let asked else { return Limits.time(lastHeard, plus: Limits.quietTime) }
        return isSilent ? end : min(end, Limits.time(asked, plus: Limits.answerTime))
    }

    mutating func heard(at now: Int64) {
        lastHeard = now
        asked = nil
        isSilent = false
    }

    /// Checks on request whether the peer is there. Returns whether a Ping has to be sent; a Ping that is already under
    /// way serves this request as well.
    mutating func ask(at now: Int64) -> Bool {
        guard asked == nil else { return false }
        asked = now
        return true
    }

    mutating func due(at now: Int64) -> Due {
        // A clock that was set back must not stretch the silence.
        lastHeard = min(lastHeard, now)
        if now >= Limits.time(lastHeard, plus: Limits.deadTime) { return .dead }
        if let time = asked {
            asked = min(time, now)
            guard !isSilent, now >= Limits.time(time, plus: Limits.answerTime) else { return .nothing }
            isSilent = true
            return .silent
        }
        guard now >= Limits.time(lastHeard, plus: Limits.quietTime) else { return .nothing }
        asked = now
        return .ping
    }
}
