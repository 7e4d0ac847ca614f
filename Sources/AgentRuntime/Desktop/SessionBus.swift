import Libc

/// A connection to the bus on which the programs of a desktop session reach each other (D-Bus), for a few calls one after
/// the other. Every call waits for its answer, two seconds at most.
final class SessionBus {
    private static let patience = 2
    /// The most messages that are read while one answer is waited for; the bus sends signals in between.
    private static let messageLimit = 100

    private let socket: Int32
    private var serial: UInt32 = 0

    /// The path of the bus's socket, or its name without a file; `nil` where this process belongs to no session.
    ///
    /// - Parameter environment: DBUS_SESSION_BUS_ADDRESS, else the place below XDG_RUNTIME_DIR where a session has it.
    static func address(_ environment: [String: String]) -> [UInt8]? {
        guard let all = environment["DBUS_SESSION_BUS_ADDRESS"] else {
            return environment["XDG_RUNTIME_DIR"].map { Array("\($0)/bus".utf8) }
        }
        for address in all.split(separator: ";") where address.hasPrefix("unix:") {
            for pair in address.dropFirst(5).split(separator: ",") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, let value = unescaped(parts[1]) else { continue }
                if parts[0] == "path" { return value }
                // Linux keeps such a name apart from all files, and writes it with a zero byte at its start.
                if parts[0] == "abstract" { return [0] + value }
            }
        }
        return nil
    }

    /// Bytes other than letters and the like are written as `%2f` in an address.
    private static func unescaped(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard rest.count >= 2, let code = UInt8(String(Substring(rest.prefix(2))), radix: 16) else {
                    return nil
                }
                rest = rest.dropFirst(2)
                bytes.append(code)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// Connects, says who this user is, and asks for a name; `nil` where that fails.
    init?(address: [UInt8]) {
        guard let name = UnixAddress(address) else { return nil }
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        socket = Libc.socket(AF_UNIX, kind, 0)
        guard socket >= 0 else { return nil }
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        var wait = timeval(tv_sec: Self.patience, tv_usec: 0)
        for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
            setsockopt(socket, SOL_SOCKET, option, &wait, socklen_t(MemoryLayout<timeval>.size))
        }
        guard name.with({ connect(socket, $0, $1) }) == 0, introduces() else { return nil }
        let hello = BusMessage(
            call: "Hello", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus", to: "org.freedesktop.DBus")
        guard call(hello)?.kind == .answer else { return nil }
    }

    deinit { if socket >= 0 { close(socket) } }

    /// The kernel tells the bus which user this is; the text only has to agree.
    private func introduces() -> Bool {
        let user = "\(getuid())".utf8.map { "3" + String($0 - UInt8(ascii: "0")) }.joined()
        guard send([0] + Array("AUTH EXTERNAL \(user)\r\n".utf8)) else { return false }
        var line: [UInt8] = []
        while line.last != UInt8(ascii: "\n") {
            guard line.count < 1_000, let byte = receive(1) else { return false }
            line += byte
        }
        return line.starts(with: Array("OK ".utf8)) && send(Array("BEGIN\r\n".utf8))
    }

    /// Sends a call, and returns the answer or the failure; `nil` where none comes.
    func call(_ message: BusMessage) -> BusMessage? {
        guard let serial = send(message) else { return nil }
        for _ in 0..<Self.messageLimit {
            guard let message = receive() else { return nil }
            if message.answers == serial { return message }
        }
        return nil
    }

    /// Sends a message and returns its serial.
    func send(_ message: BusMessage) -> UInt32? {
        var message = message
        serial += 1
        message.serial = serial
        return send(message.encoded) ? serial : nil
    }

    /// The next message of whoever sends one.
    func receive() -> BusMessage? {
        guard let start = receive(BusMessage.startSize), let size = BusMessage.size(of: start),
            let rest = receive(size - start.count)
        else { return nil }
        return BusMessage(start + rest)
    }

    // MARK: Bytes

    private func send(_ bytes: [UInt8]) -> Bool {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        var sent = 0
        while sent < bytes.count {
            let count = Libc.send(socket, Array(bytes[sent...]), bytes.count - sent, flags)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    private func receive(_ size: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < size {
            var part = [UInt8](repeating: 0, count: size - bytes.count)
            let count = recv(socket, &part, part.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            bytes += part.prefix(count)
        }
        return bytes
    }
}
