import Libc

/// A plain TCP connection to the server, which sends what it likes.
package final class Wire: Sendable {
    private let handle: Int32

    #if canImport(Darwin)
        private static let stream = SOCK_STREAM
        private static let noSignal: Int32 = 0
    #else
        private static let stream = Int32(SOCK_STREAM.rawValue)
        private static let noSignal = Int32(MSG_NOSIGNAL)
    #endif

    /// Connects to 127.0.0.1. Reads and writes time out after a minute, which only a hang takes: a test that runs beside
    /// others may wait for a busy machine.
    ///
    /// - Throws: ``Failure`` where nobody listens.
    package init(_ port: Int) throws {
        let handle = socket(AF_INET, Self.stream, 0)
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(handle, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(handle, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let outcome = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(handle, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard outcome == 0 else {
            close(handle)
            throw Failure("nobody listens on port \(port)")
        }
        self.handle = handle
    }

    deinit { close(handle) }

    /// Sends as much as the other side takes.
    package func write(_ text: String) {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = send(handle, Array(bytes[sent...]), bytes.count - sent, Self.noSignal)
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Everything up to a word, or up to the end of the connection. Where neither comes in time, the text ends with a
    /// remark, so that no test passes that waited for what never comes.
    package func read(until word: String? = nil) -> String {
        var all: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(handle, &part, part.count, 0)
            guard count > 0 else {
                let isLate = count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)
                return String(decoding: all, as: UTF8.self) + (isLate ? "\nand nothing more came within a minute" : "")
            }
            all += part[..<count]
            if let word, String(decoding: all, as: UTF8.self).contains(word) { break }
        }
        return String(decoding: all, as: UTF8.self)
    }

    /// Ends the sending side, as a client that goes away does.
    package func end() { shutdown(handle, Int32(SHUT_RDWR)) }
}

/// Runs calls that block on a thread of their own.
package func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        OwnThread.start { continuation.resume(with: Result { try body() }) }
    }
}

/// Sends one text and reads the whole answer.
package func exchange(_ port: Int, _ text: String) async throws -> WireReply {
    try await blocking {
        let wire = try Wire(port)
        wire.write(text)
        return try WireReply(wire.read())
    }
}

/// An answer, as it came.
package struct WireReply: Sendable {
    package let status: Int
    /// The names are in small letters.
    package let headers: [String: String]
    package let body: String

    package init(_ text: String) throws {
        guard let end = text.firstRange(of: "\r\n\r\n") else { throw Failure("no answer: \(text.prefix(200))") }
        let lines = text[..<end.lowerBound].split(separator: "\r\n")
        guard let first = lines.first, let status = Int(first.split(separator: " ").dropFirst().first ?? "") else {
            throw Failure("no status: \(text.prefix(200))")
        }
        self.status = status
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
        }
        self.headers = headers
        let rest = String(text[end.upperBound...])
        body = headers["transfer-encoding"] == "chunked" ? Self.joined(rest) : rest
    }

    /// The parts of a body in chunks, as far as they have come.
    private static func joined(_ text: String) -> String {
        var rest = Array(text.utf8)[...]
        var body: [UInt8] = []
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: rest[..<end].filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
            guard let size = Int(line, radix: 16), size > 0 else { break }
            let start = rest.index(after: end)
            body += rest[start...].prefix(size)
            rest = rest[start...].dropFirst(size + 2)
        }
        return String(decoding: body, as: UTF8.self)
    }
}
