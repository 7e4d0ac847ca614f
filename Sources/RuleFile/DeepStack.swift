import Libc

/// Runs recursive work on a thread with a stack that is large enough for it.
///
/// Yams composes nodes, compares keys and frees its tree by recursion, up to the 1,000 levels that libYAML allows. The
/// deepest files need between 2 and 4 MiB of stack, as measured; on some systems a thread has only 512 KiB.
enum DeepStack {
    /// The size of the stack in bytes: four times what the deepest file needs.
    static let size = 16 << 20

    private final class Work {
        let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }
    }

    /// Runs `body` on its own thread and waits for it; `nil` where the system cannot make a thread.
    static func run<Value>(_ body: @escaping () -> Value) -> Value? {
        // Only one of the two threads runs at a time: this one waits in `pthread_join`, which also makes the result
        // visible to it.
        var value: Value?
        let work = Work { value = body() }
        withExtendedLifetime(work) { start(work) }
        return value
    }

    private static func start(_ work: Work) {
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return }
        defer { pthread_attr_destroy(&attributes) }
        guard pthread_attr_setstacksize(&attributes, size) == 0 else { return }
        let context = Unmanaged.passUnretained(work).toOpaque()
        #if canImport(Darwin)
            var thread: pthread_t?
            guard pthread_create(&thread, &attributes, entry, context) == 0, let thread else { return }
        #else
            var thread = pthread_t()
            guard pthread_create(&thread, &attributes, entry, context) == 0 else { return }
        #endif
        pthread_join(thread, nil)
    }

    #if canImport(Darwin)
        private static let entry: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { context in
            Unmanaged<Work>.fromOpaque(context).takeUnretainedValue().body()
            return nil
        }
    #else
        private static let entry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
            if let context { Unmanaged<Work>.fromOpaque(context).takeUnretainedValue().body() }
            return nil
        }
    #endif
}
