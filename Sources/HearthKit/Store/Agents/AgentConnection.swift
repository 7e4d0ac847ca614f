import AgentClients
import HouseholdAgent
import Synchronization

/// The connection between a store and its agent: subscribes to the profile, and subscribes again whenever the agent was
/// away. ``AgentSource`` decides which agent that is.
final class AgentConnection: Sendable {
    /// What the store does on the agent's events.
    struct Events: Sendable {
        /// Makes the request that subscribes to the profile.
        var request: @Sendable () async throws -> SubscribeRequest
        /// The store is subscribed to the profile.
        var subscribed: @Sendable (SubscriptionReport, SubscribeRequest, Link) async -> Void
        /// The agent has changes to pull.
        var changed: @Sendable (Link) async -> Void
        /// The part of the agent's state that the game shows has changed.
        var status: @Sendable (SubscriptionReport) -> Void
        /// The agent's report of everything, where the store follows it.
        var followed: @Sendable (StatusReport) -> Void
        /// The store was subscribed, or is no longer, or what keeps it from that is something else now.
        var moved: @Sendable () -> Void
    }

    private struct State {
        var link: Link?
        var trouble: String?
        var holds = 0
        /// Ends the current subscription.
        var end: AsyncStream<Void>.Continuation?
        /// The subscription is out of date: the store asked for a new one.
        var isStale = false
        /// Whether the store wants to know how everything is, and what tells that to the subscription.
        var isFollowing = false
        var follow: AsyncStream<Void>.Continuation?
        var waiting: [UInt64: AsyncStream<Void>.Continuation] = [:]
        var next: UInt64 = 0
    }

    /// A subscription that ended sooner counts as failed; without a pause the next attempts would run in a tight loop.
    private static let circle = Duration.milliseconds(200)

    private let agents: (any AgentSource)?
    private let state = Mutex(State())

    /// - Parameter agents: `nil` for a store without an agent.
    init(_ agents: (any AgentSource)?) { self.agents = agents }

    /// Whether the store is to have an agent at all.
    var hasAgents: Bool { agents != nil }

    /// Hearth's home folder, where files for the agent are put; `nil` where the store has no agent.
    var home: String? { agents?.home }

    /// The addresses at which other devices reach an agent that listens on this port.
    func addresses(port: UInt16) -> [String] { agents?.addresses(port: port) ?? [] }

    /// The subscription to the profile; `nil` while there is none.
    var link: Link? { state.withLock { $0.link } }

    /// Why there is no agent, where known.
    var trouble: String? { state.withLock { $0.trouble } }

    /// Ends the subscription and subscribes again, because the request has changed, or because the agent may not know
    /// of a change that the store made.
    func renew() {
        let end = state.withLock { state in
            (state.link, state.isStale) = (nil, true)
            return state.end
        }
        end?.finish()
    }

    /// The subscription to the profile; waits for it up to `limit`. `nil` where that takes longer, or the store has no
    /// agent.
    func link(within limit: Duration) async -> Link? {
        if let link { return link }
        guard agents != nil else { return nil }
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

    /// Has the agent report how everything is, from now on.
    func follow() {
        let follow = state.withLock { state -> AsyncStream<Void>.Continuation? in
            guard !state.isFollowing else { return nil }
            state.isFollowing = true
            return state.follow
        }
        follow?.yield()
    }

    // MARK: Holding

    /// Subscribes to the profile and keeps the subscription until the task is cancelled.
    func run(_ events: Events) async {
        guard let agents else { return }
        var reconnection = Reconnection(first: .milliseconds(50), absence: .seconds(5))
        while !Task.isCancelled {
            let before = state.withLock { state in
                state.isStale = false
                return state.holds
            }
            do {
                try await agents.withAgent(mayEmbed: reconnection.mayEmbed(at: .now)) { client in
                    try await stay(with: client, events)
                }
            } catch {
                state.withLock { $0.trouble = "\(error)" }
            }
            let (wasHeld, isStale) = state.withLock { state in
                state.link = nil
                return (state.holds != before, state.isStale)
            }
            events.moved()
            if Task.isCancelled { return }
            if isStale {
                reconnection.wasRenewed()
            } else if wasHeld {
                reconnection.wasLost(at: .now)
            }
            try? await Task.sleep(for: reconnection.nextPause())
        }
    }

    /// Subscribes, and again at the same agent whenever a new subscription is asked for: an agent inside this process
    /// stops where nobody uses it, and its links to other devices with it.
    private func stay(with client: any AgentClient, _ events: Events) async throws {
        var hurried = 0
        while true {
            let began = ContinuousClock.now
            try await hold(client, events)
            let isStale = state.withLock { state in
                guard state.isStale else { return false }
                (state.link, state.isStale) = (nil, false)
                return true
            }
            guard isStale, !Task.isCancelled else { return }
            events.moved()
            // Subscribe again at once; pause only where subscriptions keep ending immediately.
            hurried = ContinuousClock.now - began < Self.circle ? min(hurried + 1, 8) : 0
            if hurried > 1 { try await Task.sleep(for: .milliseconds(10 << hurried)) }
        }
    }

    /// Subscribes once. Returns when the agent ends the subscription, or a new one is asked for.
    private func hold(_ client: any AgentClient, _ events: Events) async throws {
        let request = try await events.request()
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let isStale = state.withLock { state in
            state.end = end
            return state.isStale
        }
        if isStale { return }
        try await following(client, events) { try await subscribe(client, request, ends, events) }
    }

    /// Runs the body, and meanwhile has the agent report how everything is where the store wants that. An agent that
    /// cannot is none the worse for the subscription.
    private func following(
        _ client: any AgentClient, _ events: Events, _ body: () async throws -> Void
    ) async throws {
        let (wishes, wish) = AsyncStream.makeStream(of: Void.self)
        let isWanted = state.withLock { state in
            state.follow = wish
            return state.isFollowing
        }
        if isWanted { wish.yield() }
        defer { wish.finish() }
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask {
                for await _ in wishes {
                    _ = try? await client.send(FollowRequest()) { events.followed($0.status) }
                }
            }
            defer { group.cancelAll() }
            try await body()
        }
    }

    private func subscribe(
        _ client: any AgentClient, _ request: SubscribeRequest, _ ends: AsyncStream<Void>, _ events: Events
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                try await client.send(request) { [self] event in
                    switch event {
                    case .subscribed(let report):
                        let number = UInt64(bitPattern: Int64(report.subscription))
                        let link = Link(client: client, id: RequestID(rawValue: number))
                        await events.subscribed(report, request, link)
                        took(link)
                        events.moved()
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
            // A new subscription was asked for meanwhile, so this one is not passed on.
            guard !state.isStale else { return [AsyncStream<Void>.Continuation]() }
            (state.link, state.trouble) = (link, nil)
            return Array(state.waiting.values)
        }
        for one in waiting { one.yield() }
    }
}
