import HouseholdAgent
import NIOCore
import NIOHTTP1
import ServiceLifecycle

/// One request on the control socket and its answer. A connection carries no other one.
///
/// `POST /v1/requests/NAME` takes the parameters as a JSON object. The answer is one line for each message, sent as
/// soon as the message is there, so that a pairing code arrives while the request is still open. A client cancels its
/// request by closing the connection, or only its sending side.
struct ControlExchange: Sendable {
    typealias Outbound = NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

    let channel: any Channel
    let submit: @Sendable (any AgentRequest) -> AsyncStream<AgentReply>

    /// How long a connection may take to send its request.
    private static let patience = TimeAmount.seconds(30)
    /// How long a client may take to close the connection once it has its answer.
    private static let goodbye = TimeAmount.seconds(5)

    @concurrent
    func run(_ inbound: HTTPConnections.Parts, _ outbound: Outbound) async throws {
        var parts = inbound.makeAsyncIterator()
        let channel = channel
        let wish = try await withGracefulShutdownHandler {
            try await read(&parts)
        } onGracefulShutdown: {
            channel.close(promise: nil)
        }
        switch wish {
        case .none: return
        case .refused(let status, let message):
            let line = Self.line(.failure(.usage, message))
            try await outbound.write(.head(Self.head(status, length: line.readableBytes)))
            try await outbound.write(.body(.byteBuffer(line)))
        case .request(let request):
            try await outbound.write(.head(Self.head(.ok, length: nil)))
            try await ReplyFeed(replies: submit(request), closed: channel.closeFuture).each { reply in
                try await outbound.write(.body(.byteBuffer(Self.line(reply))))
            }
        }
        try await outbound.write(.end(nil))
        try await withGracefulShutdownHandler {
            try await HTTPConnections.sayGoodbye(on: channel, &parts, within: Self.goodbye)
        } onGracefulShutdown: {
            channel.close(promise: nil)
        }
    }

    // MARK: Reading

    /// The request of a client, as it was read.
    private enum Wish: Sendable {
        /// The client closed the connection without a request.
        case none
        case request(any AgentRequest)
        case refused(HTTPResponseStatus, String)
    }

    @concurrent
    private func read(_ parts: inout HTTPConnections.Parts.AsyncIterator) async throws -> Wish {
        let timer = HTTPConnections.close(channel, after: Self.patience)
        defer { timer.cancel() }
        guard case .head(let head)? = try await parts.next() else { return .none }
        let path = head.uri.prefix { $0 != "?" }
        let steps = path.split(separator: "/")
        guard head.method == .POST, steps.count == 3, steps[1] == "requests" else {
            return .refused(.notFound, Self.nothing(at: path))
        }
        guard steps[0] == "v\(ControlCoding.version)" else {
            return .refused(.notFound, Self.otherVersion(steps[0]))
        }
        guard let body = try await HTTPConnections.body(of: head, &parts, limit: ControlCoding.requestLimit) else {
            return .refused(.payloadTooLarge, "The request has more than \(ControlCoding.requestLimit) bytes.")
        }
        do throws(ControlCodingError) {
            return .request(try ControlCoding.request(String(steps[2]), body))
        } catch {
            return .refused(.badRequest, error.message)
        }
    }

    private static func otherVersion(_ version: Substring) -> String {
        "This agent speaks version v\(ControlCoding.version) of the control interface, not \"\(version.prefix(20))\"; "
            + "update Hearth, so that agent and command are of one version."
    }

    private static func nothing(at path: Substring) -> String {
        "Nothing is at \"\(path.prefix(100))\"; requests are sent like: POST /v\(ControlCoding.version)/requests/status."
    }

    // MARK: Writing

    /// - Parameter length: The bytes of the body; `nil` where it comes in pieces.
    private static func head(_ status: HTTPResponseStatus, length: Int?) -> HTTPResponseHead {
        var headers: HTTPHeaders = [
            "content-type": "application/x-ndjson", "cache-control": "no-store", "connection": "close",
        ]
        if let length { headers.add(name: "content-length", value: "\(length)") }
        return HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    }

    private static func line(_ reply: AgentReply) -> ByteBuffer {
        ByteBuffer(bytes: ControlCoding.bytes(reply) + [UInt8(ascii: "\n")])
    }
}
