import HouseholdAgent
import Logging
import LosslessJSON
import ServiceLifecycle
import Synchronization
import TestSupport

@testable import HTTPInterface

/// What an agent would do with a request: it notes it, and answers as the test says.
final class Scripted: Sendable {
    typealias Answer = @Sendable (any AgentRequest, AsyncStream<AgentReply>.Continuation) -> Void

    private let noted = Mutex<[any AgentRequest]>([])
    private let answer: Answer
    private let ended = AsyncStream.makeStream(of: String.self)

    init(_ answer: @escaping Answer = { _, replies in replies.yield(.response(DeviceList(devices: []))) }) {
        self.answer = answer
    }

    var requests: [any AgentRequest] { noted.withLock { $0 } }

    /// The names of requests that ended because their client was gone.
    var abandoned: AsyncStream<String> { ended.stream }

    @Sendable func submit(_ request: any AgentRequest) -> AsyncStream<AgentReply> {
        noted.withLock { $0.append(request) }
        let (stream, replies) = AsyncStream<AgentReply>.makeStream()
        let name = type(of: request).name
        replies.onTermination = { [ended] reason in
            if case .cancelled = reason { ended.continuation.yield(name) }
        }
        answer(request, replies)
        return stream
    }
}

/// A server that runs while a test does.
struct Served: Sendable {
    let server: PageServer
    let home: String
    let services: ServiceGroup

    /// The answer to one who asks for the page.
    func link() async throws -> PageLink {
        let reply = await withCheckedContinuation { continuation in
            server.open { continuation.resume(returning: $0) }
        }
        guard let link = reply.message(PageLink.self) else { throw Failure("no link: \(reply)") }
        return link
    }

    /// The port of a link, and its code.
    func open() async throws -> (port: Int, code: String) {
        let url = try await link().url
        let parts = url.split(separator: "/#code=")
        guard parts.count == 2, let port = Int(parts[0].split(separator: ":").last ?? "") else { throw Failure(url) }
        return (port, String(parts[1]))
    }

    /// The token of the home.
    func token() throws -> String {
        guard let bytes = Disk.read(home + "/page.token") else { throw Failure("there is no token") }
        return String(decoding: bytes.dropLast(), as: UTF8.self)
    }

    /// Begins a session, as the page does.
    ///
    /// - Parameter headers: Further ones, such as the cookie of an earlier session.
    func session(
        _ port: Int, _ code: String, _ headers: String = ""
    ) async throws -> (cookie: String, proof: String, reply: WireReply) {
        let all = "origin: http://127.0.0.1:\(port)\r\n" + headers
        let reply = try await exchange(port, Text.post("session", "{\"code\": \"\(code)\"}", port, all))
        let cookie = reply.headers["set-cookie"]?.split(separator: ";").first.map(String.init) ?? ""
        let proof = try? JSONValue(parsing: Array(reply.body.utf8))["proof"]
        guard case .string(let text)? = proof else { return (cookie, "", reply) }
        return (cookie, text.string, reply)
    }
}

/// Requests as text. The server ends the connection after the answer, unless it is to be kept for a further request.
enum Text {
    static func get(_ path: String, _ port: Int, _ headers: String = "", keep: Bool = false) -> String {
        "GET \(path) HTTP/1.1\r\nhost: 127.0.0.1:\(port)\r\n\(keep ? "" : close)\(headers)\r\n"
    }

    static func post(
        _ name: String, _ body: String, _ port: Int, _ headers: String = "", keep: Bool = false
    ) -> String {
        "POST /api/v1/\(name) HTTP/1.1\r\nhost: 127.0.0.1:\(port)\r\ncontent-type: application/json\r\n"
            + "content-length: \(body.utf8.count)\r\n\(keep ? "" : close)\(headers)\r\n\(body)"
    }

    private static let close = "connection: close\r\n"

    static func bearer(_ token: String) -> String { "authorization: Bearer \(token)\r\n" }
}

/// Runs a server while the body runs, then shuts it down as a signal would.
func serving<Result: Sendable>(
    _ agent: Scripted = Scripted(), limits: PageLimits = PageLimits(), sealer: Sealer = Sealer(),
    _ body: (Served) async throws -> Result
) async throws -> Result {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let counters = [CounterSample(name: "hearth_requests_total", help: "Requests.", value: 7)]
    let services = Exchange.Services(
        limits: limits, sealer: sealer, counters: { counters }, submit: agent.submit)
    let server = PageServer(home: folder.path, logger: logger, services)
    let group = ServiceGroup(services: [server], logger: logger)
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await group.run() }
        let outcome: Swift.Result<Result, any Error>
        do {
            outcome = .success(try await body(Served(server: server, home: folder.path, services: group)))
        } catch {
            outcome = .failure(error)
        }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
        return try outcome.get()
    }
}

/// A request and its answer over JSON, with the token.
func ask(_ served: Served, _ port: Int, _ name: String, _ body: String = "{}") async throws -> WireReply {
    try await exchange(port, Text.post("requests/" + name, body, port, Text.bearer(try served.token())))
}
