enum Bounded {
    /// Runs `body`, and cancels it at the limit.
    ///
    /// - Parameter failure: Makes the error that is thrown at the limit.
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
