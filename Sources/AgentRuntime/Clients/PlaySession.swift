import ControlInterface
import DiskStore
package import HouseholdAgent
import Logging
import MergeCore
import Synchronization

/// Leaves a profile's file alone while its game runs: through the agent, or, where none runs, through one in this
/// process.
///
/// Hearth never keeps a game from starting: whatever is wrong is told, and tried again while the game runs.
package final class PlaySession: Sendable {
    /// Whether the game may start, and how things are.
    package enum Start: Sendable {
        /// What the others have is in the file.
        case ready(PlayReport)
        /// There is no such profile: one sentence.
        case unknown(String)
        /// The game has to do without: one sentence says why.
        case trouble(String)
    }

    /// Between two tries after a failure, at first and at most.
    private static let pause: (first: Duration, longest: Duration) = (.seconds(1), .seconds(10))
    /// An agent that is just starting has the lock before it answers.
    private static let startTime = Duration.milliseconds(300)
    /// What an agent that was stopped may take to come back, before one runs in here in its place.
    private static let absence = Duration.seconds(10)
    /// What an agent may take to say that the game may start, and to start itself.
    private static let patience = Duration.milliseconds(7_500)

    /// The agent is there, and says nothing.
    private struct Silence: Error, CustomStringConvertible {
        let description = "the agent does not answer"
    }

    private struct State {
        /// The agent's number for the game, while it holds the file.
        var play: Int?
        /// When the game was started.
        var since: MonotonicTime?
        /// When the agent went away that held the file.
        var lost: ContinuousClock.Instant?
        /// What came of the game was told.
        var isAnswered = false
        /// What came of it, as the request that held the file was answered: an agent in this process stops with that
        /// answer, and may take the other one along.
        var report: PlayedReport?
    }

    private let profile: String
    private let game: String
    /// How the game's processes are known.
    package let mark: PlayMark
    private let configuration: AgentConfiguration
    private let client: ControlClient
    private let state = Mutex(State())
    /// Ends when nothing is to be held any more.
    private let over = AsyncStream.makeStream(of: Void.self)

    /// - Parameters:
    ///   - game: What status calls it.
    ///   - configuration: For the agent in this process, where one is needed.
    package init(profile: String, game: String, configuration: AgentConfiguration) {
        (self.profile, self.game, self.configuration) = (profile, game, configuration)
        mark = PlayProcesses.mark()
        client = ControlClient(socketPath: configuration.home.socketHere)
    }

    /// From now on the game runs: whoever has to be asked again is told so, and asks nobody first.
    package func gameStarted() {
        state.withLock { $0.since = .now }
    }

    /// Holds until ``end()``, or nothing can be held.
    ///
    /// - Parameter tell: Called with every answer to the question whether the game may start; the first one counts.
    package func keep(tell: @escaping @Sendable (Start) -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in await tryAgainAndAgain(tell) }
            group.addTask { [over] in for await _ in over.stream {} }
            await group.next()
            group.cancelAll()
        }
    }

    /// Lets go of the file, where that did not happen yet.
    package func end() {
        // After an answer the request has ended, and an agent in this process stops in order.
        if !state.withLock({ $0.isAnswered }) { over.continuation.finish() }
    }

    private func tryAgainAndAgain(_ tell: @escaping @Sendable (Start) -> Void) async {
        var pause = Self.pause.first
        var isFirst = true
        while !Task.isCancelled {
            let wasHeld = Mutex(false)
            do {
                let report = try await askPatiently { report in
                    wasHeld.withLock { $0 = true }
                    tell(.ready(report))
                }
                state.withLock { $0.report = report }
                return
            } catch let failure as AgentFailure {
                // A hold that fails ends because the agent was stopped.
                if !wasHeld.withLock({ $0 }) {
                    return tell(failure.code == .usage ? .unknown(failure.message) : .trouble(failure.message))
                }
            } catch {
                if isFirst, !wasHeld.withLock({ $0 }), !(error is Silence) {
                    isFirst = false
                    try? await Task.sleep(for: Self.startTime)
                    continue
                }
                tell(.trouble("\(error)"))
            }
            if wasHeld.withLock({ $0 }) {
                pause = Self.pause.first
                state.withLock { $0.lost = .now }
            }
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, Self.pause.longest)
        }
    }

    /// The game is over: waits until its last save is with whoever can be reached.
    ///
    /// - Returns: `nil` where nobody holds the file any more.
    package func gameEnded() async -> PlayedReport? {
        guard let play = state.withLock({ $0.play }) else { return nil }
        let request = EndPlayRequest(play: RequestID(rawValue: UInt64(bitPattern: Int64(play))))
        let report = try? await client.send(request)
        return state.withLock { state in
            if let report { state.report = report }
            state.isAnswered = state.report != nil
            return state.report
        }
    }

    // MARK: Asking

    /// Asks, and gives up where the game may not start in time.
    private func askPatiently(_ held: @escaping @Sendable (PlayReport) -> Void) async throws -> PlayedReport {
        try await withThrowingTaskGroup(of: PlayedReport?.self) { group in
            group.addTask { [self] in try await ask(held) }
            group.addTask { [self] in
                try await Task.sleep(for: Self.patience)
                if state.withLock({ $0.play == nil }) { throw Silence() }
                return nil
            }
            defer { group.cancelAll() }
            while let next = try await group.next() {
                if let next { return next }
            }
            throw CancellationError()
        }
    }

    /// Asks the agent, or one in this process; returns the last reply.
    private func ask(_ held: @escaping @Sendable (PlayReport) -> Void) async throws -> PlayedReport {
        defer { state.withLock { $0.play = nil } }
        do {
            return try await send(held)
        } catch let error as ControlClientError {
            guard case .agentNotRunning = error else { throw error }
            // Whoever starts the agent anew must not find its place taken.
            if let lost = state.withLock({ $0.lost }), ContinuousClock.now - lost < Self.absence { throw error }
            return try await askWithin(held)
        }
    }

    private func send(_ held: @escaping @Sendable (PlayReport) -> Void) async throws -> PlayedReport {
        let since = state.withLock { $0.since }.map { Moment.now.wall(at: $0) }
        let request = PlayRequest(profile: profile, game: game, since: since, mark: mark)
        return try await client.send(request) { [self] report in
            state.withLock { $0.play = report.play }
            held(report)
        }
    }

    /// Runs an agent for as long as the request stays open.
    private func askWithin(_ held: @escaping @Sendable (PlayReport) -> Void) async throws -> PlayedReport {
        let (ups, up) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let silent = Logger(label: "hearth") { _ in SwiftLogNoOpLogHandler() }
        return try await withThrowingTaskGroup(of: PlayedReport?.self) { group in
            group.addTask { [configuration] in
                defer { up.finish() }
                try await HearthAgent.run(configuration, logger: silent, until: { for await _ in ends {} }) { _ in
                    up.yield()
                }
                return nil
            }
            group.addTask { [self] in
                for await _ in ups {
                    defer { end.finish() }
                    return try await send(held)
                }
                return nil
            }
            var last: PlayedReport?
            while let reply = try await group.next() { last = reply ?? last }
            guard let last else { throw CancellationError() }
            return last
        }
    }
}
