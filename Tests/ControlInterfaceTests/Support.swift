import HouseholdAgent
import Logging
import MergeCore
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import ControlInterface

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A folder for one test, removed at its end.
func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let folder = TemporaryFolder()
    let result = try await body(folder.path)
    return withExtendedLifetime(folder) { result }
}

/// What an agent would do with a request: it notes it, and answers as the test says.
final class Scripted: Sendable {
    typealias Answer = @Sendable (any AgentRequest, AsyncStream<AgentReply>.Continuation) -> Void

    private let noted = Mutex<[any AgentRequest]>([])
    private let answer: Answer
    private let ended = AsyncStream<AsyncStream<AgentReply>.Continuation.Termination>.makeStream()

    init(_ answer: @escaping Answer = { _, replies in replies.yield(.response(DeviceList(devices: []))) }) {
        self.answer = answer
    }

    var requests: [any AgentRequest] { noted.withLock { $0 } }

    /// How requests ended, in order.
    var endings: AsyncStream<AsyncStream<AgentReply>.Continuation.Termination> { ended.stream }

    @Sendable func submit(_ request: any AgentRequest) -> AsyncStream<AgentReply> {
        noted.withLock { $0.append(request) }
        let (stream, replies) = AsyncStream<AgentReply>.makeStream()
        replies.onTermination = { [ended] in _ = ended.continuation.yield($0) }
        answer(request, replies)
        return stream
    }
}

/// Runs a server while the body runs, then shuts it down as a signal would.
func serving<Result: Sendable>(
    at path: String,
    _ agent: Scripted,
    admits: @escaping @Sendable (UInt32) -> Bool = PeerCheck.isOwnerOrRoot,
    _ body: (ServiceGroup) async throws -> Result
) async throws -> Result {
    let (running, started) = AsyncStream<Void>.makeStream()
    let server = ControlServer(
        socketPath: path,
        logger: quiet,
        onRunning: { started.finish() },
        admits: admits,
        submit: agent.submit
    )
    let services = ServiceGroup(services: [server], logger: quiet)
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            defer { started.finish() }
            try await services.run()
        }
        for await _ in running {}
        let result: Result
        do {
            result = try await body(services)
        } catch {
            await services.triggerGracefulShutdown()
            // When the server could not be made, that is what the test wants to see.
            try await group.waitForAll()
            throw error
        }
        await services.triggerGracefulShutdown()
        try await group.waitForAll()
        return result
    }
}

var quiet: Logger {
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    return logger
}

/// A client that sends what it likes.
struct RawClient {
    let path: String

    /// Sends bytes, and gives everything that comes until the other side ends the connection.
    ///
    /// - Parameter word: When it has come, the own sending side is closed; else that stays open.
    func exchange(_ text: String, endsAfter word: String? = nil) async throws -> String {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(unixDomainSocketPath: path) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: true)
                    )
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: text))
            var all = ByteBuffer()
            for try await bytes in inbound {
                all.writeImmutableBuffer(bytes)
                if let word, String(buffer: all).contains(word) { outbound.finish() }
            }
            return String(buffer: all)
        }
    }

    func post(
        _ name: String, _ body: String = "{}", headers: String = "", endsAfter word: String? = nil
    ) async throws -> String {
        try await exchange(
            "POST /v1/requests/\(name) HTTP/1.1\r\nhost: x\r\ncontent-length: \(body.utf8.count)\r\n\(headers)\r\n\(body)",
            endsAfter: word
        )
    }
}

/// A server that says the same to everybody, and then ends the connection.
func saying<Result: Sendable>(
    _ text: String,
    at path: String,
    _ body: () async throws -> Result
) async throws -> Result {
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(SayAndClose(text: text))
            }
        }
        .bind(unixDomainSocketPath: path).get()
    do {
        let result = try await body()
        try await server.close()
        return result
    } catch {
        try await server.close()
        throw error
    }
}

private final class SayAndClose: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    private let text: String

    init(text: String) { self.text = text }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        context.close(promise: nil)
    }
}

/// A request with any response, for messages that are looked at by themselves.
struct Asking<Response: AgentMessage>: AgentRequest {
    static var name: String { "asking" }

    func run<Files, Store>(_ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment) {}
}
