import NIOCore
import NIOPosix

/// Waiting for what nobody tells: somebody looks from time to time.
enum Looks {
    /// Returns when the condition holds, or the task is cancelled; looks at the condition once in the interval.
    ///
    /// It is looked at on the thread of the control socket, which sleeps until then and must not be held up. A task that
    /// sleeps has libdispatch wake a thread for its timers, start two others, and end these five seconds later: with a look
    /// every 15 seconds that was a third of all that an idle agent wakes.
    static func wait(every interval: Duration, until holds: @escaping @Sendable () -> Bool) async {
        let (held, continuation) = AsyncStream.makeStream(of: Void.self)
        let (interval, loop) = (TimeAmount(interval), MultiThreadedEventLoopGroup.singleton.next())
        let looks = loop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { looks in
            guard holds() else { return }
            continuation.finish()
            looks.cancel()
        }
        for await _ in held {}
        looks.cancel()
    }
}
