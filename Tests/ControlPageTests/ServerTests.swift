import NIOCore
import ServiceLifecycle
import Testing

@testable import ControlPage
@testable import HouseholdAgent

@Suite(.timeLimit(.minutes(1))) struct ServerTests {
    @Test func everyRequestAndReplyGoesThrough() async throws {
        try await withFolder { folder in
            let path = folder + "/run/control.sock"
            let requests = try Samples.requests()
            let agent = Scripted { request, replies in
                replies.yield(.failure(.failed, String(reflecting: request)))
            }
            try await serving(at: path, agent) { _ in
                for request in requests {
                    let reply = try await ControlClient(socketPath: path).send(request)
                    let expected = AgentReply.failure(.failed, String(reflecting: request))
                    #expect(String(reflecting: reply) == String(reflecting: expected))
                }
            }
            #expect(agent.requests.map { String(reflecting: $0) } == requests.map { String(reflecting: $0) })
        }
    }

    @Test func repliesOfAllKindsGoThrough() async throws {
        try await withFolder { folder in
            let path = folder + "/control.sock"
            for reply in Samples.replies where reply.isFinal {
                let agent = Scripted { _, replies in replies.yield(reply) }
                try await serving(at: path, agent) { _ in
                    let received = try await ControlClient(socketPath: path).send(.status)
                    #expect(String(reflecting: received) == String(reflecting: reply))
                }
            }
        }
    }

    @Test func theCodeArrivesWhileTheRequestStaysOpen() async throws {
        try await withFolder { folder in
            let path = folder + "/control.sock"
            let (codes, seen) = AsyncStream<String>.makeStream()
            let (open, opened) = AsyncStream<AsyncStream<AgentReply>.Continuation>.makeStream()
            let agent = Scripted { _, replies in
                replies.yield(.code("K7QM", expires: 5))
                opened.yield(replies)
            }
            try await serving(at: path, agent) { _ in
                async let asked = ask(path, seen)
                // The agent says no more until the code was seen at the other end.
                #expect(await codes.first { _ in true } == "K7QM")
                let replies = await open.first { _ in true }
                replies?.yield(.paired(Samples.device))
                let (last, events) = try await asked
                #expect(events == 2)
                #expect(String(reflecting: last) == String(reflecting: AgentReply.paired(Samples.device)))
            }
        }
    }

    private func ask(
        _ path: String,
        _ seen: AsyncStream<String>.Continuation
    ) async throws -> (AgentReply, events: Int) {
        var events = 0
        let last = try await ControlClient(socketPath: path).send(.pair) { reply in
            events += 1
            if case .code(let code, _) = reply { seen.yield(code) }
        }
        return (last, events)
    }

    @Test func theAgentLearnsThatTheClientIsGone() async throws {
        try await withFolder { folder in
            let path = folder + "/control.sock"
            let agent = Scripted { _, replies in replies.yield(.code("K7QM", expires: 5)) }
            let (codes, seen) = AsyncStream<String>.makeStream()
            try await serving(at: path, agent) { _ in
                await withTaskGroup(of: Void.self) { group in
                    group.addTask {
                        await #expect(throws: CancellationError.self) { try await ask(path, seen) }
                    }
                    _ = await codes.first { _ in true }
                    group.cancelAll()
                    let ending = await agent.endings.first { _ in true }
                    #expect("\(String(describing: ending))".contains("cancelled"))
                }
            }
        }
    }

    /// As a client on TCP looks that is gone, and one that only stopped sending.
    @Test func theAgentLearnsThatTheClientSendsNoMore() async throws {
        try await withFolder { folder in
            let path = folder + "/control.sock"
            let agent = Scripted { _, replies in replies.yield(.code("K7QM", expires: 5)) }
            try await serving(at: path, agent) { _ in
                let answer = try await RawClient(path: path).post(#"{"request":"pair"}"#, endsAfter: "K7QM")
                #expect(answer.contains("K7QM"))
                let ending = await agent.endings.first { _ in true }
                #expect("\(String(describing: ending))".contains("cancelled"))
            }
        }
    }

    @Test func anErrorOfTheCallerEndsTheRequest() async throws {
        struct Enough: Error {}
        try await withFolder { folder in
            let path = folder + "/control.sock"
            let agent = Scripted { _, replies in replies.yield(.code("K7QM", expires: 5)) }
            try await serving(at: path, agent) { _ in
                await #expect(throws: Enough.self) {
                    try await ControlClient(socketPath: path).send(.pair) { _ in throw Enough() }
                }
                #expect(await agent.endings.first { _ in true } != nil)
            }
        }
    }

    @Test func twoClientsAtOnce() async throws {
        try await withFolder { folder in
            let path = folder + "/control.sock"
            let (open, opened) = AsyncStream<AsyncStream<AgentReply>.Continuation>.makeStream()
            let agent = Scripted { request, replies in
                if case .pair = request { opened.yield(replies) } else { replies.yield(.devices([])) }
            }
            try await serving(at: path, agent) { _ in
                async let pairing = ControlClient(socketPath: path).send(.pair)
                let replies = await open.first { _ in true }
                // The first request is open, and others are answered meanwhile.
                try await withThrowingTaskGroup(of: AgentReply.self) { group in
                    for _ in 0..<20 { group.addTask { try await ControlClient(socketPath: path).send(.devices) } }
                    for try await reply in group {
                        guard case .devices = reply else {
                            Issue.record("\(reply)")
                            continue
                        }
                    }
                }
                replies?.yield(.paired(Samples.device))
                guard case .paired = try await pairing else {
                    Issue.record("the first request was answered otherwise")
                    return
                }
            }
        }
    }

    @Test func aLargeDocumentGoesThrough() async throws {
        try await withFolder { folder in
            let path = folder + "/control.sock"
            let document = Array("[\"".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: 8 << 20) + Array("\"]".utf8)
            try await serving(at: path, Scripted { _, replies in replies.yield(.document(document)) }) { _ in
                guard case .document(document) = try await ControlClient(socketPath: path).send(.status) else {
                    Issue.record("the document changed")
                    return
                }
            }
        }
    }

    @Test func shutdownEndsOpenRequestsAndRemovesTheSocket() async throws {
        try await withFolder { folder in
            let path = folder + "/control.sock"
            let (open, opened) = AsyncStream<Void>.makeStream()
            let agent = Scripted { _, _ in opened.yield() }
            try await serving(at: path, agent) { services in
                async let pairing = ControlClient(socketPath: path).send(.pair)
                _ = await open.first { _ in true }
                await services.triggerGracefulShutdown()
                guard case .failure(.failed, let message) = try await pairing else {
                    Issue.record("no failure")
                    return
                }
                #expect(message.contains("stopped"))
            }
            #expect(FileFacts(path) == nil)
            #expect(await agent.endings.first { _ in true } != nil)
        }
    }

    @Test func anAgentThatEndsAStreamUnansweredIsReported() async throws {
        try await withFolder { folder in
            let path = folder + "/control.sock"
            try await serving(at: path, Scripted { _, replies in replies.finish() }) { _ in
                let reply = try await ControlClient(socketPath: path).send(.status)
                guard case .failure(.failed, let message) = reply else {
                    Issue.record("no failure")
                    return
                }
                #expect(message.contains("before it answered"))
            }
        }
    }

    @Test func cancellationEndsTheServer() async throws {
        try await withFolder { folder in
            let path = folder + "/control.sock"
            let (running, started) = AsyncStream<Void>.makeStream()
            let server = ControlServer(
                socketPath: path,
                logger: quiet,
                onRunning: { started.finish() },
                submit: Scripted { _, _ in }.submit
            )
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try? await server.run() }
                for await _ in running {}
                group.cancelAll()
                try await group.waitForAll()
            }
            #expect(FileFacts(path) == nil)
        }
    }

    @Test func otherUsersAreRefused() async throws {
        try await withFolder { folder in
            let path = folder + "/control.sock"
            let agent = Scripted()
            let (users, asked) = AsyncStream<UInt32>.makeStream()
            try await serving(
                at: path,
                agent,
                admits: { user in
                    asked.yield(user)
                    return false
                }
            ) { _ in
                let answer = try await answerOfRefusal(path)
                #expect(answer == "")
                #expect(await users.first { _ in true } == UInt32(FileFacts(folder)?.owner ?? .max))
            }
            #expect(agent.requests.isEmpty)
        }
        #expect(!PeerCheck.isOwnerOrRoot(4_000_000_000))
        #expect(PeerCheck.isOwnerOrRoot(0))
    }

    /// What a refused client reads: nothing, or an error because its bytes were never read.
    private func answerOfRefusal(_ path: String) async throws -> String {
        do {
            return try await RawClient(path: path).post(#"{"request":"status"}"#)
        } catch  where error is IOError || error is ChannelError {
            return ""
        }
    }
}
