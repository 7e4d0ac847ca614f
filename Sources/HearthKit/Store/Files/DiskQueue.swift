import Dispatch

/// The queue on which all stores do their disk work, so that blocking calls occupy no thread of Swift's pool.
actor DiskQueue {
    static let shared = DiskQueue()

    private nonisolated let executor = DiskExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func run<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result { try body() }

    /// Runs `body` on the queue as soon as it is free; the caller does not wait.
    nonisolated func soon(_ body: @escaping @Sendable () -> Void) { executor.queue.async(execute: body) }
}

/// Runs an actor's jobs on a serial dispatch queue, one after the other.
private final class DiskExecutor: SerialExecutor {
    let queue = DispatchQueue(label: "hearth.disk")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
