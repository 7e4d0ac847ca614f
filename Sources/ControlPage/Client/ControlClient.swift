package import HouseholdAgent
import NIOCore
import NIOHTTP1
import NIOPosix

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Asks the running agent over its control socket.
package struct ControlClient: Sendable {
    private typealias Connection = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    private let path: SocketPath

    package init(socketPath: String) { path = SocketPath(text: socketPath) }

    /// Whether a path is short enough for a Unix socket.
    package static func fits(_ path: String) -> Bool { SocketPath.fits(path) }

    /// Sends a request and waits for its last reply.
    ///
    /// Cancellation closes the connection, by which the agent learns that nobody waits any more; so does an error that
    /// `each` throws.
    ///
    /// - Parameter each: Called with every reply as it comes, the last one too.
    /// - Returns: The last reply; a failure that the agent reports is a reply, not an error.
    /// - Throws: ``ControlClientError``, `CancellationError`, or what `each` throws.
    @discardableResult
    package func send(
        _ request: AgentRequest,
        each: (AgentReply) async throws -> Void = { _ in }
    ) async throws -> AgentReply {
        let body = ControlCoding.bytes(request)
        guard body.count <= ControlCoding.requestLimit else {
            throw ControlClientError.failed(
                "The request has \(body.count) bytes and the agent takes \(ControlCoding.requestLimit) at most."
            )
        }
        try Task.checkCancellation()
        let connection = try await connect()
        do {
            return try await connection.executeThenClose { inbound, outbound in
                try await outbound.write(contentsOf: Self.parts(body))
                return try await lastReply(inbound, each)
            }
        } catch {
            // NIO reports a read that was cancelled in ways of its own.
            try Task.checkCancellation()
            throw described(error)
        }
    }

    private func connect() async throws -> Connection {
        guard SocketPath.fits(path.text) else { throw ControlClientError.failed(SocketPath.excess(path.text)) }
        do {
            return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(unixDomainSocketPath: path.text) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        return try Connection(wrappingChannelSynchronously: channel)
                    }
                }
        } catch let error as IOError {
            switch error.errnoCode {
            case ENOENT, ENOTDIR, ECONNREFUSED: throw ControlClientError.agentNotRunning(socketPath: path.text)
            case EACCES, EPERM:
                throw ControlClientError.failed("The agent's socket \(path.text) belongs to another user.")
            default: throw ControlClientError.failed("The agent's socket \(path.text) cannot be reached: \(error).")
            }
        }
    }

    private static func parts(_ body: [UInt8]) -> [HTTPClientRequestPart] {
        let headers: HTTPHeaders = [
            "host": "localhost", "content-type": "application/json", "content-length": String(body.count),
            "connection": "close",
        ]
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/v1/request", headers: headers)
        return [.head(head), .body(.byteBuffer(ByteBuffer(bytes: body))), .end(nil)]
    }

    private func lastReply(
        _ inbound: NIOAsyncChannelInboundStream<HTTPClientResponsePart>,
        _ each: (AgentReply) async throws -> Void
    ) async throws -> AgentReply {
        var lines = ReplyLines(limit: ControlCoding.replyLimit)
        var status = HTTPResponseStatus.ok
        for try await part in inbound {
            guard case .body(let bytes) = part else {
                if case .head(let head) = part { status = head.status }
                continue
            }
            for line in try lines.take(bytes.readableBytesView) {
                let reply = try ControlCoding.reply(line)
                try await each(reply)
                if reply.isFinal { return reply }
            }
        }
        try Task.checkCancellation()
        guard status == .ok else {
            throw ControlClientError.failed(
                "The agent does not know such requests (HTTP status \(status.code)); is it another version?"
            )
        }
        throw broken
    }

    private var broken: ControlClientError {
        .failed("The agent ended the connection on \(path.text) before it answered; look into its log.")
    }

    private func described(_ error: any Error) -> any Error {
        switch error {
        case let error as ControlCodingError: ControlClientError.failed(error.message)
        case is ChannelError, is IOError, is HTTPParserError: broken
        default: error
        }
    }
}
