#if os(Linux)
    import Libc
    import NIOCore
    import TestSupport
    import Testing

    @testable import HTTPInterface

    /// Whose a connection is, asked of the system about real connections.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct SocketQueryTests {
        /// A client's socket; the address is an IPv6 one, also that of IPv4 as it is mapped into IPv6.
        private final class Client {
            let handle: Int32

            init() { handle = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0) }
            deinit { close(handle) }

            func connect(_ ip: String, _ port: Int) throws -> Bool {
                try SocketAddress(ipAddress: ip, port: port).withSockAddr { address, size in
                    Glibc.connect(handle, address, socklen_t(size)) == 0
                }
            }

            /// The number behind the family in every address of this kind.
            var port: Int {
                var address = sockaddr_storage()
                var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
                _ = withUnsafeMutablePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(handle, $0, &size) }
                }
                return withUnsafeBytes(of: address) { Int($0[2]) << 8 | Int($0[3]) }
            }
        }

        private func owner(_ ip: String, _ port: Int, _ server: Int) throws -> TCPTable.Owner? {
            SocketQuery.owner(
                of: try #require(TCPTable.End(ip: ip, port: port)),
                talkingTo: try #require(TCPTable.End(ip: ip, port: server)))
        }

        @Test(arguments: [("::ffff:127.0.0.1", "127.0.0.1"), ("::1", "::1")])
        func theSystemSaysWhoseAConnectionIs(_ address: String, _ ip: String) async throws {
            let listener = try await Listener.bind()
            let client = Client()
            try #require(try client.connect(address, listener.port))
            #expect(try owner(ip, client.port, listener.port) == .user(geteuid()))
            // The lists say the same.
            let ends = (TCPTable.End(ip: ip, port: client.port), TCPTable.End(ip: ip, port: listener.port))
            let one = try #require(ends.0)
            let other = try #require(ends.1)
            #expect(PeerOwner.owner(of: one, talkingTo: other, reading: TCPTable.read) == .user(geteuid()))
            // The socket that listens is not taken for a connection that is not there.
            #expect(try owner(ip, listener.port, client.port + 1) == .nobody)
            #expect(try owner(ip, client.port == 1 ? 2 : 1, listener.port) == .nobody)
            await listener.refuseAll()
        }

        @Test func aConnectionThatItsProgramHasClosedIsNobodys() async throws {
            let listener = try await Listener.bind()
            var client: Client? = Client()
            try #require(try client?.connect("::1", listener.port) == true)
            let port = try #require(client?.port)
            client = nil
            #expect(try owner("::1", port, listener.port) == .nobody)
            await listener.refuseAll()
        }

        /// Only root can give a socket to another user.
        @Test(.enabled(if: geteuid() == 0)) func anotherUserIsRefused() async throws {
            try await serving { served in
                let (port, _) = try await served.open()
                let client = Client()
                try #require(fchown(client.handle, 1_001, gid_t.max) == 0)
                try #require(try client.connect("::1", port))
                #expect(try owner("::1", client.port, port) == .user(1_001))
                let text = Array(Text.get("/healthz", port).replacing("127.0.0.1", with: "[::1]").utf8)
                let handle = client.handle
                let answer = try await blocking {
                    send(handle, text, text.count, Int32(MSG_NOSIGNAL))
                    var bytes = [UInt8](repeating: 0, count: 64)
                    return recv(handle, &bytes, bytes.count, 0)
                }
                #expect(answer <= 0)
                withExtendedLifetime(client) {}
            }
        }

        // MARK: Bytes

        private func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }

        /// An answer about a connection from 127.0.0.1:40000 to port 4711.
        private func answer(client: [UInt8] = [0x9C, 0x40], server: [UInt8] = [0x12, 0x67], inode: UInt32) -> [UInt8] {
            let head = bytes(UInt32(88)) + bytes(UInt16(20)) + [UInt8](repeating: 0, count: 10)
            let rest = [UInt8](repeating: 0, count: 44 + 12)
            return head + [2, 1, 0, 0] + client + server + rest + bytes(UInt32(1_001)) + bytes(inode)
        }

        private func fault(_ number: Int32) -> [UInt8] {
            bytes(UInt32(36)) + bytes(UInt16(2)) + [UInt8](repeating: 0, count: 10) + bytes(number)
        }

        @Test func anAnswerIsReadAsTheSystemWritesIt() throws {
            let client = try #require(TCPTable.End(ip: "127.0.0.1", port: 40_000))
            let server = try #require(TCPTable.End(ip: "127.0.0.1", port: 4_711))
            let whole = answer(inode: 7)
            let cases: [(bytes: [UInt8], owner: TCPTable.Owner?)] = [
                (whole, .user(1_001)), (answer(inode: 0), .nobody), (answer(server: [0, 0], inode: 7), .nobody),
                (answer(client: [0x9C, 0x41], inode: 7), .nobody), (fault(-ENOENT), .nobody), (fault(-EPERM), nil),
                (fault(-EINVAL), nil), ([], nil), (Array(whole.dropLast()), nil), (Array(whole.prefix(16)), nil),
            ]
            for (bytes, owner) in cases {
                #expect(SocketQuery.owner(in: bytes, of: client, talkingTo: server) == owner)
            }
        }
    }
#endif
