import Libc

/// Runs recursive work on a thread with a stack that is large enough for it.
///
/// Yams composes nodes, compares keys and frees its tree by recursion, up to the 1,000 levels that libYAML allows. The
/// deepest files need between 2 and 4 MiB of stack, as measured; on some systems a thread has only 512 KiB.
enum DeepStack {
    /// The size of the stack in bytes: four times what the deepest file needs.
    static let size = 16 << 20

    /// Runs `body` on a thread of its own and waits for it; `nil` where the system gives no thread.
    static func run<Value>(_ body: @escaping () -> Value) -> Value? {
        // Only one of the two threads runs at a time: this one waits in `join`, which also makes the result visible to
        // it.
        nonisolated(unsafe) let body = body
        nonisolated(unsafe) var value: Value?
        OwnThread(stackSize: size) { value = body() }?.join()
        return value
    }
}
