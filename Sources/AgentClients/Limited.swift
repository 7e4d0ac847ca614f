/// Work that is not waited for any longer than it may take.
package enum Limited {
    /// The value, or `nil` where it takes too long; the work is cancelled then.
    package static func run<Value: Sendable, Failure: Error>(
        _ limit: Duration, _ body: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value? {
        let first = await withTaskGroup(of: Result<Value, Failure>?.self) { group in
            group.addTask {
                do throws(Failure) {
                    return .success(try await body())
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            while let ended = await group.next() {
                // Where the caller is cancelled it is not too late: the work says how it ends.
                if ended != nil || !Task.isCancelled { return ended }
            }
            return nil
        }
        return try first?.get()
    }
}
