import AgentClients
package import HouseholdAgent
package import Logging
package import ProfileKeeping
import Synchronization

/// A complete agent inside this process. It leaves signals to the program and runs until ``stop()``.
package final class EmbeddedAgent: AgentClient {
    private let host: AgentHost
    private let end: AsyncStream<Void>.Continuation
    private let running: Task<Void, any Error>
    private let life: Life

    private final class Life: Sendable { let hasEnded = Atomic<Bool>(false) }

    /// The agent ended before it was ready.
    private struct Stillborn: Error, CustomStringConvertible {
        let description = "the agent in this program ended before it was up"
    }

    private init(
        _ host: AgentHost, _ end: AsyncStream<Void>.Continuation, _ running: Task<Void, any Error>, _ life: Life
    ) {
        (self.host, self.end, self.running, self.life) = (host, end, running, life)
    }

    /// Starts an agent and returns when it takes requests.
    ///
    /// - Parameter logger: Where it logs; `nil` for ``AgentLogFile``.
    /// - Throws: Whatever kept the agent from starting, such as a home that another agent uses.
    package static func start(_ configuration: AgentConfiguration, _ logger: Logger? = nil) async throws
        -> EmbeddedAgent
    {
        let (ups, up) = AsyncStream.makeStream(of: AgentHost.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let logger = logger ?? AgentLogFile.logger(home: configuration.home)
        let life = Life()
        let running = Task {
            defer {
                life.hasEnded.store(true, ordering: .releasing)
                up.finish()
            }
            try await HearthAgent.compose(configuration, logger: logger, until: { for await _ in ends {} }) {
                host, ready in
                logger.info("the agent in this program is up", metadata: ["port": "\(ready.port)"])
                up.yield(host)
            }
        }
        for await host in ups { return EmbeddedAgent(host, end, running, life) }
        try await running.value
        throw Stillborn()
    }

    /// Stops the agent and waits for it.
    package func stop() async {
        end.finish()
        _ = await running.result
    }

    package func handOver(_ save: WrittenSave) { host.post(.saved(save)) }

    package func send<Request: AgentRequest>(
        _ request: Request, onEvent: @escaping @Sendable (Request.Event) async throws -> Void
    ) async throws -> Request.Response {
        // An agent that has ended would never answer.
        if !life.hasEnded.load(ordering: .acquiring) {
            for await reply in host.submit(request) {
                if let event = reply.message(Request.Event.self) { try await onEvent(event) }
                if let response = reply.message(Request.Response.self) { return response }
                if case .failure(let code, let sentence) = reply { throw AgentFailure(code, sentence) }
            }
        }
        try Task.checkCancellation()
        throw AgentFailure(.agentNotRunning, "the agent in this program has ended")
    }
}

/// The embedded agents of this process: one for each home, shared by all stores that use it.
package actor EmbeddedAgents {
    package static let shared = EmbeddedAgents()

    private struct Entry {
        var users: Int
        let starting: Task<EmbeddedAgent, any Error>
    }

    private var entries: [String: Entry] = [:]
    private var ending: [String: Task<Void, Never>] = [:]

    /// Whether the home's agent runs, or is starting, in this process.
    package func has(_ home: HearthHome) -> Bool { entries[home.path] != nil }

    /// Returns the home's agent, and starts it where it does not run. Each successful call needs a ``release(_:)``.
    ///
    /// - Parameter logger: Where the agent logs if this call starts it; `nil` for ``AgentLogFile``.
    package func acquire(_ configuration: AgentConfiguration, _ logger: Logger? = nil) async throws -> EmbeddedAgent {
        let home = configuration.home.path
        while let end = ending[home] {
            await end.value
            // The task that waited in `release` may not have removed the entry yet.
            if ending[home] == end { ending[home] = nil }
        }
        let entry =
            entries[home] ?? Entry(users: 0, starting: Task { try await EmbeddedAgent.start(configuration, logger) })
        entries[home] = Entry(users: entry.users + 1, starting: entry.starting)
        do {
            return try await entry.starting.value
        } catch {
            // Forget the failed start, so that the next caller tries again.
            if entries[home]?.starting == entry.starting { entries[home] = nil }
            throw error
        }
    }

    /// Gives the agent back. The last user's release stops it.
    package func release(_ home: HearthHome) async {
        guard var entry = entries[home.path] else { return }
        entry.users -= 1
        entries[home.path] = entry.users > 0 ? entry : nil
        guard entry.users == 0 else { return }
        let end = Task { if let agent = try? await entry.starting.value { await agent.stop() } }
        ending[home.path] = end
        await end.value
        if ending[home.path] == end { ending[home.path] = nil }
    }
}
