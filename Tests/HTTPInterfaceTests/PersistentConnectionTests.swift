import HouseholdAgent
import NIOCore
import ServiceLifecycle
import TestSupport
import Testing

@testable import ControlInterface
@testable import HTTPInterface

/// One connection that carries several requests.
@Suite(.serialized, .timeLimit(.minutes(5))) struct PersistentConnectionTests {
    /// Limits under which nothing ends by itself while a test runs.
    private static var patient: PageLimits {
        var limits = PageLimits()
        (limits.pause, limits.patience) = (.minutes(10), .minutes(10))
        return limits
    }

    /// One whole answer to a request over a connection that goes on.
    private func ask(_ wire: Wire, _ text: String) async throws -> WireReply {
        try await blocking {
            wire.write(text)
            var answer = wire.read(until: "\r\n\r\n")
            while true {
                let reply = try WireReply(answer)
                let length = Int(reply.headers["content-length"] ?? "") ?? 0
                if reply.body.utf8.count >= length { return reply }
                let more = wire.read(until: "")
                if more.isEmpty { throw Failure("it ended within an answer: \(answer.prefix(200))") }
                answer += more
            }
        }
    }

    // MARK: Going on

    @Test func requestsOfEveryKindGoOverOneConnection() async throws {
        let agent = Scripted()
        try await serving(agent, limits: Self.patient) { served in
            let (port, code) = try await served.open()
            let key = Text.bearer(try served.token())
            let origin = "origin: http://127.0.0.1:\(port)\r\n"
            let texts = [
                Text.get("/", port, keep: true), Text.get("/style.css", port, keep: true),
                Text.get("/style.css", port, keep: true).replacing("GET", with: "HEAD"),
                Text.post("session", "{\"code\":\"\(code)\"}", port, origin, keep: true),
                Text.post("requests/devices", "{}", port, key, keep: true),
                Text.get("/metrics", port, key, keep: true),
            ]
            let wire = try Wire(port)
            for (number, text) in texts.enumerated() {
                // The answer to HEAD has a length and no body.
                if number == 2 {
                    wire.write(text)
                    let head = try await blocking { wire.read(until: "\r\n\r\n") }
                    #expect(head.hasPrefix("HTTP/1.1 200 ") && head.hasSuffix("\r\n\r\n"))
                    continue
                }
                let reply = try await ask(wire, text)
                #expect(reply.status == 200 && reply.headers["connection"] == nil, "\(text): \(reply.body)")
            }
            #expect(agent.requests.count == 1)
            let last = try await ask(wire, Text.get("/healthz", port))
            #expect(last.status == 200 && last.headers["connection"] == "close")
            #expect(try await blocking { wire.read() } == "")
        }
    }

    @Test func requestsThatWereSentAheadAreAnsweredInTheirOrder() async throws {
        let agent = Scripted()
        try await serving(agent, limits: Self.patient) { served in
            let (port, _) = try await served.open()
            let key = Text.bearer(try served.token())
            let ahead = [
                Text.get("/healthz", port, keep: true), Text.post("requests/devices", "{}", port, key, keep: true),
                Text.get("/icon.svg", port, keep: true), Text.post("requests/devices", "{}", port, key, keep: true),
                Text.get("/healthz", port),
            ]
            let answer = try await blocking {
                let wire = try Wire(port)
                wire.write(ahead.joined())
                return wire.read()
            }
            let types = answer.matches(of: /content-type: ([a-z\/+]+)/).map(\.output.1)
            #expect(types == ["text/plain", "application/json", "image/svg+xml", "application/json", "text/plain"])
            #expect(answer.matches(of: /HTTP\/1.1 200/).count == ahead.count)
        }
        #expect(agent.requests.count == 2)
    }

    // MARK: Ending

    /// Nothing behind a request that was refused is looked at.
    @Test(arguments: [
        "GET /nothing HTTP/1.1\r\nhost: 127.0.0.1:PORT\r\n\r\n",
        "GET /metrics HTTP/1.1\r\nhost: 127.0.0.1:PORT\r\n\r\n",
        "GET / HTTP/1.1\r\nhost: evil.example\r\n\r\n",
        "POST /api/v1/session HTTP/1.1\r\nhost: 127.0.0.1:PORT\r\norigin: http://127.0.0.1:PORT\r\n"
            + "content-type: application/json\r\ncontent-length: 12\r\n\r\n{\"code\":\"0\"}",
    ]) func aRefusalEndsIt(_ refused: String) async throws {
        let agent = Scripted()
        try await serving(agent, limits: Self.patient) { served in
            let (port, _) = try await served.open()
            let next = Text.post("requests/devices", "{}", port, Text.bearer(try served.token()))
            let answer = try await blocking {
                let wire = try Wire(port)
                wire.write(refused.replacing("PORT", with: "\(port)") + next)
                return wire.read()
            }
            #expect(answer.contains("connection: close\r\n"), "\(answer)")
            #expect(answer.matches(of: /HTTP\/1.1 [0-9]/).count == 1 && !answer.contains("200 OK"), "\(answer)")
        }
        #expect(agent.requests.isEmpty)
    }

    /// The body of a request that has none by its kind is not taken for the next request.
    @Test func aBodyThatNobodyAsksForIsNoRequest() async throws {
        let agent = Scripted()
        try await serving(agent, limits: Self.patient) { served in
            let (port, _) = try await served.open()
            let hidden = Text.post("requests/devices", "{}", port, Text.bearer(try served.token()))
            for length in ["content-length: \(hidden.utf8.count)", "transfer-encoding: chunked"] {
                let answer = try await blocking {
                    let wire = try Wire(port)
                    wire.write(Text.get("/healthz", port, length + "\r\n", keep: true) + hidden)
                    return wire.read()
                }
                #expect(answer.matches(of: /HTTP\/1.1 [0-9]/).count <= 2 && !answer.contains("devices"), "\(answer)")
            }
        }
        #expect(agent.requests.isEmpty)
    }

    @Test(arguments: ["GET /healthz HTTP/1.0\r\n", "GET /healthz HTTP/1.0\r\nconnection: keep-alive\r\n"])
    func anOlderClientGetsOneAnswer(_ start: String) async throws {
        try await serving(limits: Self.patient) { served in
            let (port, _) = try await served.open()
            let reply = try await exchange(port, start + "host: 127.0.0.1:\(port)\r\n\r\n")
            #expect(reply.status == 200 && reply.headers["connection"] == "close")
        }
    }

    /// Whoever says nothing more, or says it letter by letter, is not waited for.
    @Test(arguments: ["", "GET / HT", "POST /api/v1/session HTTP/1.1\r\nhost: 127.0.0.1:PORT\r\nx"])
    func aFurtherRequestThatDoesNotComeEndsIt(_ start: String) async throws {
        var limits = Self.patient
        limits.pause = .milliseconds(50)
        try await serving(limits: limits) { served in
            let (port, _) = try await served.open()
            let wire = try Wire(port)
            let first = try await ask(wire, Text.get("/healthz", port, keep: true))
            #expect(first.status == 200 && first.headers["connection"] == nil)
            wire.write(start.replacing("PORT", with: "\(port)"))
            #expect(try await blocking { wire.read() } == "")
        }
    }

    /// A body may take as long on a connection that was kept as on a new one, and no longer.
    @Test func theBodyOfAFurtherRequestHasTimeOfItsOwn() async throws {
        var limits = Self.patient
        (limits.pause, limits.patience) = (.minutes(10), .milliseconds(50))
        let agent = Scripted()
        try await serving(agent, limits: limits) { served in
            let (port, _) = try await served.open()
            let key = Text.bearer(try served.token())
            // On a busy machine the first request may be late.
            let wire = try await poll { () -> Wire? in
                let wire = try Wire(port)
                let reply = try? await ask(wire, Text.get("/healthz", port, keep: true))
                return reply?.status == 200 ? wire : nil
            }
            wire?.write(String(Text.post("requests/devices", "{}", port, key, keep: true).dropLast()))
            #expect(try await blocking { wire?.read() } == "")
        }
        #expect(agent.requests.isEmpty)
    }

    /// A browser sends a request once more where its connection was closed: so it is not done for a closed one.
    @Test func nothingIsDoneOverAConnectionThatIsClosed() async throws {
        let listener = try await Listener.bind()
        let port = listener.port
        let wires = try await blocking { [try Wire(port), try Wire(port)] }
        var arrived = listener.connections.arrived.makeAsyncIterator()
        let open = try #require(await arrived.next())
        let closed = try #require(await arrived.next())
        let closing = HTTPConnections.close(open, after: .minutes(10))
        try await HTTPConnections.keepOpen(open, despite: closing)
        await #expect(throws: (any Error).self) { try await closing.futureResult.get() }
        let past = HTTPConnections.close(closed, after: .zero)
        try await past.futureResult.get()
        await #expect(throws: ChannelError.self) { try await HTTPConnections.keepOpen(closed, despite: past) }
        #expect(open.isActive)
        try await open.close().get()
        await listener.refuseAll()
        withExtendedLifetime(wires) {}
    }

    // MARK: Bounds

    /// Those that wait for a further request take half of the places at most.
    @Test func waitingConnectionsLeaveRoomForOthers() async throws {
        var limits = Self.patient
        limits.connections = 4
        try await serving(limits: limits) { served in
            let (port, _) = try await served.open()
            let wires = try await blocking { [try Wire(port), try Wire(port)] }
            for wire in wires {
                let reply = try await ask(wire, Text.get("/healthz", port, keep: true))
                #expect(reply.status == 200 && reply.headers["connection"] == nil)
            }
            for _ in 0..<8 {
                let more = try await poll { try? await exchange(port, Text.get("/healthz", port, keep: true)) }
                #expect(more?.status == 200 && more?.headers["connection"] == "close")
            }
            // They are served as before; only they are kept no longer than the others.
            let again = try await ask(wires[0], Text.get("/healthz", port, keep: true))
            #expect(again.status == 200)
        }
    }

    @Test func aClientThatIsGoneGivesItsPlaceBack() async throws {
        var limits = Self.patient
        limits.connections = 2
        try await serving(Scripted { _, _ in }, limits: limits) { served in
            let (port, _) = try await served.open()
            let waiting = try Wire(port)
            #expect(try await ask(waiting, Text.get("/healthz", port, keep: true)).headers["connection"] == nil)
            let following = try Wire(port)
            following.write(Text.get("/api/v1/events", port, Text.bearer(try served.token()), keep: true))
            #expect(try await blocking { following.read(until: "retry:") }.contains("connection: close\r\n"))
            let refused = try? await exchange(port, Text.get("/healthz", port))
            #expect(refused == nil)
            waiting.end()
            let isTaken = await eventually {
                (try? await exchange(port, Text.get("/healthz", port)))?.status == 200
            }
            #expect(isTaken)
        }
    }

    @Test func shutdownEndsThoseThatWait() async throws {
        try await serving(limits: Self.patient) { served in
            let (port, _) = try await served.open()
            let wires = try await blocking { try (0..<8).map { _ in try Wire(port) } }
            for wire in wires { _ = try await ask(wire, Text.get("/healthz", port, keep: true)) }
            await served.services.triggerGracefulShutdown()
            let rests = try await blocking { wires.map { $0.read() } }
            #expect(rests.allSatisfy { $0.isEmpty })
            let isGone = await eventually { Disk.names(in: served.home).isEmpty }
            #expect(isGone)
        }
    }

    /// They are no reason to go on listening for longer than they are kept.
    @Test func onesThatWaitDoNotKeepItListening() async throws {
        var limits = PageLimits()
        (limits.pause, limits.idle) = (.milliseconds(50), .milliseconds(50))
        try await serving(limits: limits) { served in
            let wire = try await poll { () -> Wire? in
                let (port, _) = try await served.open()
                guard let wire = try? Wire(port) else { return nil }
                let reply = try? await ask(wire, Text.get("/healthz", port, keep: true))
                return reply?.status == 200 ? wire : nil
            }
            #expect(wire != nil)
            let isGone = await eventually { Disk.names(in: served.home).isEmpty }
            #expect(isGone)
        }
    }
}
