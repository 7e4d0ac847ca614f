import MergeCore

/// An address that is wanted: what is known of it, and when it is dialled next, with the back-off that ``DialPlan``
/// describes.
struct DialTarget: Sendable {
    private(set) var sources: Set<DialPlan.Source> = []
    /// The time of the next dial.
    private(set) var next: MonotonicTime
    private var delay = DialPlan.firstDelay
    /// The time until which the delay stays short.
    private var soonUntil: MonotonicTime
    private(set) var connection: ConnectionID?
    /// The time when ``connection`` was dialled.
    private(set) var dialledAt: MonotonicTime?
    /// The time when ``connection`` reached a device; `nil` where it did not.
    private var reachedAt: MonotonicTime?
    /// The key of the device that answered at this address last.
    private(set) var device: [UInt8]?
    /// The end of the last dial, and its time.
    private(set) var outcome: (DialPlan.Outcome, at: MonotonicTime)?

    init(now: MonotonicTime) { (next, soonUntil) = (now, now + DialPlan.soonTime) }

    // MARK: Why it is wanted

    /// Whether nothing wants the address any more, and no connection goes through it.
    var isOver: Bool { sources.isEmpty && connection == nil }

    /// All instances that discovery showed at this address.
    var shown: [String] { sources.compactMap { if case .discovered(let instance) = $0 { instance } else { nil } } }

    /// The instances that discovery showed at this address, where nothing else is known of it.
    ///
    /// Anybody on the network can publish an instance with the addresses of others. So an address waits for the
    /// others of its instances only if all of its instances say so.
    var instances: [String] {
        let shown = shown
        return shown.count == sources.count ? shown : []
    }

    /// Adds a reason why the address is wanted. With a new one it is due at once.
    mutating func want(_ source: DialPlan.Source, now: MonotonicTime) {
        if sources.insert(source).inserted { hurry(now: now) }
    }

    mutating func forget(_ source: DialPlan.Source) { sources.remove(source) }

    // MARK: Dials

    /// Whether a dial is under way that has reached nobody yet.
    var isDialled: Bool { connection != nil && reachedAt == nil }

    /// Makes the address due at once, with the back-off at its start.
    mutating func hurry(now: MonotonicTime) {
        guard connection == nil else { return }
        (next, delay, soonUntil) = (now, DialPlan.firstDelay, now + DialPlan.soonTime)
    }

    /// The device at the address was connected a moment ago, by whichever side. It may be back at any moment.
    mutating func lost(now: MonotonicTime, jitter: (Duration) -> Duration) {
        guard connection == nil else { return }
        (delay, soonUntil) = (DialPlan.firstDelay, now + DialPlan.soonTime)
        next = now + delay / 2 + jitter(delay / 2)
    }

    mutating func dialled(as connection: ConnectionID, now: MonotonicTime) {
        (self.connection, dialledAt) = (connection, now)
    }

    mutating func reached(_ device: [UInt8], now: MonotonicTime) {
        (self.device, reachedAt, outcome) = (device, now, (.reached(device), now))
    }

    /// Notes how a dial ended that reached no device of the household.
    mutating func note(_ outcome: DialPlan.Outcome, now: MonotonicTime) { self.outcome = (outcome, now) }

    /// The connection is gone, or was never established.
    mutating func ended(now: MonotonicTime, jitter: (Duration) -> Duration) {
        if let reachedAt, reachedAt + DialPlan.steadyTime <= now {
            // The device was connected a moment ago, so the back-off restarts.
            (delay, soonUntil) = (DialPlan.firstDelay, now + DialPlan.soonTime)
        }
        (connection, dialledAt, reachedAt) = (nil, nil, nil)
        next = now + delay / 2 + jitter(delay / 2)
        delay = min(delay * 2, now < soonUntil ? DialPlan.soonDelay : DialPlan.longestDelay)
    }
}
