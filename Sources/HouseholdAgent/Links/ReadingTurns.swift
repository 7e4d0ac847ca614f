import MergeCore

/// When more is read from a link that was paused. Few bytes of a delta may stand for very many, and each of those takes time:
/// a device that sends such bytes without an end would leave no time for the others.
///
/// A link goes on at once while it brings little, by an allowance of its own. All links together have a larger one. Where that
/// is used up, they wait for their turns, and the one that has brought least comes first (fair queueing: Demers, Keshav and
/// Shenker, 1989).
struct ReadingTurns {
    /// Unfolded bytes a second, of all links together: a tenth of the time of one core.
    static let rate = 32 << 20
    /// The largest allowance of all: what a household brings at once where a device is new in it.
    static let burst = 128 << 20
    /// Unfolded bytes a second of one link, and the largest allowance of one link.
    static let ownRate = 4 << 20
    static let ownBurst = 16 << 20
    /// The longest that a turn is away where the allowance is used up.
    static let longest = Duration.seconds(2)
    /// The time that a link has for its turn before the next one begins.
    private static let turn = Duration.milliseconds(50)

    private var all = Account(rate: Self.rate)
    private var own: [ConnectionID: Account] = [:]
    private var waiting: Set<ConnectionID> = []
    private var nextTurn = MonotonicTime.min

    /// The time of the next turn; `nil` where no link waits.
    var deadline: MonotonicTime? { waiting.isEmpty ? nil : max(nextTurn, all.time(at: Self.burst)) }

    /// Whether a link goes on at once; else its turn comes.
    ///
    /// - Parameter unfolded: The bytes that it brought since it was paused last, unfolded.
    mutating func mayGoOn(_ id: ConnectionID, after unfolded: Int, now: MonotonicTime) -> Bool {
        var account = own[id] ?? Account(rate: Self.ownRate)
        account.add(unfolded, now: now, most: .max)
        own[id] = account
        all.add(unfolded, now: now, most: Self.burst + Self.rate * Int(Self.longest.components.seconds))
        if account.used <= Self.ownBurst || all.used <= Self.burst && waiting.isEmpty { return true }
        waiting.insert(id)
        return false
    }

    mutating func closed(_ id: ConnectionID) {
        own[id] = nil
        waiting.remove(id)
    }

    /// The link whose turn it is now: of those that wait, the one that has brought least.
    mutating func take(now: MonotonicTime) -> ConnectionID? {
        guard let deadline, deadline <= now else { return nil }
        nextTurn = now + Self.turn
        let least = waiting.min { (own[$0]?.used ?? 0, $0) < (own[$1]?.used ?? 0, $1) }
        if let least { waiting.remove(least) }
        return least
    }
}

/// Bytes that were brought, of which some are forgotten each second.
private struct Account {
    let rate: Int
    private(set) var used = 0
    private var since: MonotonicTime?

    init(rate: Int) { self.rate = rate }

    mutating func add(_ count: Int, now: MonotonicTime, most: Int) {
        let passed = since.map { max(0, now.milliseconds - $0.milliseconds) } ?? 0
        let (gone, isTooMuch) = Int(passed).multipliedReportingOverflow(by: rate)
        let (sum, isTooLarge) = max(0, isTooMuch ? 0 : used - gone / 1_000).addingReportingOverflow(max(0, count))
        used = min(most, isTooLarge ? .max : sum)
        since = now
    }

    /// The time at which no more than a limit is left of what was brought.
    func time(at limit: Int) -> MonotonicTime {
        (since ?? .min) + .milliseconds(max(0, used - limit) / (rate / 1_000))
    }
}
