import Libc
import Synchronization

/// A question with yes or no for an answer, asked on a thread of its own, because asking takes its time: a system's
/// responder that hangs blocks its caller for up to 25 s (the time limit of D-Bus), and the embedded one must not stand
/// still for that.
final class SlowQuestion: Sendable {
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

    /// The answer; `nil` while it is not there.
    var answer: Bool? { result.withLock { $0 } }
}
