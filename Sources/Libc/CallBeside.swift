import Synchronization

/// A call on a thread of its own, such as one that waits for a disk, and its result. The thread that made it does
/// something else meanwhile, and then waits for the result.
package final class CallBeside<Result: Sendable>: Sendable {
    private final class Box: Sendable {
        let result = Mutex<Result?>(nil)
    }

    private let box: Box
    /// `nil` where the system gives no thread: then the call has been made on this one.
    private let thread: OwnThread?
    private let isJoined = Mutex(false)

    package init(_ body: @escaping @Sendable () -> Result) {
        let box = Box()
        let call: @Sendable () -> Void = {
            let result = body()
            box.result.withLock { $0 = result }
        }
        self.box = box
        thread = OwnThread(call)
        if thread == nil { call() }
    }

    deinit { join() }

    /// The result, once the call has ended.
    package func wait() -> Result {
        join()
        return box.result.withLock { $0! }
    }

    private func join() {
        isJoined.withLock { isJoined in
            if !isJoined { thread?.join() }
            isJoined = true
        }
    }
}
