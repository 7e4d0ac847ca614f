/// Looks every few milliseconds until there is something to be found; `nil` where there is nothing at the limit.
///
/// The limit is only there so that a fault ends a test. It costs nothing where all is well, so give a shorter one only
/// where the time is what is tested.
package func poll<Found>(
    _ limit: Duration = .seconds(60), _ look: () async throws -> Found?
) async throws -> Found? {
    var patience = Patience(limit)
    while true {
        if let found = try await look() { return found }
        guard patience.isLeft() else { return nil }
        try await Task.sleep(for: .milliseconds(5))
    }
}

/// Waits until a condition holds; false where it does not hold in time.
package func eventually(
    _ limit: Duration = .seconds(60), _ condition: () async throws -> Bool
) async rethrows -> Bool {
    var patience = Patience(limit)
    while true {
        if try await condition() { return true }
        guard patience.isLeft() else { return false }
        try? await Task.sleep(for: .milliseconds(10))
    }
}

/// Whether a condition goes on to hold for some time; false as soon as it does not. For what must not happen: wait first
/// for all that would make it happen.
package func stays(_ time: Duration, _ condition: () async throws -> Bool) async rethrows -> Bool {
    try await !eventually(time) { try await !condition() }
}

/// The time that is left of a limit. A step counts as a tenth of a second at most: on a machine so busy that the test
/// itself does not run, what it waits for does not run either.
package struct Patience {
    private static let longestStep = Duration.milliseconds(100)

    private var rest: Duration
    private var last = ContinuousClock.now

    package init(_ limit: Duration) { rest = limit }

    /// Whether time is left. Ask after each look.
    package mutating func isLeft() -> Bool {
        let now = ContinuousClock.now
        rest -= min(now - last, Self.longestStep)
        last = now
        return rest > .zero
    }
}
