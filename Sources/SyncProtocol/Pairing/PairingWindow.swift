package import MergeCore

/// The time window in which a shown code can be used: five minutes, and once. The window slows guessing down; wrong
/// guesses do not make the code invalid.
///
/// With 75 random bits and 600 guesses a minute a guess succeeds with a chance of 8 · 10⁻²⁰ in the whole window. The limit
/// is that high because a stranger who reaches it keeps everybody out: one who has many addresses must go on guessing ten
/// times a second all the time.
package struct PairingWindow: Sendable {
    package static let length = Duration.seconds(300)
    /// Guesses a minute, from all addresses together.
    package static let guessesAMinute = 600
    private static let firstWait = Duration.seconds(1)
    private static let longestWait = Duration.seconds(60)
    private static let addressLimit = 256

    package enum Verdict: Hashable, Sendable {
        case allowed
        /// There were too many guesses: no guess is allowed before this time.
        case waitUntil(MonotonicTime)
        /// The code was used or its time is over.
        case closed
    }

    package let code: PairingCode
    /// The time at which the code expires.
    package let end: MonotonicTime
    private var isUsed = false
    private var recent: [MonotonicTime] = []
    private var addresses: [String: (guesses: Int, next: MonotonicTime)] = [:]

    package init(code: PairingCode, now: MonotonicTime) {
        self.code = code
        end = now + Self.length
    }

    package func isOpen(at now: MonotonicTime) -> Bool { !isUsed && now < end }

    /// Whether `address` (without port) may guess now. Each address may guess at once, then 1 s, 2 s, 4 s … 60 s after
    /// its last wrong guess. A call counts nothing, so silent connections use up no guesses. For that reason,
    /// connections that are open at the same time may together make more guesses than the limit.
    package func mayTry(_ address: String, now: MonotonicTime) -> Verdict {
        guard isOpen(at: now) else { return .closed }
        let recent = recent.filter { now - $0 < .seconds(60) }
        if recent.count >= Self.guessesAMinute { return .waitUntil(recent[0] + .seconds(60)) }
        guard let next = addresses[address]?.next, now < next else { return .allowed }
        return .waitUntil(next)
    }

    /// Counts a wrong guess.
    package mutating func guessedWrong(_ address: String, now: MonotonicTime) {
        recent.removeAll { now - $0 >= .seconds(60) }
        if addresses[address] == nil, addresses.count >= Self.addressLimit,
            let oldest = addresses.min(by: { ($0.value.next, $0.key) < ($1.value.next, $1.key) })
        {
            addresses[oldest.key] = nil
        }
        let guesses = addresses[address]?.guesses ?? 0
        addresses[address] = (guesses + 1, now + min(Self.longestWait, Self.firstWait * (1 << min(guesses, 16))))
        recent.append(now)
    }

    /// Marks the code as used. Call it in the step that stores the pin.
    package mutating func consume() { isUsed = true }
}
