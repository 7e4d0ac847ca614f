import HouseholdAgent
import Hummingbird
import NIOCore

/// The control surface's routes, the same on every listener.
///
/// `POST /v1/request` takes a request as JSON and answers with one line a reply, each sent as soon as it is there, so
/// that a pairing code arrives while the request stays open. `GET /v1/status` is the request `status`.
/// A connection carries one answer. Whoever closes it, or only its sending side, takes the request back.
struct ControlRoutes: Sendable {
    let submit: @Sendable (AgentRequest) -> AsyncStream<AgentReply>

    func add(to router: Router<ControlContext>) {
        router.post("/v1/request") { request, context in try await respond(to: request, context) }
        router.get("/v1/status") { _, context in answer(.status, context) }
    }

    private func respond(to request: Request, _ context: ControlContext) async throws -> Response {
        let limit = ControlCoding.requestLimit
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit { return Self.tooLong() }
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            return Self.tooLong()
        }
        do throws(ControlCodingError) {
            return answer(try ControlCoding.request(Array(body.readableBytesView)), context)
        } catch {
            return Self.refusal(.badRequest, error.message)
        }
    }

    private func answer(_ request: AgentRequest, _ context: ControlContext) -> Response {
        Response(
            status: .ok,
            headers: Self.headers + [.connection: "close"],
            body: ResponseBody { writer in
                try await ReplyFeed(replies: submit(request), closed: context.channel.closeFuture).each { reply in
                    try await writer.write(Self.line(reply))
                }
                try await writer.finish(nil)
                // After what is still to be sent. Feeds of later requests would add up on the channel until its end.
                context.channel.close(mode: .output, promise: nil)
            }
        )
    }

    private static func tooLong() -> Response {
        refusal(.contentTooLarge, "The request has more than \(ControlCoding.requestLimit) bytes.")
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
