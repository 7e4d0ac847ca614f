import HouseholdAgent
import Logging
import NIOCore
import NIOPosix

/// All connections and listeners of a transport. Used only on its event loop.
final class TransportHub {
    /// The number of the first incoming connection. The agent numbers dialled ones from 0, so the two never collide.
    static let firstIncoming: UInt64 = 1 << 63

    let loop: any EventLoop
    let contexts: TLSContexts
    let limits: TransportLimits
    private let logger: Logger
    private let sink: @Sendable (TransportEvent) -> Void
    private var random: AnyGenerator
    private var links: [ConnectionID: Link] = [:]
    /// Incoming connections that are not admitted yet, the oldest first.
    private var pending: [Link] = []
    private var listeners: [any Channel] = []
    private var nextIncoming = TransportHub.firstIncoming
    /// Refused connections that are still to be reported: the last one's address and reason, and their number.
    private var refused: (remote: PeerAddress, reason: String, count: Int)?
    /// Runs while no refused connection is reported.
    private var refusalTimer: Scheduled<Void>?
    /// Set when the transport shuts down; succeeds when the last connection has ended.
    private var stopped: EventLoopPromise<Void>?

    /// Wraps any generator, so that it can be passed to generic functions.
    private struct AnyGenerator: RandomNumberGenerator {
        var base: any RandomNumberGenerator
        mutating func next() -> UInt64 { base.next() }
    }

    init(
        loop: any EventLoop,
        contexts: TLSContexts,
        limits: TransportLimits,
        logger: Logger,
        random: sending any RandomNumberGenerator,
        sink: @escaping @Sendable (TransportEvent) -> Void
    ) {
        self.loop = loop
        self.contexts = contexts
        self.limits = limits
        self.logger = logger
        self.random = AnyGenerator(base: random)
        self.sink = sink
    }

    /// Performs actions in order, and flushes the bytes they send together at the end.
    func perform(_ actions: [TransportAction]) {
        var unsent: [Link] = []
        for action in actions {
            switch action {
            case .dial(let id, let address, let purpose): dial(id, address, purpose)
            case .admit(let id):
                guard let link = links[id], link.admit() else { continue }
                pending.removeAll { $0 === link }
            case .resume(let id): links[id]?.resume()
            case .send(let id, let bytes):
                guard let link = links[id], link.send(bytes) else { continue }
                if unsent.last !== link { unsent.append(link) }
            case .close(let id):
                links[id]?.close(reason: "closed on this device")
            }
        }
        for link in unsent { link.flush() }
    }

    // MARK: Dialling

    private func dial(_ id: ConnectionID, _ address: PeerAddress, _ purpose: LinkPurpose) {
        guard links[id] == nil, id.rawValue < Self.firstIncoming else {
            assertionFailure("connection \(id) is dialled twice, or numbered as an incoming one")
            return logger.error("a connection is dialled twice", metadata: ["connection": "\(id)"])
        }
        let link = Link(id: id, origin: .dialled(address, purpose), owner: self)
        links[id] = link
        guard stopped == nil else { return link.failDial("the transport is shut down") }
        let bootstrap = ClientBootstrap(group: loop)
            .connectTimeout(TimeAmount(limits.connectTimeout))
            // Nothing must be read before TLS is in place.
            .channelOption(.autoRead, value: false)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(.recvAllocator, value: Self.allocator(limits))
        let connected: EventLoopFuture<any Channel>
        switch address.target {
        case .socket(let address): connected = bootstrap.connect(to: address)
        case .name(let name): connected = bootstrap.connect(host: name, port: Int(address.port))
        case .invalid(let why): return link.failDial(why)
        }
        connected.assumeIsolated().whenComplete { result in
            switch result {
            case .success(let channel): self.connected(link, channel)
            case .failure(let error): link.failDial(Reason.describe(error))
            }
        }
    }

    private func connected(_ link: Link, _ channel: any Channel) {
        guard case .connecting = link.phase, channel.isActive else {
            channel.close(promise: nil)
            return link.failDial("the connection ended as soon as it was made")
        }
        do {
            try link.install(on: channel)
            try channel.syncOptions?.setOption(.autoRead, value: true)
        } catch {
            channel.close(promise: nil)
            link.failDial(Reason.describe(error))
        }
    }

    // MARK: Accepting

    /// Adds a connection that was just accepted. Where too many wait to be admitted, a random one of them is closed.
    func accept(_ channel: any Channel) throws {
        guard stopped == nil else { throw ChannelError.ioOnClosedChannel }
        let id = ConnectionID(rawValue: nextIncoming)
        nextIncoming += 1
        let link = Link(id: id, origin: .accepted, owner: self)
        try link.install(on: channel)
        links[id] = link
        if pending.count >= limits.pendingIncoming, let victim = pending.randomElement(using: &random) {
            victim.abort("made room for a newer connection, since too many are not admitted yet")
            pending.removeAll { $0 === victim }
        }
        pending.append(link)
    }

    /// Keeps a listener, to close it at the end. False where the transport is already shut down.
    func keep(_ listener: any Channel) -> Bool {
        guard stopped == nil else { return false }
        listeners.append(listener)
        return true
    }

    static func allocator(_ limits: TransportLimits) -> AdaptiveRecvByteBufferAllocator {
        AdaptiveRecvByteBufferAllocator(minimum: 1 << 10, initial: 4 << 10, maximum: max(limits.chunkBytes, 4 << 10))
    }

    // MARK: Ends

    /// Removes a link. The link calls this before it reports its end.
    func remove(_ link: Link) {
        links[link.id] = nil
        pending.removeAll { $0 === link }
    }

    func report(_ event: TransportEvent) {
        switch event {
        case .closed(let id, let reason), .dialFailed(let id, let reason):
            logger.debug("connection ended", metadata: ["connection": "\(id)", "reason": "\(reason)"])
        case .opened, .received, .paused, .refused: break
        }
        sink(event)
        if links.isEmpty { stopped?.succeed() }
    }

    /// Counts a refused connection, and reports it if the last report is long enough ago.
    func refuse(_ remote: PeerAddress, _ reason: String) {
        logger.debug("connection refused", metadata: ["remote": "\(remote)", "reason": "\(reason)"])
        refused = (remote, reason, (refused?.count ?? 0) + 1)
        if refusalTimer == nil { reportRefused() }
        if links.isEmpty { stopped?.succeed() }
    }

    private func reportRefused() {
        refusalTimer = nil
        guard let (remote, reason, count) = refused else { return }
        refused = nil
        report(.refused(remote: remote, reason: reason, count: count))
        guard limits.refusalInterval > .zero, stopped == nil else { return }
        refusalTimer = loop.assumeIsolated().scheduleTask(in: TimeAmount(limits.refusalInterval)) {
            self.reportRefused()
        }
    }

    /// Ends all connections: properly where that is quick, by force after `limits.shutdownTimeout`.
    ///
    /// - Returns: A future that succeeds when the last connection has ended.
    func stop() -> EventLoopFuture<Void> {
        if let stopped { return stopped.futureResult }
        let promise = loop.makePromise(of: Void.self)
        stopped = promise
        refusalTimer?.cancel()
        reportRefused()
        for listener in listeners { listener.close(promise: nil) }
        listeners = []
        for link in inOrder() { link.close(reason: "this device shuts down") }
        if links.isEmpty { promise.succeed() }
        let force = loop.assumeIsolated().scheduleTask(in: TimeAmount(limits.shutdownTimeout)) {
            for link in self.inOrder() { link.abort("this device shuts down") }
            promise.succeed()
        }
        promise.futureResult.whenComplete { _ in force.cancel() }
        return promise.futureResult
    }

    private func inOrder() -> [Link] {
        links.values.sorted { $0.id < $1.id }
    }
}
