import HouseholdAgent
import Hummingbird
import NIOCore

/// The routes of the control interface.
///
/// `POST /v1/requests/NAME` takes the parameters as a JSON object. The answer is one line for each message, sent as
/// soon as the message is there, so that a pairing code arrives while the request is still open. A connection carries
/// one answer. A client cancels its request by closing the connection, or only its sending side.
struct ControlRoutes: Sendable {
    let submit: @Sendable (any AgentRequest) -> AsyncStream<AgentReply>

    func add(to router: Router<ControlContext>) {
        router.post("**") { request, context in
            let path = request.uri.path.split(separator: "/")
            guard path.count == 3, path[1] == "requests" else { return Self.nothing(at: request.uri.path) }
            guard path[0] == "v\(ControlCoding.version)" else { return Self.otherVersion(path[0]) }
            return try await respond(to: request, named: String(path[2]), context)
        }
        router.get("**") { request, _ in Self.nothing(at: request.uri.path) }
    }

    private func respond(
        to request: Request, named name: String, _ context: ControlContext
    ) async throws -> Response {
        let limit = ControlCoding.requestLimit
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit { return Self.tooLong() }
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            return Self.tooLong()
        }
        do throws(ControlCodingError) {
            return answer(try ControlCoding.request(name, Array(body.readableBytesView)), context)
        } catch {
            return Self.refusal(.badRequest, error.message)
        }
    }

    private func answer(_ request: any AgentRequest, _ context: ControlContext) -> Response {
        Response(
            status: .ok,
            headers: Self.headers + [.connection: "close"],
            body: ResponseBody { writer in
                try await ReplyFeed(replies: submit(request), closed: context.channel.closeFuture).each { reply in
                    try await writer.write(Self.line(reply))
                }
                try await writer.finish(nil)
                // This closes only after everything is sent. With a kept connection, the feeds of later requests would
                // add up on the channel.
                context.channel.close(mode: .output, promise: nil)
            }
        )
    }

    private static func tooLong() -> Response {
        refusal(.contentTooLarge, "The request has more than \(ControlCoding.requestLimit) bytes.")
    }

    private static func otherVersion(_ version: Substring) -> Response {
        let ours = "This agent speaks version v\(ControlCoding.version) of the control interface"
        return refusal(
            .notFound,
            "\(ours), not \"\(version.prefix(20))\"; update Hearth, so that agent and command are of one version.")
    }

    private static func nothing(at path: String) -> Response {
        let example = "/v\(ControlCoding.version)/requests/status"
        return refusal(.notFound, "Nothing is at \"\(path.prefix(100))\"; requests are sent like: POST \(example).")
    }

    private static func refusal(_ status: HTTPResponse.Status, _ message: String) -> Response {
        Response(status: status, headers: headers, body: ResponseBody(byteBuffer: line(.failure(.usage, message))))
    }

    private static func line(_ reply: AgentReply) -> ByteBuffer {
        ByteBuffer(bytes: ControlCoding.bytes(reply) + [UInt8(ascii: "\n")])
    }

    private static let headers: HTTPFields = [
        .contentType: "application/x-ndjson", .cacheControl: "no-store",
    ]
}
