import Libc
import Synchronization

/// Runs some work before this process ends by `exit`, SIGTERM, SIGINT or SIGHUP.
///
/// A signal that the program ignores is left alone. Any other signal is passed on after the work is done: the program's
/// own handler is called, or the system ends the process as without this. A handler that the program sets later
/// replaces this one; then the work is run by `exit` only.
package enum TerminationWatch {
    private static let signals = [SIGTERM, SIGINT, SIGHUP]
    private static let work = Mutex<(@Sendable () -> Void)?>(nil)

    /// Sets the work, once in a process; later calls do nothing.
    package static func install(_ body: @escaping @Sendable () -> Void) {
        let isFirst = work.withLock { work in
            guard work == nil else { return false }
            work = body
            return true
        }
        guard isFirst else { return }
        atexit { TerminationWatch.run() }
        guard let pipe = SignalPipe() else { return }
        let thread = OwnThread { pipe.serve { TerminationWatch.run() } }
        if thread != nil { for signal in signals { pipe.take(signal) } }
    }

    private static func run() { work.withLock { $0 }?() }
}

/// A pipe by which a signal's handler wakes a thread, because a handler itself must do very little.
private final class SignalPipe: Sendable {
    /// The end for writing. It is static because a handler cannot reach an instance.
    nonisolated(unsafe) private static var entry: Int32 = -1

    private let exit: Int32
    /// The program's former action for each signal.
    private let former = Mutex<[Int32: sigaction]>([:])

    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // A full pipe must not hold up a handler.
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        exit = ends[0]
        Self.entry = ends[1]
    }

    /// Handles a signal, unless the program ignores it.
    func take(_ signal: Int32) {
        var old = sigaction()
        guard sigaction(signal, nil, &old) == 0, !Self.isIgnored(old) else { return }
        former.withLock { $0[signal] = old }
        var action = Self.action { number in
            let code = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = write(SignalPipe.entry, &byte, 1)
            errno = code
        }
        sigaction(signal, &action, nil)
    }

    /// Runs the work for every signal that comes, then passes the signal on to the program.
    func serve(_ work: () -> Void) {
        var byte: UInt8 = 0
        while true {
            let count = read(exit, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return }
            work()
            deliver(Int32(byte))
        }
    }

    /// Raises the signal on this thread, so that the program's handler has returned before this one is set again.
    private func deliver(_ signal: Int32) {
        guard var old = former.withLock({ $0[signal] }) else { return }
        sigaction(signal, &old, nil)
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, signal)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(signal)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        take(signal)
    }

    // MARK: Spelling

    private static func action(_ handler: @escaping @convention(c) (Int32) -> Void) -> sigaction {
        var action = sigaction()
        sigemptyset(&action.sa_mask)
        action.sa_flags = SA_RESTART
        #if canImport(Darwin)
            action.__sigaction_u.__sa_handler = handler
        #else
            action.__sigaction_handler.sa_handler = handler
        #endif
        return action
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        #if canImport(Darwin)
            let handler = unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
        #else
            let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        #endif
        return handler == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
