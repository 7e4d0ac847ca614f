/// When somebody whose agent is away asks for one again, and whether one may be started in this process then.
///
/// The pause before the next attempt doubles from `first` to `longest`. An agent that is being restarted gets some time
/// to come back: else one in this process would take its place.
package struct Reconnection: Sendable {
    private let first: Duration
    private let longest: Duration
    private let absence: Duration
    private var pause: Duration
    private var lost: ContinuousClock.Instant?

    /// - Parameters:
    ///   - first: The first pause, and the first one after each connection.
    ///   - longest: The longest pause.
    ///   - absence: How long an agent that was there may take to come back.
    package init(first: Duration, longest: Duration = .seconds(10), absence: Duration) {
        (self.first, self.longest, self.absence) = (first, longest, absence)
        pause = first
    }

    /// Whether an agent may be started in this process: none was there yet, or it has been away for long enough.
    package func mayEmbed(at now: ContinuousClock.Instant) -> Bool { lost.map { now - $0 >= absence } ?? true }

    /// The agent that was there is away.
    package mutating func wasLost(at now: ContinuousClock.Instant) {
        lost = now
        pause = first
    }

    /// Nothing was lost: the connection ended because it was to be made anew.
    package mutating func wasRenewed() {
        lost = nil
        pause = first
    }

    /// The pause before the next attempt.
    package mutating func nextPause() -> Duration {
        defer { pause = min(pause * 2, longest) }
        return pause
    }
}
