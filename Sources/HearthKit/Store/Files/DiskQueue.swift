import NIOCore
import NIOPosix

/// The thread on which stores do their disk work: it blocks nobody else's.
actor DiskQueue {
    static let shared = DiskQueue()

    private nonisolated let loop: any EventLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    func run<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result { try body() }

    /// Runs something as soon as the thread is free; nobody waits for it.
    nonisolated func soon(_ body: @escaping @Sendable () -> Void) { loop.execute(body) }
}
