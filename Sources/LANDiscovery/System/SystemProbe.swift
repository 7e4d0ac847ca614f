import Libc
import Synchronization

/// The question whether the system's responder answers, asked on a thread of its own: one that hangs blocks its caller
/// for up to 25 s (the time limit of D-Bus), and the embedded responder must not stand still for that.
final class SystemProbe: Sendable {
    /// How the question is asked; tests put another one in its place.
    typealias Ask = @Sendable () -> Bool

    private let result = Mutex<Bool?>(nil)
    private let began = ContinuousClock.now

    /// Starts asking. The mailbox is woken when the answer is there.
    init(_ mailbox: Mailbox, _ ask: @escaping Ask) {
        let isAsked = OwnThread.start { [weak self] in
            let answers = ask()
            self?.result.withLock { $0 = answers }
            mailbox.wake()
        }
        if !isAsked { result.withLock { $0 = false } }
    }

    /// Whether the question has been open for longer than a responder takes that works.
    var isSlow: Bool { ContinuousClock.now - began > .seconds(2) }

    /// Whether the responder answers; `nil` while that is not known.
    var answer: Bool? { result.withLock { $0 } }
}
