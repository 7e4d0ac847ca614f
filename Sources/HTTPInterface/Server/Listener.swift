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
    let sockets: [any Channel]
    /// Each connection once it is there, as a plain channel, of which nothing is read yet. One that nobody can take any
    /// more is closed at once. (An asynchronous channel that nobody takes would end the whole process.)
    let connections: AsyncStream<any Channel>
    private let arrivals: AsyncStream<any Channel>.Continuation

    /// How often another port is tried where one is free for IPv4 alone.
    private static let tries = 8
    /// The most connections that wait to be taken; further ones are closed.
    private static let waitingLimit = 64
    /// The most bytes of all headers of a request, and of one of them.
    private static let headLimit = 16 << 10
    private static let fieldLimit = 8 << 10
    private static let fieldCountLimit = 64

    /// Takes a port that the system chooses.
    static func bind() async throws -> Listener {
        for _ in 0..<tries {
            let (connections, arrivals) = AsyncStream.makeStream(
                of: (any Channel).self, bufferingPolicy: .bufferingOldest(waitingLimit))
            let first = try await bind("127.0.0.1", 0, arrivals)
            let port = first.localAddress?.port ?? 0
            let alone = Listener(port: port, sockets: [first], connections: connections, arrivals: arrivals)
            do {
                let second = try await bind("::1", port, arrivals)
                return Listener(port: port, sockets: [first, second], connections: connections, arrivals: arrivals)
            } catch let error as IOError where error.errnoCode == EADDRINUSE {
                await alone.refuseAll()
            } catch {
                // This machine has no IPv6.
                return alone
            }
        }
        throw IOError(errnoCode: EADDRINUSE, reason: "no port is free on 127.0.0.1 and ::1")
    }

    /// Closes the sockets. ``connections`` ends after those that came before.
    func close() async {
        for socket in sockets { try? await socket.close().get() }
        arrivals.finish()
    }

    /// Closes the sockets, and every connection that came. Nobody else may be taking connections.
    func refuseAll() async {
        await close()
        for await connection in connections { connection.close(promise: nil) }
    }

    /// Begins to read a connection that was taken. The result has to be executed, which closes it in the end.
    ///
    /// - Throws: `ChannelError` where the client is gone.
    static func open(_ connection: any Channel) async throws -> Connection {
        try await connection.eventLoop.submit {
            // To a channel that is closed nothing can be added. It is not closed before this is done: that happens on the
            // same event loop.
            guard connection.isActive else { throw ChannelError.ioOnClosedChannel }
            try connection.syncOptions?.setOption(.autoRead, value: true)
            return try Connection(wrappingChannelSynchronously: connection)
        }.get()
    }

    private static func bind(
        _ address: String, _ port: Int, _ arrivals: AsyncStream<any Channel>.Continuation
    ) async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try prepare(channel, arrivals) }
            }
            .bind(to: try SocketAddress(ipAddress: address, port: port)).get()
    }

    private static func prepare(_ channel: any Channel, _ arrivals: AsyncStream<any Channel>.Continuation) throws {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = fieldLimit
        limits.maxHeaderListSize = headLimit
        limits.maxHeaderFieldCount = fieldCountLimit
        let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)
        try channel.pipeline.syncOperations.addHandlers(
            HTTPResponseEncoder(), ByteToMessageHandler(decoder), HTTPServerProtocolErrorHandler(), Arrival(arrivals))
    }
}

/// Gives a connection away once it is there, and closes it where nobody takes it any more.
private final class Arrival: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    private let arrivals: AsyncStream<any Channel>.Continuation

    init(_ arrivals: AsyncStream<any Channel>.Continuation) { self.arrivals = arrivals }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        if case .enqueued = arrivals.yield(context.channel) { return }
        context.close(promise: nil)
    }
}
