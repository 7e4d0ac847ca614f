package import HouseholdAgent
package import NIOCore
import ServiceLifecycle

/// The replies to one request, up to the last one, as long as the client waits for them.
package struct ReplyFeed: Sendable {
    private let replies: AsyncStream<AgentReply>
    private let closed: EventLoopFuture<Void>

    /// - Parameter closed: Completes when the client is gone.
    package init(replies: AsyncStream<AgentReply>, closed: EventLoopFuture<Void>) {
        (self.replies, self.closed) = (replies, closed)
    }

    /// What the loop waits for.
    private enum Step: Sendable {
        case reply(AgentReply)
        case unanswered
        case gone
    }

    /// Gives every reply to the body. There is always a last one: where the agent gives none, it is a failure, so a
    /// missing last reply means a broken connection.
    ///
    /// When this returns or throws, the stream of replies is terminated.
    ///
    /// - Throws: `CancellationError` when the client is gone, or an error of the body.
    @concurrent
    package func each(_ body: @concurrent (AgentReply) async throws -> Void) async throws {
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
