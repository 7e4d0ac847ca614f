import Libc
import NIOCore
import NIOHTTP1
import NIOPosix

/// The sockets on which the page is served: on the loopback interface alone, by IPv4 and by IPv6, at one port.
///
/// Nobody else can listen on the port under one of the names of this machine, and be taken for the agent there.
struct Listener: Sendable {
    typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    let port: Int
    let channels: [NIOAsyncChannel<Connection, Never>]

    /// How often another port is tried where one is free for IPv4 alone.
    private static let tries = 8
    /// The most bytes of all headers of a request, and of one of them.
    private static let headLimit = 16 << 10
    private static let fieldLimit = 8 << 10
    private static let fieldCountLimit = 64

    /// Takes a port that the system chooses.
    static func bind() async throws -> Listener {
        for _ in 0..<tries {
            let first = try await bind("127.0.0.1", 0)
            let port = first.channel.localAddress?.port ?? 0
            do {
                return Listener(port: port, channels: [first, try await bind("::1", port)])
            } catch let error as IOError where error.errnoCode == EADDRINUSE {
                try await first.executeThenClose { _ in }
            } catch {
                // This machine has no IPv6.
                return Listener(port: port, channels: [first])
            }
        }
        throw IOError(errnoCode: EADDRINUSE, reason: "no port is free on 127.0.0.1 and ::1")
    }

    /// Closes sockets on which nobody was taken.
    func close() async {
        for channel in channels { try? await channel.executeThenClose { _ in } }
    }

    private static func bind(_ address: String, _ port: Int) async throws -> NIOAsyncChannel<Connection, Never> {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(to: try SocketAddress(ipAddress: address, port: port)) { channel in
                channel.eventLoop.makeCompletedFuture { try prepare(channel) }
            }
    }

    private static func prepare(_ channel: any Channel) throws -> Connection {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = fieldLimit
        limits.maxHeaderListSize = headLimit
        limits.maxHeaderFieldCount = fieldCountLimit
        let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandlers(HTTPResponseEncoder(), ByteToMessageHandler(decoder), HTTPServerProtocolErrorHandler())
        return try Connection(wrappingChannelSynchronously: channel)
    }
}
