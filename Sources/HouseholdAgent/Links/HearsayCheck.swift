import MergeCore

/// The questions to one device about its writes in one profile: when it is asked next, and whether what is here is known
/// to differ from what it says.
struct HearsayCheck {
    private var next: MonotonicTime
    /// Since when the two devices have not covered the same.
    private var unsettledSince: MonotonicTime?
    /// Answers in a row that differed, while the two devices did not cover the same.
    private var unequal = 0
    /// How often the whole state was asked for since the devices agreed, in the window that began at ``since``.
    private var wholes = 0
    private var since: MonotonicTime
    /// Why there is a difference; `nil` where none is known.
    private(set) var difference: HearsayChecks.Cause?

    init(now: MonotonicTime) { (next, since) = (now, now) }

    /// The time from which the device may be asked. If that has come, it is asked now, and next after a pause.
    mutating func due(isSettled: Bool, now: MonotonicTime) -> MonotonicTime {
        unsettledSince = isSettled ? nil : unsettledSince ?? now
        if next <= now, let since = unsettledSince, now < since + HearsayChecks.patience {
            next = now + HearsayChecks.pause
        }
        defer { if next <= now { next = now + HearsayChecks.pause } }
        return next
    }

    /// The device has answered something else than what is here.
    ///
    /// - Parameter isEqual: Whether the two devices cover the same.
    mutating func differs(isEqual: Bool, now: MonotonicTime) -> HearsayChecks.Verdict {
        unequal += isEqual ? 0 : 1
        next = now + HearsayChecks.pause
        // While the two devices cover different writes, different digests prove nothing.
        guard isEqual || unequal >= HearsayChecks.tries else { return .askAgain }
        difference = difference ?? .mending
        if since + HearsayChecks.window <= now { (wholes, since) = (0, now) }
        guard wholes < HearsayChecks.wholes else {
            next = since + HearsayChecks.window
            difference = .lasting
            return .giveUp
        }
        // Devices that were not told the same yet agree later; so the time grows.
        next = now + HearsayChecks.pause * (1 << (2 * wholes))
        wholes += 1
        unequal = 0
        return .askForAll
    }

    /// The difference stays for now.
    mutating func stays(_ cause: HearsayChecks.Cause) { difference = cause }
}
