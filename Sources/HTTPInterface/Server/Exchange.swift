import ControlInterface
import HouseholdAgent
import NIOCore
import NIOHTTP1
import Synchronization

/// One request of a connection, and its answer.
struct Exchange: Sendable {
    typealias Parts = HTTPConnections.Parts
    typealias Outbound = NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

    /// What requests are answered with.
    struct Services: Sendable {
        let limits: PageLimits
        let sealer: Sealer
        let counters: @Sendable () -> [CounterSample]
        let submit: @Sendable (any AgentRequest) -> AsyncStream<AgentReply>
    }

    private let channel: any Channel
    private let listening: Listening
    private let services: Services
    private let mayKeep: @Sendable () -> Bool

    /// - Parameter mayKeep: Whether there is room for connections that wait for a further request.
    init(
        _ channel: any Channel, _ listening: Listening, _ services: Services, mayKeep: @escaping @Sendable () -> Bool
    ) {
        (self.channel, self.listening, self.services, self.mayKeep) = (channel, listening, services, mayKeep)
    }

    /// Reads the rest of a request, and answers it.
    ///
    /// - Returns: Whether another request may come over the connection.
    @concurrent
    func run(
        _ head: HTTPRequestHead, _ parts: inout Parts.AsyncIterator, _ outbound: Outbound
    ) async throws -> Bool {
        let request = WebRequest(
            head.method.rawValue, head.uri, head.headers.map { (name: $0.name, value: $0.value) })
        let wish = try await read(request, head, &parts)
        let mayGoOn = Self.isRead(head) && head.version == .http1_1 && head.isKeepAlive && mayKeep()
        let writer = AnswerWriter(outbound, withoutBody: head.method == .HEAD, mayGoOn: mayGoOn)
        switch wish {
        case .success(.agent(let request)): return try await ask(request, writer)
        case .success(.events): return try await follow(request, writer)
        case .success(.open(let route)): return try await hand(answer(to: route, request), writer)
        case .success(.session(let code)): return try await hand(session(for: code, request), writer)
        case .success(.seal(let file)): return try await writer.write(services.sealer.seal(file))
        case .success(.unseal(let file)): return try await writer.write(services.sealer.open(file))
        case .failure(let refusal): return try await hand(WebAnswer(refusal), writer)
        }
    }

    /// Writes an answer to somebody who may have shown no key.
    private func hand(_ answer: WebAnswer, _ writer: AnswerWriter) async throws -> Bool {
        let timer = HTTPConnections.close(channel, after: services.limits.patience)
        defer { timer.cancel() }
        return try await writer.write(answer)
    }

    // MARK: Reading

    /// What an admitted request asks for, once its body is read.
    private enum Wish: Sendable {
        case open(Route)
        case session(code: String)
        case agent(any AgentRequest)
        case seal(FileWithPassphrase)
        case unseal(FileWithPassphrase)
        case events
    }

    /// Reads the rest of a request. Returns what it asks for, or the refusal that answers it.
    ///
    /// - Throws: `ChannelError` where the connection was closed meanwhile.
    @concurrent
    private func read(
        _ request: WebRequest, _ head: HTTPRequestHead, _ parts: inout Parts.AsyncIterator
    ) async throws -> Result<Wish, Refusal> {
        let timer = HTTPConnections.close(channel, after: services.limits.patience)
        defer { timer.cancel() }
        let wish = try await wish(request, head, &parts)
        try await HTTPConnections.keepOpen(channel, despite: timer)
        return wish
    }

    @concurrent
    private func wish(
        _ request: WebRequest, _ head: HTTPRequestHead, _ parts: inout Parts.AsyncIterator
    ) async throws -> Result<Wish, Refusal> {
        let route: Route
        do throws(Refusal) {
            route = try listening.admit(request)
        } catch {
            return .failure(error)
        }
        guard route.hasBody else {
            // The end of a request without a body comes with its head.
            if !Self.announcesBody(head) { _ = try await parts.next() }
            return .success(route == .events ? .events : .open(route))
        }
        let limit = route == .session ? Keys.bodyLimit : ControlCoding.requestLimit
        guard let body = try await HTTPConnections.body(of: head, &parts, limit: limit) else {
            return .failure(Refusal(413, "The most bytes of this request are \(limit)."))
        }
        return Self.wish(route, body)
    }

    /// Whether a request is read to its end once it is answered with success: a body that nobody asks for is not.
    private static func isRead(_ head: HTTPRequestHead) -> Bool { head.method == .POST || !announcesBody(head) }

    private static func announcesBody(_ head: HTTPRequestHead) -> Bool {
        head.headers.contains(name: "content-length") || head.headers.contains(name: "transfer-encoding")
    }

    private static func wish(_ route: Route, _ body: [UInt8]) -> Result<Wish, Refusal> {
        guard case .request(let name) = route else {
            do throws(Refusal) {
                switch route {
                case .seal: return .success(.seal(try FileWithPassphrase(body)))
                case .unseal: return .success(.unseal(try FileWithPassphrase(body)))
                default: return .success(.session(code: try Keys.code(in: body)))
                }
            } catch {
                return .failure(error)
            }
        }
        do throws(ControlCodingError) {
            return .success(.agent(try ControlCoding.request(name, body)))
        } catch {
            return .failure(Refusal(RequestTable.type(named: name) == nil ? 404 : 400, error.message))
        }
    }

    // MARK: Answers

    private func answer(to route: Route, _ request: WebRequest) -> WebAnswer {
        switch route {
        case .health: return .text("ok\n")
        case .metrics: return WebAnswer(200, MetricsText.type, Array(MetricsText.text(services.counters()).utf8))
        case .description:
            do { return .json(try APIDescription.json()) } catch {
                return WebAnswer(Refusal(500, "\(error)"))
            }
        case .file(let path):
            guard let file = PageFile(at: path) else {
                return WebAnswer(Refusal(404, "Nothing is at \(path.prefix(100))."))
            }
            let encodings = request.headers.filter { $0.name == "accept-encoding" }.map(\.value)
            return file.answer(accepting: encodings.joined(separator: ","))
        case .session, .seal, .unseal, .events, .request: return WebAnswer(Refusal(405, "This takes another method."))
        }
    }

    private func session(for code: String, _ request: WebRequest) -> WebAnswer {
        guard let session = listening.redeem(code, try? request.value("cookie")) else {
            return WebAnswer(
                Refusal(403, "This link was used, or is too old: open the page anew with \"hearth page\"."))
        }
        var answer = WebAnswer.json(ControlCoding.bytes(OpenedSession(proof: session.proof.text)))
        answer.headers = [("set-cookie", listening.cookie.header(session.cookie.text))]
        return answer
    }

    /// Hands a request to the agent. Where more than a response can come, each message is a line, sent when it comes.
    private func ask(_ request: any AgentRequest, _ writer: AnswerWriter) async throws -> Bool {
        let feed = ReplyFeed(replies: services.submit(request), closed: channel.closeFuture)
        let type: any AgentRequest.Type = type(of: request)
        guard !MessageSchema.streams(type) else {
            try await writer.begin(JSONType.lines)
            try await feed.each { try await writer.write($0.json + [UInt8(ascii: "\n")]) }
            try await writer.end()
            return false
        }
        let last = Mutex<AgentReply?>(nil)
        try await feed.each { reply in last.withLock { $0 = reply } }
        guard let reply = last.withLock({ $0 }) else { return false }
        guard case .failure(let code, let message) = reply else { return try await writer.write(.json(reply.json)) }
        return try await writer.write(WebAnswer(AgentFailure(code, message)))
    }

    private func follow(_ request: WebRequest, _ writer: AnswerWriter) async throws -> Bool {
        guard let client = listening.feed.client(after: try request.value("last-event-id")) else {
            return try await writer.write(WebAnswer(Refusal(503, "Too many tabs are open; close some.")))
        }
        defer { client.end() }
        channel.closeFuture.whenComplete { _ in client.end() }
        try await writer.begin("text/event-stream")
        try await writer.write(Array("retry: 1000\n\n".utf8))
        for await _ in client.signals {
            let news = client.news()
            if !news.isEmpty { try await writer.write(news) }
        }
        try await writer.end()
        return false
    }
}

extension AgentReply {
    /// The message as one JSON object, the one that commands print with `--json`.
    fileprivate var json: [UInt8] {
        guard case .failure(let code, let message) = self else { return ControlCoding.bytes(self) }
        return AgentFailure(code, message).json
    }
}
