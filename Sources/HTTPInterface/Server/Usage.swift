/// Whether anybody uses the server, so that it stops listening once nobody does.
struct Usage: Sendable {
    /// How long the server goes on listening unused.
    private let idleTime: Duration
    private var open = 0
    private var last: ContinuousClock.Instant

    init(idleTime: Duration, now: ContinuousClock.Instant) { (self.idleTime, last) = (idleTime, now) }

    /// A link was given away.
    mutating func wasAsked(now: ContinuousClock.Instant) { last = now }

    /// A connection began. Returns false where there are too many; then it did not begin.
    mutating func begin(limit: Int) -> Bool {
        guard open < limit else { return false }
        open += 1
        return true
    }

    /// Whether a connection may be kept after its answer: while at most half of the places are taken. So those that wait for
    /// a further request never take the places of those who have one.
    func mayKeep(limit: Int) -> Bool { open * 2 <= limit }

    mutating func end(now: ContinuousClock.Instant) {
        open -= 1
        last = now
    }

    /// A connection that was not admitted ended: that is no use of the server.
    mutating func endRefused() { open -= 1 }

    /// How long until it is to be looked at again; `nil` where the server was unused for long enough.
    func rest(now: ContinuousClock.Instant) -> Duration? {
        if open > 0 { return idleTime }
        let rest = last + idleTime - now
        return rest > .zero ? rest : nil
    }
}
