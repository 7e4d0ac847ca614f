import MergeCore

/// When more is read from a link that was paused. Few bytes of a delta may stand for very many, and each of those takes time:
/// a device that sends such bytes without an end would leave no time for the others. All links together have an allowance
/// of unfolded bytes that grows with time. Where it is used up, the links that brought many wait for their turn, one after the
/// other; whoever brings little goes on at once.
struct ReadingTurns {
    /// Unfolded bytes a second, of all links together: a tenth of the time of one core.
    static let rate = 32 << 20
    /// The largest allowance: what a household brings at once where a device is new in it.
    static let burst = 128 << 20
    /// A link that brought no more than this since it was paused last goes on at once.
    static let little = 1 << 20
    /// The time that a link has for its turn before the next one begins.
    private static let turn = Duration.milliseconds(50)

    private var used = 0
    private var since = MonotonicTime.min
    private var waiting: [ConnectionID] = []
    private var nextTurn = MonotonicTime.min

    /// The time of the next turn; `nil` where no link waits.
    var deadline: MonotonicTime? {
        guard !waiting.isEmpty else { return nil }
        let over = max(0, used - Self.burst)
        return max(nextTurn, since + .milliseconds((over * 1_000 + Self.rate - 1) / Self.rate))
    }

    /// Whether a link goes on at once; else its turn comes.
    ///
    /// - Parameter unfolded: The bytes that it brought since it was paused last, unfolded.
    mutating func mayGoOn(_ id: ConnectionID, after unfolded: Int, now: MonotonicTime) -> Bool {
        letPass(now)
        used += unfolded
        if unfolded <= Self.little || used <= Self.burst && waiting.isEmpty { return true }
        waiting.append(id)
        return false
    }

    mutating func closed(_ id: ConnectionID) { waiting.removeAll { $0 == id } }

    /// The link whose turn it is now.
    mutating func take(now: MonotonicTime) -> ConnectionID? {
        guard let deadline, deadline <= now else { return nil }
        nextTurn = now + Self.turn
        return waiting.removeFirst()
    }

    private mutating func letPass(_ now: MonotonicTime) {
        if since == .min { since = now }
        // A whole number of milliseconds, and never more than what empties it.
        let passed = min(max(0, now.milliseconds - since.milliseconds), Int64(used * 1_000 / Self.rate + 1))
        used = max(0, used - Int(passed) * Self.rate / 1_000)
        since = now
    }
}
