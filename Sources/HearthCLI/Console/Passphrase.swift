import HouseholdAgent
import Libc
import LocalFiles

/// Reads passphrases: typed at the terminal without echo, or from a descriptor. Never from an argument, which other
/// users can see in the list of processes.
enum Passphrase {
    /// The most bytes of a passphrase.
    static let limit = 1_024

    /// Reads up to the first line end, or the end of the input.
    static func read(from descriptor: Int32) throws(CommandFailure) -> [UInt8] {
        guard fcntl(descriptor, F_GETFD) != -1 else {
            throw CommandFailure("--passphrase-fd \(descriptor): no such descriptor is open", code: .usage)
        }
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            guard let byte = try next(descriptor), byte != UInt8(ascii: "\n") else { break }
            bytes.append(byte)
        }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return try checked(bytes)
    }

    /// Asks for a passphrase at the terminal.
    ///
    /// - Parameter isNew: Whether to ask twice, because a mistyped character cannot be seen.
    static func ask(isNew: Bool) throws -> [UInt8] {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
            throw CommandFailure(
                "a passphrase is needed",
                "this is no terminal, so nobody can be asked; give it with --passphrase-fd",
                code: .needsDecision
            )
        }
        let first = try checked(try typed("Passphrase: ", on: STDIN_FILENO))
        if isNew, try typed("The same again: ", on: STDIN_FILENO) != first {
            throw CommandFailure("the two passphrases differ", "nothing was written; try again")
        }
        return first
    }

    /// Reads one line from a terminal without echo. Afterwards the terminal has its former settings, also after
    /// Control-C, which is read as a byte here.
    static func typed(_ prompt: String, on terminal: Int32) throws -> [UInt8] {
        var former = termios()
        guard tcgetattr(terminal, &former) == 0 else {
            throw CommandFailure("the terminal cannot be asked: \(String(cString: strerror(errno)))")
        }
        var silent = former
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        guard tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else {
            throw CommandFailure("the terminal cannot be asked: \(String(cString: strerror(errno)))")
        }
        defer {
            tcsetattr(terminal, TCSAFLUSH, &former)
            Console.prompt("\n")
        }
        Console.prompt(prompt)
        var bytes: [UInt8] = []
        while bytes.count <= limit, let byte = try next(terminal) {
            switch byte {
            case 0x03: throw CancellationError()
            case 0x04, 0x0A, 0x0D: return bytes
            case 0x15: bytes = []
            case 0x08, 0x7F: removeCharacter(&bytes)
            default: bytes.append(byte)
            }
        }
        return bytes
    }

    /// Removes the last character, with all bytes of its UTF-8 code point.
    private static func removeCharacter(_ bytes: inout [UInt8]) {
        while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
    }

    private static func next(_ descriptor: Int32) throws(CommandFailure) -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let count = systemRead(descriptor, &byte, 1)
            if count == 1 { return byte }
            if count == 0 { return nil }
            guard errno == EINTR else {
                throw CommandFailure("the passphrase cannot be read: \(String(cString: strerror(errno)))")
            }
        }
    }

    private static func checked(_ bytes: [UInt8]) throws(CommandFailure) -> [UInt8] {
        guard !bytes.isEmpty else { throw CommandFailure("the passphrase is empty", "nothing was written; give one") }
        guard bytes.count <= limit else { throw CommandFailure("the passphrase has more than \(limit) bytes") }
        return bytes
    }
}
