import AgentRuntime
import ControlInterface
import HouseholdAgent
import Synchronization

/// Holds a store's profile open with an agent, and comes back to it after it was away.
final class AgentConnection: Sendable {
    /// A held profile.
    struct Link: Sendable {
        let client: any AgentClient
        let id: RequestID

        /// Asks, and waits no longer than that is good: the game may be waiting to save.
        ///
        /// - Throws: ``StoreError`` where the agent refuses.
        @discardableResult
        func ask<Request: AgentRequest>(
            _ request: Request, within limit: Duration = .seconds(5)
        ) async throws -> Request.Response {
            do {
                return try await send(request, within: limit)
            } catch let failure as AgentFailure {
                throw StoreError(failure)
            }
        }

        /// Like ``ask(_:within:)``, but a refusal is thrown as the agent said it.
        @discardableResult
        func send<Request: AgentRequest>(
            _ request: Request, within limit: Duration = .seconds(5)
        ) async throws -> Request.Response {
            let response = try await Limited.run(limit) { [client] in try await client.send(request) }
            guard let response else {
                throw StoreError(.agent, "the agent does not answer; the game goes on without it, and asks again")
            }
            return response
        }
    }

    /// What a store does when its agent has something to say.
    struct Events: Sendable {
        /// What to hold.
        var attaching: @Sendable () async throws -> AttachRequest
        /// It is held from now on.
        var attached: @Sendable (AttachmentReport, AttachRequest, Link) async -> Void
        /// There is something to pull.
        var changed: @Sendable (Link) async -> Void
        /// The state that the game shows has changed.
        var status: @Sendable (AttachmentReport) -> Void
    }

    private struct State {
        var link: Link?
        var trouble: String?
        var holds = 0
        /// Ends the present hold.
        var end: AsyncStream<Void>.Continuation?
        /// What is to be held has changed.
        var isStale = false
        var waiting: [UInt64: AsyncStream<Void>.Continuation] = [:]
        var next: UInt64 = 0
    }

    /// Between two tries, at first and at most.
    private static let pause: (first: Duration, longest: Duration) = (.milliseconds(50), .seconds(10))
    /// What an agent that was stopped may take to come back, before one runs in here in its place.
    private static let absence = Duration.seconds(5)

    /// A hold that lasts no longer was of no use.
    private static let circle = Duration.milliseconds(200)

    private let choice: StoreOptions.AgentChoice
    private let configuration: AgentConfiguration
    private let state = Mutex(State())

    init(_ choice: StoreOptions.AgentChoice, _ configuration: AgentConfiguration) {
        (self.choice, self.configuration) = (choice, configuration)
    }

    /// Hearth's home, where the agent can read what is put there for it.
    var home: String { configuration.home.path }

    /// The profile as it is held now; `nil` while it is not.
    var link: Link? { state.withLock { $0.link } }

    /// Why there is no agent, where that is known.
    var trouble: String? { state.withLock { $0.trouble } }

    /// Lets go and holds anew, because what is to be held has changed, or the agent cannot be trusted to know.
    func renew() {
        let end = state.withLock { state in
            (state.link, state.isStale) = (nil, true)
            return state.end
        }
        end?.finish()
    }

    /// Waits until the profile is held.
    func link(within limit: Duration) async -> Link? {
        if let link { return link }
        guard choice != .none else { return nil }
        let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.next += 1
            state.waiting[state.next] = change
            return state.next
        }
        defer { _ = state.withLock { $0.waiting.removeValue(forKey: number) } }
        return await Limited.run(limit) { [self] () -> Link? in
            if let link { return link }
            for await _ in changes { if let link { return link } }
            return nil
        }.flatMap(\.self)
    }

    // MARK: Holding

    /// Holds until it is cancelled.
    func run(_ events: Events) async {
        guard choice != .none else { return }
        var pause = Self.pause.first
        var lost: ContinuousClock.Instant?
        var hurried = 0
        while !Task.isCancelled {
            let began = ContinuousClock.now
            let before = state.withLock { state in
                state.isStale = false
                return state.holds
            }
            do {
                try await holdOnce(events, mayEmbed: lost.map { ContinuousClock.now - $0 >= Self.absence } ?? true)
            } catch {
                state.withLock { $0.trouble = "\(error)" }
            }
            let (wasHeld, isStale) = state.withLock { state in
                state.link = nil
                return (state.holds != before, state.isStale)
            }
            if Task.isCancelled { return }
            if wasHeld { pause = Self.pause.first }
            if isStale {
                lost = nil
                // At once, unless that goes round in circles.
                hurried = ContinuousClock.now - began < Self.circle ? min(hurried + 1, 8) : 0
                if hurried > 1 { try? await Task.sleep(for: .milliseconds(10 << hurried)) }
                continue
            }
            if wasHeld, choice == .automatic { lost = .now }
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, Self.pause.longest)
        }
    }

    private func holdOnce(_ events: Events, mayEmbed: Bool) async throws {
        // The one that another store of this process brought is as good as our own.
        let isHere = choice == .automatic ? await EmbeddedAgents.shared.has(configuration.home) : false
        if choice != .embedded, !isHere {
            do {
                return try await hold(ControlClient(socketPath: configuration.home.socketHere), events)
            } catch let error as ControlClientError {
                guard case .agentNotRunning = error, choice == .automatic, mayEmbed else { throw error }
            }
        }
        let agent = try await EmbeddedAgents.shared.acquire(configuration)
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await hold(agent, events)) } catch { outcome = .failure(error) }
        // Also when cancelled: whoever opens the home next needs it free.
        await EmbeddedAgents.shared.release(configuration.home)
        try outcome.get()
    }

    /// Returns when the agent lets go, or something is to be held anew.
    private func hold(_ client: any AgentClient, _ events: Events) async throws {
        let attaching = try await events.attaching()
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let isStale = state.withLock { state in
            state.end = end
            return state.isStale
        }
        if isStale { return }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                try await client.send(attaching) { [self] event in
                    switch event {
                    case .attached(let report):
                        let number = UInt64(bitPattern: Int64(report.attachment))
                        let link = Link(client: client, id: RequestID(rawValue: number))
                        await events.attached(report, attaching, link)
                        took(link)
                    case .changed: if let link { await events.changed(link) }
                    case .status(let report): events.status(report)
                    }
                }
            }
            group.addTask { for await _ in ends {} }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func took(_ link: Link) {
        let waiting = state.withLock { state in
            state.holds += 1
            // Something else is to be held meanwhile.
            guard !state.isStale else { return [AsyncStream<Void>.Continuation]() }
            (state.link, state.trouble) = (link, nil)
            return Array(state.waiting.values)
        }
        for one in waiting { one.yield() }
    }
}
