/// The time in which a code that was shown can be used: five minutes, once. Slows guessing down; wrong guesses do not
/// void the code.
///
/// Times are milliseconds on one monotonic clock. With 75 random bits and 20 guesses a minute a guess succeeds with a
/// chance of 2.6 · 10⁻²¹ in the whole window.
package struct PairingWindow: Sendable {
    package static let length: Int64 = 300_000
    /// Guesses a minute, from all addresses together.
    package static let guessesAMinute = 20
    private static let firstWait: Int64 = 1_000
    private static let longestWait: Int64 = 60_000
    private static let addressLimit = 256

    package enum Verdict: Hashable, Sendable {
        case allowed
        /// Too many guesses: not before this time.
        case waitUntil(Int64)
        /// The code was used or its time is over.
        case closed
    }

    package let code: PairingCode
    /// When the code stops to count.
    package let end: Int64
    private var isUsed = false
    private var recent: [Int64] = []
    private var addresses: [String: (guesses: Int, next: Int64)] = [:]

    package init(code: PairingCode, now: Int64) {
        self.code = code
        end = Limits.time(now, plus: Self.length)
    }

    package func isOpen(at now: Int64) -> Bool { !isUsed && now < end }

    /// Asks to guess from `address` (without port), and counts it as a guess that may be wrong, so that many
    /// connections at once gain nothing. Allowed at once, then after 1 s, 2 s, 4 s … 60 s for each address.
    package mutating func mayTry(_ address: String, now: Int64) -> Verdict {
        guard isOpen(at: now) else { return .closed }
        recent.removeAll { now - $0 >= 60_000 || $0 > now }
        if recent.count >= Self.guessesAMinute { return .waitUntil(recent[0] + 60_000) }
        if addresses[address] == nil, addresses.count >= Self.addressLimit,
            let oldest = addresses.min(by: { ($0.value.next, $0.key) < ($1.value.next, $1.key) })
        {
            addresses[oldest.key] = nil
        }
        let (guesses, next) = addresses[address] ?? (0, now)
        guard now >= next else { return .waitUntil(next) }
        addresses[address] = (guesses + 1, now + min(Self.longestWait, Self.firstWait << min(guesses, 16)))
        recent.append(now)
        return .allowed
    }

    /// Takes back what ``mayTry(_:now:)`` counted: the connection ended before a guess was made.
    package mutating func takeBack(_ address: String, now: Int64) {
        guard let (guesses, _) = addresses[address] else { return }
        addresses[address] = guesses <= 1 ? nil : (guesses - 1, now)
        if !recent.isEmpty { recent.removeLast() }
    }

    /// The code was used; call it in the step that stores the pin.
    package mutating func consume() { isUsed = true }
}
