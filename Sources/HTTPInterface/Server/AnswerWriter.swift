import NIOCore
import NIOHTTP1

/// Writes an answer, with the headers that every answer has.
struct AnswerWriter: Sendable {
    private let outbound: Exchange.Outbound
    /// Whether only the head is asked for.
    private let withoutBody: Bool
    /// Whether another request may come over the connection.
    private let mayGoOn: Bool

    init(_ outbound: Exchange.Outbound, withoutBody: Bool, mayGoOn: Bool) {
        (self.outbound, self.withoutBody, self.mayGoOn) = (outbound, withoutBody, mayGoOn)
    }

    /// Writes a whole answer at once. Whoever was refused something begins again with a new connection.
    ///
    /// - Returns: Whether the connection goes on after it.
    func write(_ answer: WebAnswer) async throws -> Bool {
        let goesOn = mayGoOn && answer.status == 200
        let length = (name: "content-length", value: "\(answer.body.count)")
        var parts = [head(answer.status, answer.type, answer.headers + [length], goesOn: goesOn)]
        if !withoutBody { parts.append(.body(.byteBuffer(ByteBuffer(bytes: answer.body)))) }
        try await outbound.write(contentsOf: parts + [.end(nil)])
        return goesOn
    }

    /// Begins an answer whose parts follow. The connection ends after it.
    func begin(_ type: String) async throws { try await outbound.write(head(200, type, [], goesOn: false)) }

    func write(_ bytes: [UInt8]) async throws {
        try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: bytes))))
    }

    func end() async throws { try await outbound.write(.end(nil)) }

    private func head(
        _ status: Int, _ type: String, _ more: [(name: String, value: String)], goesOn: Bool
    ) -> HTTPServerResponsePart {
        var headers = HTTPHeaders([("content-type", type)])
        for header in SafetyHeaders.all + more { headers.add(name: header.name, value: header.value) }
        if !goesOn { headers.add(name: "connection", value: "close") }
        let status = HTTPResponseStatus(statusCode: status)
        return .head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))
    }
}
