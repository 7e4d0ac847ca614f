import Libc

/// A separate thread for C libraries that block and that must be called from one thread only.
enum DedicatedThread {
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts a detached thread that runs `body` with all signals blocked, so that the program's own handlers get them.
    ///
    /// Returns false when the system gives no thread.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let work = Unmanaged.passRetained(Work(body))
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let result = pthread_create(&thread, nil, DedicatedThread.run, work.toOpaque())
        guard result == 0 else {
            work.release()
            return false
        }
        #if canImport(Darwin)
            if let thread { pthread_detach(thread) }
        #else
            pthread_detach(thread)
        #endif
        return true
    }

    #if canImport(Darwin)
        private static let run: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { context in
            perform(context)
            return nil
        }
    #else
        private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
            if let context { perform(context) }
            return nil
        }
    #endif

    private static func perform(_ context: UnsafeMutableRawPointer) {
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
    }
}

/// Blocks the calling thread.
func pause(milliseconds: UInt32) {
    usleep(milliseconds * 1_000)
}
