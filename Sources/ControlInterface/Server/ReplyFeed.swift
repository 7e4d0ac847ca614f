import HouseholdAgent
import NIOCore
import ServiceLifecycle

/// The replies to one request, up to the last one, for as long as anybody waits for them.
struct ReplyFeed: Sendable {
    let replies: AsyncStream<AgentReply>
    /// Completes when whoever asked is gone.
    let closed: EventLoopFuture<Void>

    /// What ends the wait, or moves it on.
    private enum Step: Sendable {
        case reply(AgentReply)
        case unanswered
        case gone
    }

    /// Hands every reply to the body. There always is a last one, so that a missing one means a broken connection.
    ///
    /// When this returns or throws, the stream of replies is terminated.
    ///
    /// - Throws: `CancellationError` when whoever asked is gone, or what the body throws.
    @concurrent
    func each(_ body: @concurrent (AgentReply) async throws -> Void) async throws {
        let (steps, step) = AsyncStream<Step>.makeStream()
        closed.whenComplete { _ in step.yield(.gone) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await reply in replies { step.yield(.reply(reply)) }
                step.yield(.unanswered)
            }
            group.addTask {
                try await gracefulShutdown()
                step.yield(.unanswered)
            }
            defer { group.cancelAll() }
            for await next in steps {
                switch next {
                case .reply(let reply):
                    try await body(reply)
                    if reply.isFinal { return }
                case .unanswered:
                    return try await body(
                        .failure(.failed, "The agent stopped before it answered; start it and ask again.")
                    )
                case .gone: throw CancellationError()
                }
            }
            throw CancellationError()
        }
    }
}
