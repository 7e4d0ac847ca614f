#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The terminal as a game needs it: every key at once, nothing echoed, a screen of its own.
///
/// However the program ends, short of SIGKILL, the terminal is as it was: by ``leave()``, by `exit`, or by a signal.
final class Terminal {
    private static let enterText = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
    private static let signals = [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

    private let isColoured: Bool
    private var drawn = ""

    /// Leaves everything as it is until ``enter()``. `nil` where this is no terminal.
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

    /// Columns and rows; 80 × 24 where nobody knows.
    var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Draws anew next time: who knows what is on it by now.
    func forget() { drawn = "" }

    /// Draws, where that changes anything.
    func draw(_ frame: Frame) {
        let (columns, rows) = size
        let text = frame.text(columns: columns, rows: rows, isColoured: isColoured)
        guard text != drawn else { return }
        write(text)
        drawn = text
    }

    /// Ctrl-Z: gives the terminal back to the shell until the player returns.
    func suspend() {
        leave()
        // On this very thread, which does not go on before the player is back.
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

    /// Gives the terminal back when a signal ends the program, which it then does.
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

/// What a signal's handler can reach, which may do next to nothing.
private enum Mended {
    nonisolated(unsafe) static var mode = termios()
    nonisolated(unsafe) static var isRaw = false
    /// `ESC [ ? 7 h`, `ESC [ ? 25 h`, `ESC [ ? 1049 l`: lines wrap, the cursor shows, the former screen is back.
    nonisolated(unsafe) private static let leaveText: UnsafeBufferPointer<UInt8> = {
        let text = "\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: text.utf8.count)
        bytes.initialize(from: Array(text.utf8), count: text.utf8.count)
        return UnsafeBufferPointer(start: bytes, count: text.utf8.count)
    }()

    /// A handler cannot make the text.
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
