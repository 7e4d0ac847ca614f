import ControlInterface
import HouseholdAgent
import LosslessJSON
import NIOCore
import ServiceLifecycle
import TestSupport
import Testing

@testable import HTTPInterface

/// The server from outside, over real connections.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ServerTests {
    // MARK: Listening

    @Test func nothingListensBeforeSomebodyAsks() async throws {
        try await serving { served in
            #expect(Disk.names(in: served.home).isEmpty)
            let (port, _) = try await served.open()
            #expect(Disk.names(in: served.home).sorted() == ["page.port", "page.token"])
            #expect(Disk.text(served.home + "/page.port") == "\(port)\n")
            for name in ["page.port", "page.token"] {
                #expect(Disk.mode(served.home + "/" + name) == 0o600)
            }
            #expect(try await served.open().port == port)
        }
    }

    @Test func itListensOnTheLoopbackInterfaceAlone() async throws {
        let listener = try await Listener.bind()
        for socket in listener.sockets {
            let address = socket.localAddress
            #expect(["127.0.0.1", "::1"].contains(address?.ipAddress))
            #expect(address?.port == listener.port)
        }
        await listener.close()
        #expect(listener.port > 0)
    }

    @Test func itStopsWhenNobodyUsesIt() async throws {
        var limits = PageLimits()
        limits.idle = .milliseconds(50)
        try await serving(limits: limits) { served in
            let (port, _) = try await served.open()
            let isGone = await eventually { (try? Wire(port)) == nil && Disk.names(in: served.home).isEmpty }
            #expect(isGone)
            // Whoever asks then gets it again.
            let isBack = await eventually {
                let port = try? await served.open().port
                guard let port else { return false }
                return (try? await exchange(port, Text.get("/healthz", port)))?.status == 200
            }
            #expect(isBack)
        }
    }

    /// Connections that come while it stops are closed, whether they were taken or not.
    @Test func stoppingWhileConnectionsComeClosesThem() async throws {
        for _ in 0..<20 {
            let wires = try await serving { served in
                let (port, _) = try await served.open()
                return try await blocking { try (0..<24).map { _ in try Wire(port) } }
            }
            let answers = try await blocking { wires.map { $0.read() } }
            #expect(answers.allSatisfy { $0.isEmpty })
        }
    }

    @Test func connectionsThatNobodyTakesAreClosed() async throws {
        let listener = try await Listener.bind()
        let port = listener.port
        let wires = try await blocking { try (0..<24).map { _ in try Wire(port) } }
        await listener.refuseAll()
        let answers = try await blocking { wires.map { $0.read() } }
        #expect(answers.allSatisfy { $0.isEmpty })
        let late = try? Wire(port)
        #expect(late == nil)
    }

    @Test func anOpenConnectionKeepsItListening() async throws {
        var limits = PageLimits()
        limits.idle = .seconds(2)
        try await serving(Scripted { _, _ in }, limits: limits) { served in
            // On a busy machine it may have stopped before the connection was there.
            let wire = try await poll { () -> Wire? in
                let (port, _) = try await served.open()
                guard let token = try? served.token(), let wire = try? Wire(port) else { return nil }
                wire.write(Text.get("/api/v1/events", port, Text.bearer(token)))
                return try await blocking { wire.read(until: "retry:") }.contains("retry:") ? wire : nil
            }
            #expect(await stays(.milliseconds(3_500)) { Disk.names(in: served.home).count == 2 })
            #expect(wire != nil)
        }
    }

    @Test func shutdownEndsOpenRequestsAndTheFiles() async throws {
        let home = try await serving(Scripted { _, _ in }) { served in
            let (port, _) = try await served.open()
            let wire = try Wire(port)
            wire.write(Text.get("/api/v1/events", port, Text.bearer(try served.token())))
            _ = try await blocking { wire.read(until: "retry:") }
            await served.services.triggerGracefulShutdown()
            _ = try await blocking { wire.read() }
            let isGone = await eventually { Disk.names(in: served.home).isEmpty }
            #expect(isGone)
            return served.home
        }
        #expect(Disk.names(in: home).isEmpty)
    }

    // MARK: Keys

    @Test func aLinkBringsASessionOnce() async throws {
        try await serving { served in
            let (port, code) = try await served.open()
            let session = try await served.session(port, code)
            #expect(session.reply.status == 200)
            let cookie = session.reply.headers["set-cookie"] ?? ""
            #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
            #expect(!session.reply.body.contains(session.cookie.split(separator: "=").last ?? "?"))
            let headers =
                "cookie: \(session.cookie)\r\nx-hearth-proof: \(session.proof)\r\norigin: http://127.0.0.1:\(port)\r\n"
            let devices = try await exchange(port, Text.post("requests/devices", "{}", port, headers))
            #expect(devices.status == 200 && devices.body == #"{"event":"devices","devices":[]}"#)
            let bare = try await exchange(
                port, Text.post("requests/devices", "{}", port, "cookie: \(session.cookie)\r\n"))
            #expect(bare.status == 403)
            #expect(try await served.session(port, code).reply.status == 403)
            #expect(try await served.session(port, "0").reply.status == 403)
        }
    }

    @Test func aSecondLinkOfOneBrowserLeavesItsFirstTab() async throws {
        try await serving { served in
            let (port, code) = try await served.open()
            let first = try await served.session(port, code)
            let again = try await served.open().code
            let second = try await served.session(port, again, "cookie: \(first.cookie)\r\n")
            #expect(second.cookie == first.cookie && second.proof != first.proof)
            for proof in [first.proof, second.proof] {
                let headers = "cookie: \(second.cookie)\r\nx-hearth-proof: \(proof)\r\n"
                #expect(try await exchange(port, Text.post("requests/devices", "{}", port, headers)).status == 200)
            }
        }
    }

    @Test func theKeysAreInNoAnswerAndInNoLog() async throws {
        try await serving { served in
            let (port, code) = try await served.open()
            let token = try served.token()
            for path in [
                "/", "/metrics", "/healthz", "/api/v1/openapi.json", "/\(code)", "/page.token", "/../page.token",
            ] {
                let reply = try await exchange(port, Text.get(path, port, Text.bearer(token)))
                #expect(!reply.body.contains(token), "\(path)")
            }
        }
    }

    @Test func everyAnswerHasTheHeadersThatKeepOthersOut() async throws {
        try await serving { served in
            let (port, _) = try await served.open()
            let token = Text.bearer(try served.token())
            let requests = [
                Text.get("/", port), Text.get("/style.css", port), Text.get("/nothing", port),
                Text.get("/metrics", port),
                Text.get("/metrics", port, token), Text.get("/api/v1/openapi.json", port),
                Text.post("requests/devices", "{}", port, token), Text.post("requests/nothing", "{}", port, token),
                "GET / HTTP/1.1\r\nhost: evil.example\r\n\r\n",
            ]
            for request in requests {
                let headers = try await exchange(port, request).headers
                #expect(headers["content-security-policy"] == SafetyHeaders.policy)
                #expect(headers["x-content-type-options"] == "nosniff")
                #expect(headers["cache-control"] == "no-store")
                #expect(headers["referrer-policy"] == "no-referrer")
                #expect(headers["access-control-allow-origin"] == nil)
            }
            for word in ["unsafe", "http:", "https:", "data:", "*"] { #expect(!SafetyHeaders.policy.contains(word)) }
        }
    }

    @Test(arguments: ["evil.example", "rebound.example:PORT", "192.168.1.20:PORT", "localhost.:PORT", "127.0.0.1"])
    func aReboundNameGetsNothing(_ host: String) async throws {
        let agent = Scripted()
        try await serving(agent) { served in
            let (port, _) = try await served.open()
            let name = host.replacing("PORT", with: "\(port)")
            let text = Text.post("requests/devices", "{}", port, Text.bearer(try served.token()))
            let reply = try await exchange(port, text.replacing("host: 127.0.0.1:\(port)", with: "host: \(name)"))
            #expect(reply.status == 421)
        }
        #expect(agent.requests.isEmpty)
    }

    // MARK: Sizes and times

    @Test func aHeadThatIsTooLargeEndsTheConnection() async throws {
        let agent = Scripted()
        try await serving(agent) { served in
            let (port, _) = try await served.open()
            let field = "x-a: " + String(repeating: "a", count: 9 << 10) + "\r\n"
            let many = (0..<70).map { "x-\($0): a\r\n" }.joined()
            let large = (0..<20).map { "x-\($0): " + String(repeating: "a", count: 1 << 10) + "\r\n" }.joined()
            for headers in [field, many, large] {
                let text = Text.post("requests/devices", "{}", port, headers + Text.bearer(try served.token()))
                let answer = try await blocking {
                    let wire = try Wire(port)
                    wire.write(text)
                    return wire.read()
                }
                #expect(!answer.hasPrefix("HTTP/1.1 200"), "\(answer.prefix(100))")
            }
        }
        #expect(agent.requests.isEmpty)
    }

    @Test func aBodyThatIsTooLargeIsRefused() async throws {
        let agent = Scripted()
        try await serving(agent) { served in
            let (port, _) = try await served.open()
            let token = Text.bearer(try served.token())
            let head =
                "POST /api/v1/requests/remove HTTP/1.1\r\nhost: 127.0.0.1:\(port)\r\n"
                + "content-type: application/json\r\n\(token)"
            // Refused by its announced length, before it was sent.
            let announced = try await exchange(port, head + "content-length: 99999999999\r\n\r\n")
            #expect(announced.status == 413)
            // Refused while it comes, because its length was not announced.
            let piece = String(repeating: " ", count: 0x10000)
            let pieces = ControlCoding.requestLimit / piece.utf8.count + 1
            let chunked = String(repeating: "10000\r\n\(piece)\r\n", count: pieces) + "0\r\n\r\n"
            let unannounced = try await exchange(port, head + "transfer-encoding: chunked\r\n\r\n" + chunked)
            #expect(unannounced.status == 413)
            // A session begins without a key, and its body is a short one.
            let session = try await served.session(port, String(repeating: "0", count: Keys.bodyLimit))
            #expect(session.reply.status == 413)
            // Who has no key is refused before anything of the body is kept.
            let stranger = try await exchange(
                port,
                "POST /api/v1/requests/remove HTTP/1.1\r\nhost: 127.0.0.1:\(port)\r\n"
                    + "content-type: application/json\r\ncontent-length: 1000000\r\n\r\n")
            #expect(stranger.status == 401)
        }
        #expect(agent.requests.isEmpty)
    }

    /// A client that sends one letter after the other is not waited for.
    @Test(arguments: ["", "GET / HT", "POST /api/v1/session HTTP/1.1\r\nhost: 127.0.0.1:PORT\r\nx"])
    func aRequestThatDoesNotComeEndsTheConnection(_ start: String) async throws {
        var limits = PageLimits()
        limits.patience = .milliseconds(50)
        try await serving(limits: limits) { served in
            let (port, _) = try await served.open()
            let answer = try await blocking {
                let wire = try Wire(port)
                wire.write(start.replacing("PORT", with: "\(port)"))
                return wire.read()
            }
            #expect(!answer.contains("200"))
        }
    }

    @Test func ofTooManyConnectionsTheLastOnesAreClosed() async throws {
        var limits = PageLimits()
        limits.connections = 3
        try await serving(Scripted { _, _ in }, limits: limits) { served in
            let (port, _) = try await served.open()
            let token = try served.token()
            var open: [Wire] = []
            for _ in 0..<3 {
                let wire = try Wire(port)
                wire.write(Text.get("/api/v1/events", port, Text.bearer(token)))
                _ = try await blocking { wire.read(until: "retry:") }
                open.append(wire)
            }
            let more = try Wire(port)
            more.write(Text.get("/healthz", port))
            #expect(try await blocking { more.read() } == "")
            open.removeLast().end()
            let isTaken = await eventually {
                (try? await exchange(port, Text.get("/healthz", port)))?.status == 200
            }
            #expect(isTaken)
        }
    }

    // MARK: Answers

    @Test func theCodeOfAPairingComesWhileTheRequestIsOpen() async throws {
        let (open, opened) = AsyncStream<AsyncStream<AgentReply>.Continuation>.makeStream()
        let agent = Scripted { _, replies in
            replies.yield(.event(PairingCodeMessage(code: "K7QM", expires: 5)))
            opened.yield(replies)
        }
        try await serving(agent) { served in
            let (port, _) = try await served.open()
            let wire = try Wire(port)
            wire.write(Text.post("requests/pair", "{}", port, Text.bearer(try served.token())))
            // The agent says no more until the code was seen at the other end.
            #expect(
                try await blocking { wire.read(until: "}\n") }.contains(#"{"event":"code","code":"K7QM","expires":5}"#))
            let replies = await open.first { _ in true }
            replies?.yield(.failure(.failed, "the code has expired"))
            let rest = try await blocking { wire.read() }
            #expect(rest.contains(#"{"error":{"code":1,"message":"the code has expired"}}"# + "\n"))
        }
    }

    @Test func theAgentLearnsThatTheClientIsGone() async throws {
        let agent = Scripted { _, replies in replies.yield(.event(PairingCodeMessage(code: "K7QM", expires: 5))) }
        try await serving(agent) { served in
            let (port, _) = try await served.open()
            let wire = try Wire(port)
            wire.write(Text.post("requests/pair", "{}", port, Text.bearer(try served.token())))
            _ = try await blocking { wire.read(until: "K7QM") }
            wire.end()
            #expect(await agent.abandoned.first { _ in true } == "pair")
        }
    }

    @Test(arguments: [
        (FailureCode.failed, 422), (.usage, 400), (.needsDecision, 409), (.agentNotRunning, 503), (.tooOld, 409),
    ]) func aFailureIsAnErrorWithTheStatusOfItsKind(_ code: FailureCode, _ status: Int) async throws {
        let agent = Scripted { _, replies in replies.yield(.failure(code, "no \"save\" <b>\n")) }
        try await serving(agent) { served in
            let (port, _) = try await served.open()
            let reply = try await ask(served, port, "status")
            #expect(reply.status == status)
            #expect(reply.body == #"{"error":{"code":\#(code.rawValue),"message":"no \"save\" <b>\n"}}"#)
        }
    }

    @Test(arguments: [
        ("dance", "{}", 404), ("status", "{", 400), ("status", "[]", 400), ("status", #"{"more":1}"#, 400),
        ("explain", #"{"profile":"p"}"#, 400), ("", "{}", 404), ("status/x", "{}", 404),
    ]) func aRequestThatIsNoneIsRefusedInOneSentence(_ name: String, _ body: String, _ status: Int) async throws {
        let agent = Scripted()
        try await serving(agent) { served in
            let (port, _) = try await served.open()
            let reply = try await ask(served, port, name, body)
            #expect(reply.status == status, "\(reply.body)")
            #expect(reply.body.hasPrefix(#"{"error":{"code":2,"message":""#))
        }
        #expect(agent.requests.isEmpty)
    }

    @Test func headGivesTheHeadAlone() async throws {
        try await serving { served in
            let (port, _) = try await served.open()
            let text = Text.get("/style.css", port).replacing("GET", with: "HEAD")
            let reply = try await exchange(port, text)
            #expect(reply.status == 200 && reply.body == "")
            #expect(reply.headers["content-length"] == "\(PageFile(at: "/style.css")?.bytes.count ?? 0)")
        }
    }

    @Test func aLargeAnswerComesWhole() async throws {
        let document = "[\"" + String(repeating: "x", count: 8 << 20) + "\"]"
        let agent = Scripted { _, replies in replies.yield(.response(DocumentText(document: document))) }
        try await serving(agent) { served in
            let (port, _) = try await served.open()
            let reply = try await ask(served, port, "show", #"{"profile":"p"}"#)
            #expect(reply.headers["content-length"] == "\(reply.body.utf8.count)")
            #expect(reply.body.utf8.count > 8 << 20)
        }
    }
}
