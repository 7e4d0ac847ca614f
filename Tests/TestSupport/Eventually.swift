/// Looks every few milliseconds until there is something to be found; `nil` where there is nothing at the limit.
package func poll<Found>(
    _ limit: Duration = .seconds(10), _ look: () async throws -> Found?
) async throws -> Found? {
    let end = ContinuousClock.now + limit
    while true {
        if let found = try await look() { return found }
        guard ContinuousClock.now < end else { return nil }
        try await Task.sleep(for: .milliseconds(5))
    }
}

/// Waits until a condition holds; false where it does not hold in time.
package func eventually(
    _ limit: Duration = .seconds(10), _ condition: () async throws -> Bool
) async rethrows -> Bool {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(10))
    }
    return try await condition()
}

/// Whether a condition goes on to hold for some time; false as soon as it does not. For what must not happen: wait first
/// for all that would make it happen.
package func stays(_ time: Duration, _ condition: () async throws -> Bool) async rethrows -> Bool {
    try await !eventually(time) { try await !condition() }
}
