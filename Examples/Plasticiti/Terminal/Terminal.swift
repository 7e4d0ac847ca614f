#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The terminal as a game needs it: every key at once, without echo, on a screen of its own.
///
/// However the program ends, except by SIGKILL, the terminal is restored: by ``leave()``, by `exit`, or by a signal.
final class Terminal {
    private static let enterText = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
    private static let signals = [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

    private let isColoured: Bool
    private var drawn = ""

    /// Changes nothing until ``enter()``. `nil` where standard input or output is no terminal.
    init?() {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &Mended.mode) == 0 else {
            return nil
        }
        Mended.prepare()
        isColoured = (getenv("NO_COLOR").map { $0[0] == 0 } ?? true)
        atexit { Mended.restore() }
        for signal in Self.signals { Self.restore(at: signal) }
    }

    deinit { leave() }

    func enter() {
        var raw = Mended.mode
        cfmakeraw(&raw)
        Mended.isRaw = true
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
        write(Self.enterText)
        drawn = ""
    }

    func leave() { Mended.restore() }

    /// The number of columns and rows; 80 × 24 where that is not known.
    var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Makes the next ``draw(_:)`` draw everything, because other programs may have written to the terminal.
    func forget() { drawn = "" }

    /// Draws the frame if it differs from the last one.
    func draw(_ frame: Frame) {
        let (columns, rows) = size
        let text = frame.text(columns: columns, rows: rows, isColoured: isColoured)
        guard text != drawn else { return }
        write(text)
        drawn = text
    }

    /// Handles Ctrl-Z: gives the terminal to the shell until the player returns.
    func suspend() {
        leave()
        // `raise` stops the process on this thread, so `enter` runs only after the player is back.
        raise(SIGTSTP)
        enter()
    }

    private func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { systemWrite(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Restores the terminal when a signal ends the program, and then lets it end.
    private static func restore(at signal: Int32) {
        var action = sigaction()
        sigemptyset(&action.sa_mask)
        action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_NODEFER
        let handler: @convention(c) (Int32) -> Void = { number in
            Mended.restore()
            raise(number)
        }
        #if canImport(Darwin)
            action.__sigaction_u.__sa_handler = handler
        #else
            action.__sigaction_handler.sa_handler = handler
        #endif
        sigaction(signal, &action, nil)
    }
}

/// What a signal handler needs. A handler may do very little, so everything is prepared.
private enum Mended {
    nonisolated(unsafe) static var mode = termios()
    nonisolated(unsafe) static var isRaw = false
    /// Resets colours, line wrapping, the cursor and the former screen.
    nonisolated(unsafe) private static let leaveText: UnsafeBufferPointer<UInt8> = {
        let text = "\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: text.utf8.count)
        bytes.initialize(from: Array(text.utf8), count: text.utf8.count)
        return UnsafeBufferPointer(start: bytes, count: text.utf8.count)
    }()

    /// Makes the text now, because a signal handler must not allocate memory.
    static func prepare() { _ = leaveText }

    static func restore() {
        guard isRaw else { return }
        isRaw = false
        _ = systemWrite(STDOUT_FILENO, leaveText.baseAddress, leaveText.count)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
    }
}

private func systemWrite(_ file: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
        Darwin.write(file, buffer, count)
    #else
        Glibc.write(file, buffer, count)
    #endif
}
