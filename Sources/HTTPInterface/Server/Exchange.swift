import ControlInterface
import HouseholdAgent
import NIOCore
import NIOHTTP1
import Synchronization

/// One request and its answer. A connection carries no other one.
struct Exchange: Sendable {
    typealias Parts = HTTPConnections.Parts
    typealias Outbound = NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

    /// What requests are answered with.
    struct Services: Sendable {
        let limits: PageLimits
        let counters: @Sendable () -> [CounterSample]
        let submit: @Sendable (any AgentRequest) -> AsyncStream<AgentReply>
    }

    private let channel: any Channel
    private let listening: Listening
    private let services: Services

    init(_ channel: any Channel, _ listening: Listening, _ services: Services) {
        (self.channel, self.listening, self.services) = (channel, listening, services)
    }

    @concurrent
    func run(_ inbound: Parts, _ outbound: Outbound) async throws {
        var parts = inbound.makeAsyncIterator()
        let timer = HTTPConnections.close(channel, after: services.limits.patience)
        defer { timer.cancel() }
        guard let asked = try await read(&parts) else { return }
        let writer = AnswerWriter(outbound, withoutBody: asked.request.method == "HEAD")
        switch asked.outcome {
        case .failure(let refusal): try await writer.write(WebAnswer(refusal))
        case .success(.open(let route)): try await writer.write(answer(to: route))
        case .success(.session(let code)): try await writer.write(session(for: code, asked.request))
        case .success(.agent(let request)):
            timer.cancel()
            try await ask(request, writer)
        case .success(.events):
            timer.cancel()
            try await follow(asked.request, writer)
        }
        try await HTTPConnections.sayGoodbye(on: channel, &parts, within: services.limits.goodbye)
    }

    // MARK: Reading

    /// What an admitted request asks for, once its body is read.
    private enum Wish: Sendable {
        case open(Route)
        case session(code: String)
        case agent(any AgentRequest)
        case events
    }

    /// A request, and what it asks for or why it is refused; `nil` where the client says nothing.
    @concurrent
    private func read(
        _ parts: inout Parts.AsyncIterator
    ) async throws -> (request: WebRequest, outcome: Result<Wish, Refusal>)? {
        guard case .head(let head)? = try await parts.next() else { return nil }
        let request = WebRequest(
            head.method.rawValue, head.uri, head.headers.map { (name: $0.name, value: $0.value) })
        let route: Route
        do throws(Refusal) {
            route = try listening.admit(request)
        } catch {
            return (request, .failure(error))
        }
        guard route.hasBody else { return (request, .success(route == .events ? .events : .open(route))) }
        let limit = route == .session ? Keys.bodyLimit : ControlCoding.requestLimit
        guard let body = try await HTTPConnections.body(of: head, &parts, limit: limit) else {
            return (request, .failure(Refusal(413, "The most bytes of this request are \(limit).")))
        }
        return (request, Self.wish(route, body))
    }

    private static func wish(_ route: Route, _ body: [UInt8]) -> Result<Wish, Refusal> {
        guard case .request(let name) = route else {
            do throws(Refusal) { return .success(.session(code: try Keys.code(in: body))) } catch {
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

    private func answer(to route: Route) -> WebAnswer {
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
            return WebAnswer(200, file.type, file.bytes)
        case .session, .events, .request: return WebAnswer(Refusal(405, "This takes another method."))
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
    private func ask(_ request: any AgentRequest, _ writer: AnswerWriter) async throws {
        let feed = ReplyFeed(replies: services.submit(request), closed: channel.closeFuture)
        let type: any AgentRequest.Type = type(of: request)
        guard !MessageSchema.streams(type) else {
            try await writer.begin(JSONType.lines)
            try await feed.each { try await writer.write($0.json + [UInt8(ascii: "\n")]) }
            return try await writer.end()
        }
        let last = Mutex<AgentReply?>(nil)
        try await feed.each { reply in last.withLock { $0 = reply } }
        guard let reply = last.withLock({ $0 }) else { return }
        guard case .failure(let code, let message) = reply else { return try await writer.write(.json(reply.json)) }
        try await writer.write(WebAnswer(AgentFailure(code, message)))
    }

    private func follow(_ request: WebRequest, _ writer: AnswerWriter) async throws {
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
    }
}

extension AgentReply {
    /// The message as one JSON object, the one that commands print with `--json`.
    fileprivate var json: [UInt8] {
        guard case .failure(let code, let message) = self else { return ControlCoding.bytes(self) }
        return AgentFailure(code, message).json
    }
}
