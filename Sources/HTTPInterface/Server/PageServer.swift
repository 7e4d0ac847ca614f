import ControlInterface
package import HouseholdAgent
import LocalFiles
package import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// Serves the page and the control interface over HTTP, to this user, on the loopback interface.
///
/// Nothing listens until somebody asks for the page, and nothing does any more once it was unused for ten minutes: an
/// agent whose page nobody looks at is as light as one without.
package final class PageServer: Service {
    package typealias Answer = @Sendable (AgentReply) -> Void

    private static let end = AgentReply.failure(.failed, "the agent is stopping")

    private enum Phase {
        case shut
        case open(Listening)
        case ended
    }

    private struct State {
        var phase = Phase.shut
        /// Those who asked for a link, until it can be given.
        var waiting: [Answer] = []
        var usage: Usage
        var refusals = Refusals()
    }

    private let files: InterfaceFiles
    private let logger: Logger
    private let services: Exchange.Services
    private let state: Mutex<State>
    private let wishes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// - Parameters:
    ///   - home: The folder in which the port and the token are noted.
    ///   - counters: What `/metrics` shows.
    ///   - submit: Gives a request to the agent. The stream is terminated when the client is gone.
    package convenience init(
        home: String, logger: Logger, counters: @escaping @Sendable () -> [CounterSample],
        submit: @escaping @Sendable (any AgentRequest) -> AsyncStream<AgentReply>
    ) {
        let services = Exchange.Services(
            limits: PageLimits(), sealer: Sealer(), counters: counters, submit: submit)
        self.init(home: home, logger: logger, services)
    }

    init(home: String, logger: Logger, _ services: Exchange.Services) {
        files = InterfaceFiles(home: home)
        self.logger = logger
        self.services = services
        state = Mutex(State(usage: Usage(idleTime: services.limits.idle, now: .now)))
    }

    /// Answers a ``PageRequest`` with a link, and begins to listen where that has not begun.
    package func open(_ answer: @escaping Answer) {
        let phase = state.withLock { state in
            state.usage.wasAsked(now: .now)
            if case .shut = state.phase { state.waiting.append(answer) }
            return state.phase
        }
        switch phase {
        case .open(let listening): answer(.response(listening.link()))
        case .shut: wishes.continuation.yield()
        case .ended: answer(Self.end)
        }
    }

    /// Whether a page is open somewhere, and hears of what happens.
    package var isSeen: Bool {
        guard case .open(let listening) = state.withLock({ $0.phase }) else { return false }
        return listening.feed.hasClients
    }

    /// Serves until graceful shutdown or cancellation.
    package func run() async throws {
        files.remove()
        await cancelWhenGracefulShutdown { [self] in
            for await _ in wishes.stream { await serve() }
        }
        let waiting = state.withLock { state in
            state.phase = .ended
            defer { state.waiting = [] }
            return state.waiting
        }
        for answer in waiting { answer(Self.end) }
    }

    // MARK: Listening

    /// Listens until nobody has used it for a while.
    private func serve() async {
        do {
            let listening = Listening(try await Listener.bind())
            defer { files.remove() }
            do {
                try files.write(port: listening.listener.port, token: listening.token)
            } catch {
                await listening.listener.refuseAll()
                throw error
            }
            tellThoseWaiting(.open(listening)) { .response(listening.link()) }
            logger.info("the page is served", metadata: ["port": "\(listening.listener.port)"])
            await withTaskGroup(of: Void.self) { group in
                group.addTask { [self] in await accept(listening) }
                group.addTask { [services] in await listening.feed.run(services.submit) }
                await untilUnused()
                await listening.listener.close()
                group.cancelAll()
            }
            logger.info("the page is served no more")
        } catch {
            let why =
                (error as? BoundedFile.Fault).map { "the port and the token \($0.sentence) in the home" } ?? "\(error)"
            tellThoseWaiting(.shut) { .failure(.failed, "the page cannot be served on 127.0.0.1: \(why)") }
        }
    }

    private func tellThoseWaiting(_ phase: Phase, _ reply: () -> AgentReply) {
        let waiting = state.withLock { state in
            state.phase = phase
            defer { state.waiting = [] }
            return state.waiting
        }
        for answer in waiting { answer(reply()) }
    }

    /// Waits until nobody has used the server for long enough, and closes it to new wishes then.
    private func untilUnused() async {
        while !Task.isCancelled {
            let rest = state.withLock { state -> Duration? in
                let rest = state.usage.rest(now: .now)
                if rest == nil { state.phase = .shut }
                return rest
            }
            guard let rest else { return }
            try? await Task.sleep(for: rest)
        }
        state.withLock { $0.phase = .shut }
    }

    /// Takes connections until the sockets are closed, or the task is cancelled. Those that were there before are taken
    /// then as well, so that each is closed.
    private func accept(_ listening: Listening) async {
        await withDiscardingTaskGroup { group in
            for await connection in listening.listener.connections.arrived {
                group.addTask { [self] in await serve(connection, listening) }
            }
            group.cancelAll()
        }
    }

    /// One connection. What goes wrong with it ends it alone.
    private func serve(_ channel: any Channel, _ listening: Listening) async {
        // Counted before anything else is done for it: whoever it is may open many.
        let isTaken = state.withLock { $0.usage.begin(limit: services.limits.connections) }
        guard isTaken else { return channel.close(promise: nil) }
        let owner = PeerOwner.owner(of: channel)
        guard PeerOwner.isAdmitted(owner) else {
            state.withLock { $0.usage.endRefused() }
            noteRefusal(of: owner)
            return channel.close(promise: nil)
        }
        defer { state.withLock { $0.usage.end(now: .now) } }
        do {
            let exchange = Exchange(channel, listening, services) { [self] in
                state.withLock { $0.usage.mayKeep(limit: services.limits.connections) }
            }
            let connection = try await HTTPConnections.open(channel)
            try await connection.executeThenClose { inbound, outbound in
                try await PersistentConnection(channel, services.limits, exchange).run(inbound, outbound)
            }
        } catch {
            logger.debug("a connection of the page ended early", metadata: ["why": "\(error)"])
        }
    }

    private func noteRefusal(of owner: TCPTable.Owner?) {
        // One that has ended already is nothing to tell.
        if owner == TCPTable.Owner.nobody { return }
        guard let count = state.withLock({ $0.refusals.note(now: .now) }) else { return }
        var user = "unknown"
        if case .user(let number)? = owner { user = "\(number)" }
        logger.warning(
            "connections of other users to the page were refused", metadata: ["count": "\(count)", "uid": "\(user)"])
    }
}
