import ControlInterface
import Libc
import NIOCore
import NIOPosix

/// The sockets on which the page is served: on the loopback interface alone, by IPv4 and by IPv6, at one port.
///
/// Nobody else can listen on the port under one of the names of this machine, and be taken for the agent there.
struct Listener: Sendable {
    let port: Int
    let sockets: [any Channel]
    let connections: HTTPConnections

    /// How often another port is tried where one is free for IPv4 alone.
    private static let tries = 8

    /// Takes a port that the system chooses.
    static func bind() async throws -> Listener {
        for _ in 0..<tries {
            let connections = HTTPConnections()
            let first = try await bind("127.0.0.1", 0, connections)
            let port = first.localAddress?.port ?? 0
            let alone = Listener(port: port, sockets: [first], connections: connections)
            do {
                let second = try await bind("::1", port, connections)
                return Listener(port: port, sockets: [first, second], connections: connections)
            } catch let error as IOError where error.errnoCode == EADDRINUSE {
                await alone.refuseAll()
            } catch {
                // This machine has no IPv6.
                return alone
            }
        }
        throw IOError(errnoCode: EADDRINUSE, reason: "no port is free on 127.0.0.1 and ::1")
    }

    /// Closes the sockets. ``connections`` end after those that came before.
    func close() async {
        for socket in sockets { try? await socket.close().get() }
        connections.finish()
    }

    /// Closes the sockets, and every connection that came. Nobody else may be taking connections.
    func refuseAll() async {
        await close()
        for await connection in connections.arrived { connection.close(promise: nil) }
    }

    private static func bind(
        _ address: String, _ port: Int, _ connections: HTTPConnections
    ) async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try connections.prepare(channel) }
            }
            .bind(to: try SocketAddress(ipAddress: address, port: port)).get()
    }
}
