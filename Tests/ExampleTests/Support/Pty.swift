import Libc
import TestSupport

/// A program on its own pseudo-terminal, as a player has it. It is killed at the latest when this object is released.
final class Pty {
    /// Why a test cannot go on.
    struct Trouble: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    /// The time in which any program answers, also on a busy machine.
    static let patience = Duration.seconds(20)

    let id: pid_t
    private let master: Int32
    /// Kept open, so that the terminal's mode can be read after the program has ended.
    private let slave: Int32
    private var status: Int32?
    /// The mode of the terminal before a program used it.
    let modeBefore: Mode
    private(set) var screen: TerminalScreen
    /// Everything that the program has written.
    private(set) var transcript: [UInt8] = []

    /// - Parameters:
    ///   - program: The name of a program that was built with the tests.
    ///   - environment: Its environment variables besides HOME, PATH and TERM.
    init(
        _ program: String, _ arguments: [String], home: String, environment: [String] = [], columns: Int = 80,
        rows: Int = 24
    ) throws {
        guard let path = BuiltProgram.path(program) else { throw Trouble("\(program) was not built beside the tests") }
        screen = TerminalScreen(columns: columns, rows: rows)
        let terminal: String
        (master, terminal) = try Self.pair()
        slave = open(terminal, O_RDWR | O_NOCTTY)
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        for file in [master, slave] { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }
        Self.set(columns, rows, of: master)
        modeBefore = Self.mode(of: slave)
        id = try Self.start(
            [path] + arguments, terminal, ["HOME=\(home)", "PATH=/usr/bin:/bin", "TERM=xterm-256color"] + environment)
    }

    deinit {
        kill()
        close(master)
        close(slave)
    }

    /// Makes a new pseudo-terminal: the player's end, and the path of the program's end.
    private static func pair() throws -> (master: Int32, terminal: String) {
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard master >= 0 else { throw Trouble("there is no pseudo-terminal to be had") }
        #if canImport(Darwin)
            guard grantpt(master) == 0, unlockpt(master) == 0, let name = ptsname(master) else {
                throw Trouble("there is no pseudo-terminal to be had")
            }
            return (master, String(cString: name))
        #else
            // Swift's Glibc module lacks unlockpt and ptsname, so their system calls are made directly.
            var (locked, number) = (Int32(0), UInt32(0))
            guard ioctl(master, unlock, &locked) == 0, ioctl(master, numberOf, &number) == 0 else {
                throw Trouble("there is no pseudo-terminal to be had")
            }
            return (master, "/dev/pts/\(number)")
        #endif
    }

    #if canImport(Darwin)
        private static let ownSession = Int16(POSIX_SPAWN_SETSID)
    #else
        /// The values of TIOCSPTLCK, TIOCGPTN and POSIX_SPAWN_SETSID.
        private static let (unlock, numberOf) = (UInt(0x4004_5431), UInt(0x8004_5430))
        private static let ownSession: Int16 = 0x80
    #endif

    private static func start(_ command: [String], _ terminal: String, _ environment: [String]) throws -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Threads of the tests may block signals; the child must not inherit that.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // A new session, whose terminal is the first one that it opens.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | ownSession)
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        var argv = command.map { strdup($0) } + [nil]
        var variables = environment.map { strdup($0) } + [nil]
        defer { for pointer in argv + variables { free(pointer) } }
        var child = pid_t()
        let failure = posix_spawn(&child, command[0], &actions, &attributes, &argv, &variables)
        guard failure == 0 else {
            throw Trouble("\(command[0]) cannot be started: \(String(cString: strerror(failure)))")
        }
        return child
    }

    // MARK: Typing and seeing

    func type(_ text: String) throws {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { throw Trouble("the terminal takes no more keys") }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Waits until the screen shows something; otherwise throws with what it shows instead.
    @discardableResult
    func see(
        _ what: String, within limit: Duration = patience, where isRight: ((TerminalScreen) -> Bool)? = nil
    ) async throws -> String {
        let isRight = isRight ?? { $0.text.contains(what) }
        guard try await wait(limit, { isRight(screen) }) else {
            throw Trouble("no \"\(what)\" in \(limit); the screen was:\n\(screen.text)")
        }
        return screen.text
    }

    /// Waits for a text in everything that was written.
    func read(_ what: String, within limit: Duration = patience) async throws -> String {
        guard try await wait(limit, { output.contains(what) }) else {
            throw Trouble("no \"\(what)\" in \(limit); there was:\n\(output.suffix(2_000))")
        }
        return output
    }

    var output: String { String(decoding: transcript, as: UTF8.self) }

    /// Makes the game draw on an empty screen, as after another program has used it.
    func clear() { resize(columns: screen.columns, rows: screen.rows) }

    /// Changes the size of the window, as a player would by dragging its corner.
    func resize(columns: Int, rows: Int) {
        take()
        screen.resize(columns: columns, rows: rows)
        Self.set(columns, rows, of: master)
    }

    /// The terminal's mode: whether it edits lines, echoes keys and turns keys into signals.
    var mode: Mode { Self.mode(of: slave) }

    typealias Mode = (isLined: Bool, echoes: Bool, signals: Bool)

    private static func mode(of terminal: Int32) -> Mode {
        var mode = termios()
        tcgetattr(terminal, &mode)
        let flags = mode.c_lflag
        return (flags & tcflag_t(ICANON) != 0, flags & tcflag_t(ECHO) != 0, flags & tcflag_t(ISIG) != 0)
    }

    private static func set(_ columns: Int, _ rows: Int, of terminal: Int32) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    }

    /// Reads what has been written so far.
    private func take() {
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while transcript.count < 64 << 20 {
            let count = Self.read(master, &part)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            transcript += part[..<count]
            screen.write(Array(part[..<count]))
        }
    }

    private static func read(_ file: Int32, _ buffer: inout [UInt8]) -> Int {
        #if canImport(Darwin)
            Darwin.read(file, &buffer, buffer.count)
        #else
            Glibc.read(file, &buffer, buffer.count)
        #endif
    }

    private func wait(_ limit: Duration, _ isDone: () -> Bool) async throws -> Bool {
        var patience = Patience(limit)
        while true {
            take()
            if isDone() { return true }
            guard patience.isLeft() else { return false }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    // MARK: Ending

    func signal(_ number: Int32) { if status == nil { _ = sendSignal(id, number) } }

    /// Sends SIGKILL and waits until the program has ended.
    func kill() {
        guard status == nil else { return }
        _ = sendSignal(id, SIGKILL)
        var raw: Int32 = 0
        waitpid(id, &raw, 0)
        status = raw
    }

    /// The exit code, or minus the number of the signal that ended the program.
    @discardableResult
    func end(within limit: Duration = patience) async throws -> Int32 {
        let hasEnded = try await wait(limit) {
            var raw: Int32 = 0
            if status == nil, waitpid(id, &raw, WNOHANG) == id { status = raw }
            return status != nil
        }
        take()
        guard hasEnded, let raw = status else { throw Trouble("it still runs after \(limit):\n\(screen.text)") }
        return raw & 0x7F == 0 ? (raw >> 8) & 0xFF : -(raw & 0x7F)
    }
}

private func sendSignal(_ id: pid_t, _ number: Int32) -> Int32 { kill(id, number) }
