/// A separate thread, for calls that block and for C libraries that must be called from one thread only.
///
/// All signals are blocked on it, so that the program's own handlers get them on other threads.
package struct OwnThread: Sendable {
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

    /// Starts a thread that runs `body`, to be joined; `nil` where the system gives none.
    package init?(_ body: @escaping @Sendable () -> Void) {
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

    /// Starts a thread that runs `body`. No other thread waits for it. Returns false if the system gives none.
    @discardableResult
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        guard let own = OwnThread(body) else { return false }
        pthread_detach(own.thread)
        return true
    }

    /// Waits until the thread has ended. If called on that thread itself, detaches it instead.
    package func join() {
        if pthread_equal(pthread_self(), thread) != 0 {
            pthread_detach(thread)
        } else {
            pthread_join(thread, nil)
        }
    }
}
