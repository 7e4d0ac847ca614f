/// Notices that a peer is gone: after 20 s of silence a Ping, 10 s after an unanswered one the word that nothing is known
/// of it, after 45 s of silence the end. Times are milliseconds.
struct KeepAlive {
    private var lastHeard: Int64
    /// When a Ping was sent that nothing was heard since.
    private var asked: Int64?
    /// Whether a Ping went without an answer for so long that nobody may say any more that the peer is there.
    private(set) var isSilent = false

    enum Due: Hashable {
        case nothing, ping, silent, dead
    }

    init(now: Int64) { lastHeard = now }

    /// Whether a Ping is under way.
    var awaitsAnswer: Bool { asked != nil }

    /// When ``due(at:)`` has something to say at the earliest.
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

    /// Somebody wants to know whether the peer is there: whether a Ping has to be sent, where none is under way.
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
