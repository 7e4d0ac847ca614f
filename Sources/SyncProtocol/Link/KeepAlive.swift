/// Notices that a peer is gone: after 20 s of silence a Ping, after 45 s the end. Times are milliseconds.
struct KeepAlive {
    private var lastHeard: Int64
    private var hasAsked = false

    enum Due: Hashable {
        case nothing, ping, dead
    }

    init(now: Int64) { lastHeard = now }

    /// When ``due(at:)`` has something to say at the earliest.
    var deadline: Int64 { Limits.time(lastHeard, plus: hasAsked ? Limits.deadTime : Limits.quietTime) }

    mutating func heard(at now: Int64) {
        lastHeard = now
        hasAsked = false
    }

    mutating func due(at now: Int64) -> Due {
        // A clock that was set back must not stretch the silence.
        lastHeard = min(lastHeard, now)
        if now >= Limits.time(lastHeard, plus: Limits.deadTime) { return .dead }
        guard now >= Limits.time(lastHeard, plus: Limits.quietTime), !hasAsked else { return .nothing }
        hasAsked = true
        return .ping
    }
}
