/// When the discovery loop does what next.
struct Schedule {
    /// How often the interfaces are compared: a cable plugged in again is noticed within this time.
    static let networkCheckInterval = Duration.seconds(3)
    /// How often the system's responder is looked for while the embedded one works.
    static let systemCheckInterval = Duration.seconds(30)
    /// The same while the system's responder hangs.
    static let slowSystemCheckInterval = Duration.seconds(600)
    /// What was known before a browse began anew is forgotten when it was not confirmed in this time; three queries
    /// (at 0, 1 and 3 s) may get lost before.
    static let confirmationTime = Duration.seconds(8)
    /// A device that has not seen its own announcement after this time has no multicast. Probing takes 0.75 s.
    static let ownSightingLimit = Duration.seconds(5)

    /// How long an address has to be missing before that is told.
    static let settlingTime = Duration.milliseconds(1_500)

    typealias Instant = ContinuousClock.Instant

    /// When a backend is to be started.
    var retry: Instant? = .now
    var systemCheck: Instant?
    var sweep: Instant?
    var ownSighting: Instant?
    var settling: Instant?
    var networkCheck: Instant? = .now + Self.networkCheckInterval

    private var startedAt: Instant?
    private var failures = 0
    private var lastCheck: (real: Instant, awake: SuspendingClock.Instant) = (.now, .now)

    /// True once when the moment has come; the entry is cleared then.
    mutating func takeDue(_ entry: WritableKeyPath<Schedule, Instant?>, _ now: Instant) -> Bool {
        guard let moment = self[keyPath: entry], moment <= now else { return false }
        self[keyPath: entry] = nil
        return true
    }

    /// A backend runs now.
    mutating func started(_ now: Instant) {
        startedAt = now
        retry = nil
        sweep = now + Self.confirmationTime
    }

    /// The backend was stopped.
    mutating func stopped() {
        sweep = nil
        ownSighting = nil
    }

    /// A backend could not be started or went away: tries again after 1, 2, 4, 8, 16, then every 30 s; with `isAuto` at
    /// once the first time, because another backend takes over.
    mutating func failed(_ now: Instant, isAuto: Bool) {
        if let startedAt, now - startedAt > .seconds(30) { failures = 0 }
        startedAt = nil
        let isFirst = failures == 0
        retry = now + (isAuto && isFirst ? .zero : min(.seconds(1 << min(failures, 5)), .seconds(30)))
        failures += 1
    }

    /// Whether the machine slept since the last call.
    mutating func notesSleep(_ now: Instant) -> Bool {
        let awake = SuspendingClock.now
        defer { lastCheck = (now, awake) }
        return (now - lastCheck.real) - (awake - lastCheck.awake) > .seconds(2)
    }

    /// How long the loop may sleep: until the first entry, at least 0 and at most 60,000 ms.
    func milliseconds(from now: Instant, atMost other: Instant?) -> Int32 {
        let entries = [retry, systemCheck, sweep, ownSighting, settling, networkCheck, other].compactMap { $0 }
        guard let first = entries.min() else { return 60_000 }
        let parts = (first - now).components
        // One more, so that the entry is due when the sleep ends.
        let milliseconds = min(parts.seconds, 60) * 1_000 + parts.attoseconds / 1_000_000_000_000_000 + 1
        return Int32(clamping: max(0, min(60_000, milliseconds)))
    }
}
