import AgentClients
import DiskStore
package import HouseholdAgent
import MergeCore
import Synchronization

/// Holds a profile while its game runs, so that nobody else writes the file: through the agent or, where none runs,
/// through one inside this process.
///
/// Hearth never keeps a game from starting. Problems are reported; where the agent could not be reached it is tried
/// again while the game runs. A refusal by the agent is final.
package final class PlaySession: Sendable {
    /// The answer to the question whether the game may start.
    package enum Start: Sendable {
        /// The file contains everything that other devices have.
        case ready(PlayReport)
        /// The game starts without Hearth. One sentence says why.
        case trouble(String)
    }

    /// How long a starting agent may hold the lock before it answers. The first failure is not reported before that.
    private static let startTime = Duration.milliseconds(300)
    /// How long an agent may take to start and to answer that the game may start.
    private static let patience = Duration.milliseconds(7_500)

    /// The agent is there but does not answer.
    private struct Silence: Error, CustomStringConvertible {
        let description = "the agent does not answer"
    }

    private struct State {
        /// The agent that holds the file, and its number for this hold; `nil` while nothing is held.
        var hold: (agent: any AgentClient, play: Int)?
        /// When the game was started.
        var since: MonotonicTime?
        /// Whether the agent has answered that the game has ended.
        var isAnswered = false
        /// The answer to the request that held the file. An agent inside this process stops right after that answer, so
        /// the answer to ``gameEnded()``'s own request may be lost.
        var report: PlayedReport?
    }

    private let profile: String
    private let game: String
    /// How the game's processes are recognised.
    package let mark: PlayMark
    private let agents: LocalAgents
    private let state = Mutex(State())
    /// Ends when nothing shall be held any more.
    private let over = AsyncStream.makeStream(of: Void.self)

    /// - Parameters:
    ///   - game: The game's name in status reports.
    ///   - configuration: For an agent inside this process, where one is needed.
    package init(profile: String, game: String, configuration: AgentConfiguration) {
        (self.profile, self.game, agents) = (profile, game, LocalAgents(configuration))
        mark = PlayProcesses.mark()
    }

    /// Notes that the game runs now. An agent that is asked again is told so, and does not ask other devices first.
    package func gameStarted() {
        state.withLock { $0.since = .now }
    }

    /// Holds the file until ``end()``, or until it turns out that it cannot be held.
    ///
    /// - Parameter tell: Called with each answer to the question whether the game may start; the first one counts.
    package func keep(tell: @escaping @Sendable (Start) -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in await tryAgainAndAgain(tell) }
            group.addTask { [over] in for await _ in over.stream {} }
            await group.next()
            group.cancelAll()
        }
    }

    /// Releases the file, where that has not happened yet.
    package func end() {
        // After an answer the request has ended, and an agent in this process is already stopping.
        if !state.withLock({ $0.isAnswered }) { over.continuation.finish() }
    }

    private func tryAgainAndAgain(_ tell: @escaping @Sendable (Start) -> Void) async {
        var reconnection = Reconnection(first: .seconds(1), absence: .seconds(10))
        var isFirst = true
        while !Task.isCancelled {
            let wasHeld = Mutex(false)
            do {
                let report = try await askPatiently(mayEmbed: reconnection.mayEmbed(at: .now)) { report in
                    wasHeld.withLock { $0 = true }
                    tell(.ready(report))
                }
                state.withLock { $0.report = report }
                return
            } catch let failure as AgentFailure where failure.code != .agentNotRunning {
                // A hold that fails later ends because the agent was stopped, so it is tried again.
                if !wasHeld.withLock({ $0 }) {
                    return tell(.trouble(failure.message))
                }
            } catch {
                if isFirst, !wasHeld.withLock({ $0 }), !(error is Silence) {
                    isFirst = false
                    try? await Task.sleep(for: Self.startTime)
                    continue
                }
                tell(.trouble("\(error)"))
            }
            if wasHeld.withLock({ $0 }) { reconnection.wasLost(at: .now) }
            try? await Task.sleep(for: reconnection.nextPause())
        }
    }

    /// Tells the agent that the game has ended, and waits until its last save is on the devices that can be reached.
    ///
    /// - Returns: `nil` if no agent holds the file any more, or if the agent does not answer.
    package func gameEnded() async -> PlayedReport? {
        guard let hold = state.withLock({ $0.hold }) else { return nil }
        let request = EndPlayRequest(play: RequestID(rawValue: UInt64(bitPattern: Int64(hold.play))))
        let report = try? await hold.agent.send(request)
        return state.withLock { state in
            if let report { state.report = report }
            state.isAnswered = state.report != nil
            return state.report
        }
    }

    // MARK: Asking

    /// Asks for the hold, and throws ``Silence`` where no answer comes in time for the game to start.
    private func askPatiently(
        mayEmbed: Bool, _ held: @escaping @Sendable (PlayReport) -> Void
    ) async throws -> PlayedReport {
        try await withThrowingTaskGroup(of: PlayedReport?.self) { group in
            group.addTask { [self] in try await ask(mayEmbed: mayEmbed, held) }
            group.addTask { [self] in
                try await Task.sleep(for: Self.patience)
                if state.withLock({ $0.hold == nil }) { throw Silence() }
                return nil
            }
            defer { group.cancelAll() }
            while let next = try await group.next() {
                if let next { return next }
            }
            throw CancellationError()
        }
    }

    /// Asks the running agent, or else one inside this process, which runs for as long as the request is open.
    private func ask(
        mayEmbed: Bool, _ held: @escaping @Sendable (PlayReport) -> Void
    ) async throws -> PlayedReport {
        defer { state.withLock { $0.hold = nil } }
        let since = state.withLock { $0.since }.map { Moment.now.wall(at: $0) }
        let request = PlayRequest(profile: profile, game: game, since: since, mark: mark)
        return try await agents.withAgent(mayEmbed: mayEmbed) { agent in
            try await agent.send(request) { [self] report in
                state.withLock { $0.hold = (agent, report.play) }
                held(report)
            }
        }
    }
}
