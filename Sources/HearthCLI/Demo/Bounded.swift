/// Work that may not take for ever.
enum Bounded {
    /// Runs `body`, and cancels it where it takes too long.
    ///
    /// - Parameter failure: Made, and thrown, when the time is over.
    static func run<Result: Sendable>(
        _ limit: Duration,
        failure: @escaping @Sendable () async -> CommandFailure,
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: limit)
                throw await failure()
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }
}
