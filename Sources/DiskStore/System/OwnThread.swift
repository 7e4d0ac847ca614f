import Libc

/// A separate thread for calls that block.
struct OwnThread: Sendable {
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    #if canImport(Darwin)
        private typealias Argument = UnsafeMutableRawPointer
        // The handle is only compared and joined, which any thread may do.
        private nonisolated(unsafe) let thread: pthread_t
    #else
        private typealias Argument = UnsafeMutableRawPointer?
        private let thread: pthread_t
    #endif

    /// Starts a thread that runs `body` with all signals blocked, so that the program's own handlers get the signals on
    /// other threads. `nil` where the system gives no thread.
    init?(_ body: @escaping @Sendable () -> Void) {
        let work = Unmanaged.passRetained(Work(body))
        let run: @convention(c) (Argument) -> UnsafeMutableRawPointer? = { argument in
            var all = sigset_t()
            sigfillset(&all)
            pthread_sigmask(SIG_BLOCK, &all, nil)
            let context: UnsafeMutableRawPointer? = argument
            if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
            return nil
        }
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        guard pthread_create(&thread, nil, run, work.toOpaque()) == 0 else {
            work.release()
            return nil
        }
        #if canImport(Darwin)
            guard let thread else { return nil }
        #endif
        self.thread = thread
    }

    /// Waits until the thread has ended. If called on that thread itself, detaches it instead.
    func join() {
        if pthread_equal(pthread_self(), thread) != 0 {
            pthread_detach(thread)
        } else {
            pthread_join(thread, nil)
        }
    }
}
