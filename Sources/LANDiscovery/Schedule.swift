/// The times at which the discovery loop does its work.
struct Schedule {
    /// The interval at which the interfaces are compared: a cable that is plugged in again, and a sleep of the machine, are
    /// noticed within this time.
    ///
    /// - Parameter hasNews: Whether the kernel tells of changes; then only a sleep waits for that.
    static func networkCheckInterval(hasNews: Bool) -> Duration { hasNews ? .seconds(10) : .seconds(3) }
    /// How long after the kernel's word the interfaces are compared: changes come several at a time.
    static let networkNewsDelay = Duration.seconds(1)
    /// The interval at which the system's responder is looked for while the embedded one works.
    static let systemCheckInterval = Duration.seconds(30)
    /// The interval at which the system's responder is looked for while it hangs.
    static let slowSystemCheckInterval = Duration.seconds(600)
    /// How long the system's responder may take to answer before the embedded one is used meanwhile.
    static let systemPatienceLimit = Duration.seconds(1)
    /// Time within which everything known must be confirmed after a browse was restarted; the rest is forgotten then.
    /// Three queries (at 0, 1 and 3 s) may be lost within it.
    static let confirmationTime = Duration.seconds(8)
    /// Time after which a device that has not seen its own announcement has no working multicast. Probing takes 0.75 s.
    static let ownSightingLimit = Duration.seconds(5)

    /// How long an address has to be missing before this is reported.
    static let settlingTime = Duration.milliseconds(1_500)

    typealias Instant = ContinuousClock.Instant

    /// When a backend has to be started.
    var retry: Instant?
    var systemCheck: Instant?
    /// When the embedded responder is used, though the system's may still answer.
    var systemPatience: Instant?
    var sweep: Instant?
    var ownSighting: Instant?
    var settling: Instant?
    var networkCheck: Instant?

    private var startedAt: Instant?
    private var failures = 0
    private var lastCheck: (real: Instant, awake: SuspendingClock.Instant)

    init(now: Instant = .now, awake: SuspendingClock.Instant = .now) {
        (retry, networkCheck, lastCheck) = (now, now + Self.networkCheckInterval(hasNews: false), (now, awake))
    }

    /// Returns true once when the time of an entry has come, and clears the entry.
    mutating func takeDue(_ entry: WritableKeyPath<Schedule, Instant?>, _ now: Instant) -> Bool {
        guard let moment = self[keyPath: entry], moment <= now else { return false }
        self[keyPath: entry] = nil
        return true
    }

    /// Notes that the network may have changed.
    mutating func heardOfNetwork(_ now: Instant) {
        let soon = now + Self.networkNewsDelay
        networkCheck = networkCheck.map { min($0, soon) } ?? soon
    }

    /// Notes that a backend runs now.
    mutating func started(_ now: Instant) {
        startedAt = now
        retry = nil
        sweep = now + Self.confirmationTime
    }

    /// Notes that the backend was stopped.
    mutating func stopped() {
        sweep = nil
        ownSighting = nil
    }

    /// Plans the next start after a backend could not be started or has failed: after 1, 2, 4, 8, 16 s, then every 30
    /// s. With `isAuto` the first time at once, because another backend takes over.
    mutating func failed(_ now: Instant, isAuto: Bool) {
        if let startedAt, now - startedAt > .seconds(30) { failures = 0 }
        startedAt = nil
        let isFirst = failures == 0
        retry = now + (isAuto && isFirst ? .zero : min(.seconds(1 << min(failures, 5)), .seconds(30)))
        failures += 1
    }

    /// Whether the machine was suspended since the last call.
    mutating func notesSleep(_ now: Instant, awake: SuspendingClock.Instant) -> Bool {
        defer { lastCheck = (now, awake) }
        return (now - lastCheck.real) - (awake - lastCheck.awake) > .seconds(2)
    }

    /// How long the loop may sleep in milliseconds: until the first entry, from 0 to 60,000.
    func milliseconds(from now: Instant, atMost other: Instant?) -> Int32 {
        let checks = [retry, systemCheck, systemPatience, networkCheck]
        guard let first = (checks + [sweep, ownSighting, settling, other]).compactMap({ $0 }).min() else {
            return 60_000
        }
        let parts = (first - now).components
        // One millisecond more, so that the entry is due when the sleep ends.
        let milliseconds = min(parts.seconds, 60) * 1_000 + parts.attoseconds / 1_000_000_000_000_000 + 1
        return Int32(clamping: max(0, min(60_000, milliseconds)))
    }
}
