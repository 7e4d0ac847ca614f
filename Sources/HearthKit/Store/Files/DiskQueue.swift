import Dispatch

/// The queue on which stores do their disk work: it blocks nobody else.
actor DiskQueue {
    static let shared = DiskQueue()

    private nonisolated let executor = DiskExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func run<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result { try body() }

    /// Runs something as soon as the queue is free; nobody waits for it.
    nonisolated func soon(_ body: @escaping @Sendable () -> Void) { executor.queue.async(execute: body) }
}

/// Runs an actor's jobs on a serial queue, one after the other.
private final class DiskExecutor: SerialExecutor {
    let queue = DispatchQueue(label: "hearth.disk")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
