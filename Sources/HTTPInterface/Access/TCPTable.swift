import Libc
import LocalFiles

/// The connections of this machine with the users that they belong to, as Linux lists them in `/proc/net/tcp` and
/// `/proc/net/tcp6` (proc(5)). A reading takes milliseconds; ``SocketQuery`` is asked first.
struct TCPTable: Sendable {
    /// One end of a connection over the loopback interface.
    struct End: Hashable, Sendable {
        let address: [UInt8]
        let port: Int

        /// - Parameter ip: A dotted IPv4 address, or `::1`; `nil` for anything else.
        init?(ip: String, port: Int) {
            self.port = port
            if ip == "::1" {
                address = [UInt8](repeating: 0, count: 15) + [1]
                return
            }
            let parts = ip.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
            guard parts.count == 4, !parts.contains(nil) else { return nil }
            address = parts.compactMap { $0 }
        }

        /// How the tables may write it: an IPv4 address also as it is mapped into IPv6, for a program that opened a socket
        /// of that family.
        var spellings: [String] {
            let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + address
            return (address.count == 4 ? [address, mapped] : [address]).map { Self.spelling($0) + ":" + hex(port, 4) }
        }

        /// Each four bytes as one number of this machine's byte order.
        private static func spelling(_ address: [UInt8]) -> String {
            stride(from: 0, to: address.count, by: 4).map { start in
                var word: UInt32 = 0
                withUnsafeMutableBytes(of: &word) { $0.copyBytes(from: address[start..<start + 4]) }
                return TCPTable.hex(Int(word), 8)
            }.joined()
        }

        private func hex(_ number: Int, _ digits: Int) -> String { TCPTable.hex(number, digits) }
    }

    /// Whose a connection is.
    enum Owner: Hashable, Sendable {
        case user(UInt32)
        /// The table lists no such connection of a program: it has ended, or its program has closed it.
        case nobody
        /// The table does not list what is certainly there.
        case unknown
    }

    /// The lines of both lists. A connection is looked for in the bytes, because a machine may have many thousands of
    /// others, and this is asked at each request.
    private let text: [CChar]

    init(_ text: [UInt8]) { self.text = text.map { CChar(bitPattern: $0) } + [0] }

    /// The present table, as far as it can be read; `nil` where the system has none.
    static func read() -> TCPTable? {
        let tables: [String] = ["/proc/net/tcp", "/proc/net/tcp6"]
        let paths = tables.filter { access($0, F_OK) == 0 }
        guard !paths.isEmpty else { return nil }
        let files = paths.compactMap { try? BoundedFile.read($0, limit: 16 << 20) }
        return TCPTable(Array(files.map(\.bytes).joined(separator: [UInt8(ascii: "\n")])))
    }

    /// The owner of the client's end of a connection to a server of this process.
    func owner(of client: End, talkingTo server: End) -> Owner {
        // The server's own end is there for as long as the connection is not closed, whatever the client does.
        guard user(server, client) != nil else { return .unknown }
        return user(client, server).map { .user($0) } ?? .nobody
    }

    private func user(_ own: End, _ other: End) -> UInt32? {
        for (one, two) in zip(own.spellings, other.spellings) {
            let ends = " \(one) \(two) "
            var start = 0
            while let found = place(of: ends, from: start) {
                start = found + ends.utf8.count
                let rest = text[start...].prefix { $0 != 0 && $0 != CChar(bitPattern: UInt8(ascii: "\n")) }
                if let user = Self.user(rest) { return user }
            }
        }
        return nil
    }

    /// The user of a program's connection, by what its line has after both ends: state, queues, timer, retransmissions,
    /// user, time-out, inode.
    private static func user(_ rest: ArraySlice<CChar>) -> UInt32? {
        let fields = String(decoding: rest.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(separator: " ")
        // A socket that its program has closed has inode 0. Some kernels then name root as its user.
        guard fields.count > 6, fields[6] != "0" else { return nil }
        return UInt32(fields[4])
    }

    /// Where a text stands, at a place or behind it.
    private func place(of ends: String, from start: Int) -> Int? {
        text.withUnsafeBufferPointer { all in
            guard let base = all.baseAddress, let found = strstr(base + start, ends) else { return nil }
            return UnsafePointer(found) - base
        }
    }

    fileprivate static func hex(_ number: Int, _ digits: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
