import AgentClients
import NIOCore
import ServiceLifecycle
import Synchronization
import Testing

@testable import ControlInterface
@testable import HouseholdAgent

@Suite(.timeLimit(.minutes(5))) struct ServerTests {
    @Test func everyRequestAndReplyGoesThrough() async throws {
        try await withFolder { folder in
            let path = folder + "/run/control.sock"
            let requests = try Samples.requests()
            let agent = Scripted { request, replies in
                replies.yield(.failure(.failed, String(reflecting: request)))
            }
            try await serving(at: path, agent) { _ in
                for request in requests {
                    let failure = await #expect(throws: AgentFailure.self) { try await send(request, path) }
                    #expect(failure == AgentFailure(.failed, String(reflecting: request)))
                }
            }
            #expect(agent.requests.map { String(reflecting: $0) } == requests.map { String(reflecting: $0) })
        }
    }

    private func send(_ request: some AgentRequest, _ path: String) async throws {
        try await ControlClient(socketPath: path).send(request)
    }

    @Test func failuresOfAllKindsGoThrough() async throws {
        try await withFolder { folder in
            let path = folder + "/control.sock"
            for failure in Samples.failures {
                let agent = Scripted { _, replies in replies.yield(.failure(failure.code, failure.message)) }
                try await serving(at: path, agent) { _ in
                    _ = await #expect(throws: failure) {
                        try await ControlClient(socketPath: path).send(StatusRequest())
                    }
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
                replies.yield(.event(PairingCodeMessage(code: "K7QM", expires: 5)))
                opened.yield(replies)
            }
            try await serving(at: path, agent) { _ in
                async let asked = ask(path, seen)
                // The agent says no more until the code was seen at the other end.
                #expect(await codes.first { _ in true } == "K7QM")
                let replies = await open.first { _ in true }
                replies?.yield(.response(PairedDevice(device: Samples.device)))
                let (last, events) = try await asked
                #expect(events == 1)
                #expect(last == PairedDevice(device: Samples.device))
            }
        }
    }

    private func ask(
        _ path: String,
        _ seen: AsyncStream<String>.Continuation
    ) async throws -> (PairedDevice, events: Int) {
        let events = Atomic(0)
        let last = try await ControlClient(socketPath: path).send(PairRequest()) { shown in
            events.add(1, ordering: .relaxed)
            seen.yield(shown.code)
        }
        return (last, events.load(ordering: .relaxed))
    }

    @Test func theAgentLearnsThatTheClientIsGone() async throws {
        try await withFolder { folder in
            let path = folder + "/control.sock"
            let agent = Scripted { _, replies in replies.yield(.event(PairingCodeMessage(code: "K7QM", expires: 5))) }
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
            let agent = Scripted { _, replies in replies.yield(.event(PairingCodeMessage(code: "K7QM", expires: 5))) }
            try await serving(at: path, agent) { _ in
                let answer = try await RawClient(path: path).post("pair", endsAfter: "K7QM")
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
            let agent = Scripted { _, replies in replies.yield(.event(PairingCodeMessage(code: "K7QM", expires: 5))) }
            try await serving(at: path, agent) { _ in
                await #expect(throws: Enough.self) {
                    try await ControlClient(socketPath: path).send(PairRequest()) { _ in throw Enough() }
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
                if request is PairRequest {
                    opened.yield(replies)
                } else {
                    replies.yield(.response(DeviceList(devices: [Samples.device])))
                }
            }
            try await serving(at: path, agent) { _ in
                async let pairing = ControlClient(socketPath: path).send(PairRequest())
                let replies = await open.first { _ in true }
                // The first request is open, and others are answered meanwhile.
                try await withThrowingTaskGroup(of: DeviceList.self) { group in
                    for _ in 0..<20 {
                        group.addTask { try await ControlClient(socketPath: path).send(DevicesRequest()) }
                    }
                    for try await list in group { #expect(list.devices == [Samples.device]) }
                }
                replies?.yield(.response(PairedDevice(device: Samples.device)))
                #expect(try await pairing.device == Samples.device)
            }
        }
    }

    @Test func aLargeDocumentGoesThrough() async throws {
        try await withFolder { folder in
            let path = folder + "/control.sock"
            let document = DocumentText(document: "[\"" + String(repeating: "x", count: 8 << 20) + "\"]")
            try await serving(at: path, Scripted { _, replies in replies.yield(.response(document)) }) { _ in
                let back = try await ControlClient(socketPath: path).send(ShowRequest(profile: "p"))
                #expect(back == document)
            }
        }
    }

    @Test func shutdownEndsOpenRequestsAndRemovesTheSocket() async throws {
        try await withFolder { folder in
            let path = folder + "/control.sock"
            let (open, opened) = AsyncStream<Void>.makeStream()
            let agent = Scripted { _, _ in opened.yield() }
            try await serving(at: path, agent) { services in
                let pairing = Task { try await ControlClient(socketPath: path).send(PairRequest()) }
                _ = await open.first { _ in true }
                await services.triggerGracefulShutdown()
                let failure = await #expect(throws: AgentFailure.self) { try await pairing.value }
                #expect(failure?.message.contains("stopped") == true)
            }
            #expect(FileFacts(path) == nil)
            #expect(await agent.endings.first { _ in true } != nil)
        }
    }

    @Test func anAgentThatEndsAStreamUnansweredIsReported() async throws {
        try await withFolder { folder in
            let path = folder + "/control.sock"
            try await serving(at: path, Scripted { _, replies in replies.finish() }) { _ in
                let failure = await #expect(throws: AgentFailure.self) {
                    try await ControlClient(socketPath: path).send(StatusRequest())
                }
                #expect(failure?.message.contains("before it answered") == true)
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
            return try await RawClient(path: path).post("status")
        } catch  where error is IOError || error is ChannelError {
            return ""
        }
    }
}
