package import HouseholdAgent
package import Logging
import NIOCore
import NIOPosix
import Synchronization

/// TCP connections with mutual TLS 1.3 between devices. It takes the agent's actions and reports events to it.
///
/// TLS admits every peer with a self-signed P-256 or Ed25519 certificate. The agent decides by the peer's key whether
/// to admit the connection, on ``TransportEvent/opened(_:purpose:peerKey:remote:dialled:)``; nothing is read before
/// that.
///
/// All work is done on one event loop with one thread. Call ``shutdown()`` before releasing a transport.
package final class LANTransport: Sendable {
    private struct Inbox {
        var actions: [TransportAction] = []
        var isScheduled = false
        var isShut = false
    }

    private let group: MultiThreadedEventLoopGroup
    private let loop: any EventLoop
    private let limits: TransportLimits
    private let hub: NIOLoopBoundBox<TransportHub>
    private let inbox = Mutex(Inbox())

    /// Starts the event loop. Nothing is sent or received before ``listen(port:host:)`` or a dial.
    ///
    /// - Parameters:
    ///   - random: Chooses which connection is closed when too many wait to be admitted.
    ///   - report: Called on the event loop, in order, one event at a time. Nothing is read while it runs, so it should
    ///     only pass the event on.
    package init(
        credentials: DeviceCredentials,
        logger: Logger,
        limits: TransportLimits = .init(),
        random: sending any RandomNumberGenerator = SystemRandomNumberGenerator(),
        report: @escaping @Sendable (TransportEvent) -> Void
    ) {
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        loop = group.next()
        self.limits = limits
        let hub = TransportHub(
            loop: loop,
            contexts: TLSContexts(credentials: credentials, limits: limits),
            limits: limits,
            logger: logger,
            random: random,
            sink: report
        )
        self.hub = NIOLoopBoundBox.makeBoxSendingValue(hub, eventLoop: loop)
    }

    /// Listens for connections.
    ///
    /// - Parameters:
    ///   - port: The TCP port; 0 lets the system choose.
    ///   - host: A numeric address of this device; `nil` for all addresses, IPv4 and IPv6.
    /// - Returns: The port on which it listens.
    /// - Throws: ``TransportError`` with a sentence that says what to do.
    package func listen(port: UInt16, host: String? = nil) async throws(TransportError) -> UInt16 {
        if let host { return try await bind(to: host, port: port) }
        do {
            return try await bind(to: "::", port: port)
        } catch {
            guard error.code == .addressUnavailable else { throw error }
            // The system has no IPv6.
            return try await bind(to: "0.0.0.0", port: port)
        }
    }

    /// Performs an action of the agent. Returns at once; actions are performed in the order of the calls.
    ///
    /// An action for a connection that has ended is ignored: the agent sent it before it knew of the end.
    package func perform(_ action: TransportAction) {
        let mustSchedule = inbox.withLock { inbox in
            if inbox.isShut { return false }
            inbox.actions.append(action)
            defer { inbox.isScheduled = true }
            return !inbox.isScheduled
        }
        if mustSchedule { loop.execute { self.drain() } }
    }

    /// Closes everything and ends the event loop, within two seconds. Queued bytes are sent where possible.
    ///
    /// When this returns, the last event of every connection has been reported. Later actions are ignored.
    package func shutdown() async {
        let isFirst = inbox.withLock { inbox in
            defer { inbox.isShut = true }
            return !inbox.isShut
        }
        guard isFirst else { return }
        let stopped = loop.flatSubmit {
            self.drain()
            return self.hub.value.stop()
        }
        // Both fail only where the loop has already ended, and then nothing is left to do.
        try? await stopped.get()
        try? await group.shutdownGracefully()
    }

    private func drain() {
        let actions = inbox.withLock { inbox in
            defer {
                inbox.actions = []
                inbox.isScheduled = false
            }
            return inbox.actions
        }
        hub.value.perform(actions)
    }

    private func bind(to host: String, port: UInt16) async throws(TransportError) -> UInt16 {
        let place = PeerAddress(host: host, port: port)
        guard let address = PeerAddress.numeric(host: host, port: port) else {
            throw TransportError(
                code: .badAddress,
                message: "Cannot listen on \"\(host)\": it is no numeric address of this device; "
                    + "give one, or none to listen on all."
            )
        }
        if inbox.withLock({ $0.isShut }) { throw Self.shutDown }
        let hub = hub
        var bootstrap = ServerBootstrap(group: loop)
            .serverChannelOption(.backlog, value: 128)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.socketOption(.so_keepalive), value: 1)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.recvAllocator, value: TransportHub.allocator(limits))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try hub.value.accept(channel) }
            }
        if host == "::" {
            // One socket for both address families, whatever the system's default is.
            let both = ChannelOptions.Types.SocketOption(level: .ipv6, name: .ipv6_v6only)
            bootstrap = bootstrap.serverChannelOption(both, value: 0)
        }
        do {
            let listener = try await bootstrap.bind(to: address).get()
            let isKept = try await loop.submit { hub.value.keep(listener) }.get()
            guard isKept, let bound = listener.localAddress?.port else {
                listener.close(promise: nil)
                throw Self.shutDown
            }
            return UInt16(clamping: bound)
        } catch {
            throw Self.explain(error, place)
        }
    }

    private static let shutDown = TransportError(code: .shutDown, message: "The transport is shut down.")
}
