import Libc
import LocalFiles

/// The connections of this machine with the users that they belong to, as Linux lists them in `/proc/net/tcp` and
/// `/proc/net/tcp6` (proc(5)).
struct TCPTable: Sendable {
    /// One end of a connection over the loopback interface.
    struct End: Hashable, Sendable {
        private let address: [UInt8]
        private let port: Int

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

    /// The user of each connection, by "own end, other end".
    private let users: [Substring: UInt32]

    init(_ text: String) {
        var users: [Substring: UInt32] = [:]
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: " ")
            // A socket that its program has closed has inode 0. Some kernels then name root as its user.
            guard fields.count > 9, let user = UInt32(fields[7]), fields[9] != "0" else { continue }
            users[fields[1] + "," + fields[2]] = user
        }
        self.users = users
    }

    /// The present table, as far as it can be read; `nil` where the system has none.
    static func read() -> TCPTable? {
        let tables: [String] = ["/proc/net/tcp", "/proc/net/tcp6"]
        let paths = tables.filter { access($0, F_OK) == 0 }
        guard !paths.isEmpty else { return nil }
        let files = paths.compactMap { try? BoundedFile.read($0, limit: 16 << 20) }
        return TCPTable(files.map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: "\n"))
    }

    /// The owner of the client's end of a connection to a server of this process.
    func owner(of client: End, talkingTo server: End) -> Owner {
        // The server's own end is there for as long as the connection is not closed, whatever the client does.
        guard user(server, client) != nil else { return .unknown }
        return user(client, server).map { .user($0) } ?? .nobody
    }

    private func user(_ own: End, _ other: End) -> UInt32? {
        for (one, two) in zip(own.spellings, other.spellings) {
            if let user = users[Substring(one + "," + two)] { return user }
        }
        return nil
    }

    fileprivate static func hex(_ number: Int, _ digits: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
