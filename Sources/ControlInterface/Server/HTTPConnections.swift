package import NIOCore
package import NIOHTTP1

/// The connections that come to the sockets of a server, with HTTP's codec on each.
///
/// One that nobody can take any more is closed at once.
package struct HTTPConnections: Sendable {
    package typealias Opened = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
    package typealias Parts = NIOAsyncChannelInboundStream<HTTPServerRequestPart>

    /// Each connection once it is there, as a plain channel, of which nothing is read yet. (An asynchronous channel that
    /// nobody takes would end the whole process.)
    package let arrived: AsyncStream<any Channel>
    private let arrivals: AsyncStream<any Channel>.Continuation

    /// The most connections that wait to be taken; further ones are closed.
    private static let waitingLimit = 64
    /// The most bytes of all headers of a request, and of one of them.
    private static let headLimit = 16 << 10
    private static let fieldLimit = 8 << 10
    private static let fieldCountLimit = 64

    package init() {
        (arrived, arrivals) = AsyncStream.makeStream(
            of: (any Channel).self, bufferingPolicy: .bufferingOldest(Self.waitingLimit))
    }

    /// Puts the codec on a new connection. Its option `autoRead` must be off.
    package func prepare(_ channel: any Channel) throws {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = Self.fieldLimit
        limits.maxHeaderListSize = Self.headLimit
        limits.maxHeaderFieldCount = Self.fieldCountLimit
        let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)
        try channel.pipeline.syncOperations.addHandlers(
            HTTPResponseEncoder(), ByteToMessageHandler(decoder), HTTPServerProtocolErrorHandler(), Arrival(arrivals))
    }

    /// Ends ``arrived`` after the connections that came before.
    package func finish() { arrivals.finish() }

    /// Begins to read a connection that was taken. The result has to be executed, which closes it in the end.
    ///
    /// - Throws: `ChannelError` where the client is gone.
    package static func open(_ connection: any Channel) async throws -> Opened {
        try await connection.eventLoop.submit {
            // To a channel that is closed nothing can be added. It is not closed before this is done: that happens on the
            // same event loop.
            guard connection.isActive else { throw ChannelError.ioOnClosedChannel }
            try connection.syncOptions?.setOption(.autoRead, value: true)
            return try Opened(wrappingChannelSynchronously: connection)
        }.get()
    }

    /// The body of a request; `nil` where it has too many bytes, which is known before they are kept.
    @concurrent
    package static func body(
        of head: HTTPRequestHead, _ parts: inout Parts.AsyncIterator, limit: Int
    ) async throws -> [UInt8]? {
        if let length = head.headers.first(name: "content-length").flatMap({ Int($0) }), length > limit { return nil }
        var body: [UInt8] = []
        while let part = try await parts.next() {
            switch part {
            case .head: return body
            case .body(let bytes):
                guard body.count + bytes.readableBytes <= limit else { return nil }
                body += bytes.readableBytesView
            case .end: return body
            }
        }
        throw ChannelError.inputClosed
    }

    /// Ends the sending side once everything is sent, and waits until the client closes its own; what the client still
    /// sends is dropped. (If the connection were closed with bytes that nobody read, the client could lose the answer.)
    @concurrent
    package static func sayGoodbye(
        on channel: any Channel, _ parts: inout Parts.AsyncIterator, within time: TimeAmount
    ) async throws {
        try await channel.close(mode: .output).get()
        let end = close(channel, after: time)
        defer { end.cancel() }
        while try await parts.next() != nil {}
    }

    /// Closes a connection after a time, unless that is cancelled.
    package static func close(_ channel: any Channel, after time: TimeAmount) -> Scheduled<Void> {
        channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }

    /// Cancels such a closing, before anything is done for a request: a browser sends a request once more where a connection
    /// that it kept was closed without an answer, and it would be done twice.
    ///
    /// - Throws: `ChannelError` where the connection is closed already.
    package static func keepOpen(_ channel: any Channel, despite closing: Scheduled<Void>) async throws {
        try await channel.eventLoop.submit {
            closing.cancel()
            guard channel.isActive else { throw ChannelError.ioOnClosedChannel }
        }.get()
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
