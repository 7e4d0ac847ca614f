import NIOCore
import NIOHTTP1

/// Writes an answer, with the headers that every answer has.
struct AnswerWriter: Sendable {
    private let outbound: Exchange.Outbound
    /// Whether only the head is asked for.
    private let withoutBody: Bool

    init(_ outbound: Exchange.Outbound, withoutBody: Bool) {
        (self.outbound, self.withoutBody) = (outbound, withoutBody)
    }

    /// Writes a whole answer.
    func write(_ answer: WebAnswer) async throws {
        let length = (name: "content-length", value: "\(answer.body.count)")
        try await head(answer.status, answer.type, answer.headers + [length])
        if !withoutBody { try await write(answer.body) }
        try await end()
    }

    /// Begins an answer whose parts follow.
    func begin(_ type: String) async throws { try await head(200, type, []) }

    func write(_ bytes: [UInt8]) async throws {
        try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: bytes))))
    }

    func end() async throws { try await outbound.write(.end(nil)) }

    private func head(_ status: Int, _ type: String, _ more: [(name: String, value: String)]) async throws {
        var headers = HTTPHeaders([("content-type", type)])
        for header in SafetyHeaders.all + more { headers.add(name: header.name, value: header.value) }
        let status = HTTPResponseStatus(statusCode: status)
        try await outbound.write(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers)))
    }
}
