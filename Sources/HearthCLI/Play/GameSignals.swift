import Libc
import Synchronization

/// Signals while a game runs: those that a process sends to us are passed on to the game; those of the terminal reach
/// it anyway.
///
/// The handler uses only atomics, `kill` and `_exit`, which are safe in a signal handler.
enum GameSignals {
    static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2]

    /// 0 before the start; then the game's process id; -2 while it is reaped; -1 when it is over and its exit code is
    /// known.
    private static let game = Atomic<Int32>(0)
    /// A signal that came just before the game was started; passed on afterwards.
    private static let early = Atomic<Int32>(0)
    private static let code = Atomic<Int32>(0)

    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        #if canImport(Darwin)
            return unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
                == unsafeBitCast(SIG_IGN, to: Int.self)
        #else
            return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
                == unsafeBitCast(SIG_IGN, to: Int.self)
        #endif
    }

    /// Starts passing signals on, except those that were already ignored when this process started.
    static func take(_ inheritance: Inheritance) {
        // Initialises the atomics: a signal handler must not run their lazy initialisation.
        _ = (game.load(ordering: .relaxed), early.load(ordering: .relaxed), code.load(ordering: .relaxed))
        for number in numbers where inheritance.holds(number) { set(number, handles: true) }
    }

    /// Ends passing signals on, because the game could not be started.
    static func leave() {
        for number in numbers where !isIgnored(number) { set(number, handles: false) }
    }

    static func started(_ id: pid_t) {
        game.store(id, ordering: .sequentiallyConsistent)
        let number = early.load(ordering: .sequentiallyConsistent)
        if number != 0 { kill(id, number) }
    }

    /// Called when the game has ended, just before `reap` frees its process id.
    static func ended(_ id: pid_t, _ reap: () -> Void) {
        // Until the exit code is known, signals are dropped.
        game.store(-2, ordering: .sequentiallyConsistent)
        reap()
    }

    /// From now on a signal ends this process with the game's exit code.
    static func over(with exitCode: Int32) {
        code.store(exitCode, ordering: .sequentiallyConsistent)
        game.store(-1, ordering: .sequentiallyConsistent)
    }

    private static func set(_ number: Int32, handles: Bool) {
        var action = sigaction()
        sigemptyset(&action.sa_mask)
        #if canImport(Darwin)
            if handles {
                action.__sigaction_u.__sa_sigaction = handler
            } else {
                action.__sigaction_u.__sa_handler = SIG_DFL
            }
        #else
            if handles {
                action.__sigaction_handler.sa_sigaction = handler
            } else {
                action.__sigaction_handler.sa_handler = SIG_DFL
            }
        #endif
        action.sa_flags = handles ? Int32(SA_SIGINFO) | Int32(SA_RESTART) : 0
        sigaction(number, &action, nil)
    }

    private static let handler:
        @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void = {
            number, information, _ in
            let id = game.load(ordering: .sequentiallyConsistent)
            switch id {
            case 0: early.store(number, ordering: .sequentiallyConsistent)
            case -1: _exit(code.load(ordering: .sequentiallyConsistent))
            case 1...: if information.map({ isSent($0.pointee) }) ?? true { kill(id, number) }
            default: break
            }
        }

    /// Whether a process sent the signal. A signal from the terminal goes to the whole foreground group anyway.
    private static func isSent(_ information: siginfo_t) -> Bool {
        #if canImport(Darwin)
            information.si_code == SI_USER
        #else
            information.si_code <= 0
        #endif
    }
}
