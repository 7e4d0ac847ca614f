import AgentClients
package import HouseholdAgent
import Libc
import NIOCore
import NIOHTTP1
import NIOPosix

/// Sends requests to the running agent over its control socket.
package struct ControlClient: AgentClient {
    private typealias Connection = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    private let path: SocketPath

    package init(socketPath: String) { path = SocketPath(text: socketPath) }

    /// Whether a path is short enough for a Unix socket.
    package static func fits(_ path: String) -> Bool { SocketPath.fits(path) }

    /// Sends a request and waits for its response. Cancelling the task closes the connection, which cancels the
    /// request.
    ///
    /// - Throws: ``AgentFailure`` where the agent refuses, ``ControlClientError`` where it cannot be reached or its
    ///   answer not read, `CancellationError`, or an error of `onEvent`.
    @discardableResult
    package func send<Request: AgentRequest>(
        _ request: Request,
        onEvent: @escaping @Sendable (Request.Event) async throws -> Void
    ) async throws -> Request.Response {
        let body = try ControlCoding.bytes(request)
        guard body.count <= ControlCoding.requestLimit else {
            throw ControlClientError.failed(
                "The request has \(body.count) bytes and the agent takes \(ControlCoding.requestLimit) at most."
            )
        }
        try Task.checkCancellation()
        let connection = try await connect()
        do {
            return try await connection.executeThenClose { inbound, outbound in
                try await outbound.write(contentsOf: Self.parts(Request.name, body))
                return try await response(to: Request.self, inbound, onEvent)
            }
        } catch {
            // NIO reports a cancelled read with various errors.
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

    private static func parts(_ name: String, _ body: [UInt8]) -> [HTTPClientRequestPart] {
        let headers: HTTPHeaders = [
            "host": "localhost", "content-type": "application/json", "content-length": String(body.count),
            "connection": "close",
        ]
        let path = "/v\(ControlCoding.version)/requests/\(name)"
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: path, headers: headers)
        return [.head(head), .body(.byteBuffer(ByteBuffer(bytes: body))), .end(nil)]
    }

    private func response<Request: AgentRequest>(
        to type: Request.Type,
        _ inbound: NIOAsyncChannelInboundStream<HTTPClientResponsePart>,
        _ onEvent: @escaping @Sendable (Request.Event) async throws -> Void
    ) async throws -> Request.Response {
        var lines = ReplyLines(limit: ControlCoding.lineLimit)
        var status = HTTPResponseStatus.ok
        for try await part in inbound {
            guard case .body(let bytes) = part else {
                if case .head(let head) = part { status = head.status }
                continue
            }
            for line in try lines.take(bytes.readableBytesView) {
                switch try ControlCoding.reply(line, to: type) {
                case .event(let event): try await onEvent(event)
                case .response(let response): return response
                case .failure(let failure): throw failure
                }
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
