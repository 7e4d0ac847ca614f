import Synchronization

/// Tells how far a long command is, on standard error: on the terminal's current line, and elsewhere (a pipe, a file, a
/// job of continuous integration) as a line now and then, so that nobody takes the command for hung.
final class ProgressLine: Sendable {
    private let pace: Mutex<ProgressPace>

    init() {
        let pause: Duration = Console.showsProgress ? .milliseconds(100) : .seconds(10)
        pace = Mutex(ProgressPace(pause: pause, since: .now))
    }

    /// Shows how far the command is, unless it was shown just before. The text is only made where it is shown.
    func tell(_ text: @autoclosure () -> String) {
        guard pace.withLock({ $0.isDue(at: .now) }) else { return }
        if Console.showsProgress { Console.progress(text()) } else { Console.note(text()) }
    }

    /// Removes the line from the terminal.
    func end() { Console.progress(nil) }
}

/// How often something is told.
struct ProgressPace {
    let pause: Duration
    private var last: ContinuousClock.Instant

    init(pause: Duration, since start: ContinuousClock.Instant) { (self.pause, last) = (pause, start) }

    /// Whether the pause is over; then the next one begins.
    mutating func isDue(at time: ContinuousClock.Instant) -> Bool {
        guard time - last >= pause else { return false }
        last = time
        return true
    }
}
