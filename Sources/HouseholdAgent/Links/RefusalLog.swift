/// Lets one log line a minute through about strangers at the port, and counts the rest.
struct RefusalLog {
    /// Milliseconds between two lines.
    static let interval: Int64 = 60_000

    private var next: Int64 = .min
    private var unsaid = 0

    /// How many were refused since the last line, this one included; `nil` while nothing is to be said.
    mutating func note(now: Int64) -> Int? {
        unsaid += 1
        guard now >= next else { return nil }
        next = now + Self.interval
        defer { unsaid = 0 }
        return unsaid
    }
}
