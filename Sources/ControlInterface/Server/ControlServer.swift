package import HouseholdAgent
import Hummingbird
import Libc
package import Logging
import NIOCore
import ServiceLifecycle

/// Serves the control interface on a Unix socket, for this user and root only.
///
/// At graceful shutdown it accepts no more connections, and open requests end with a failure.
package struct ControlServer: Service {
    private let path: SocketPath
    private let logger: Logger
    private let onRunning: @Sendable () async -> Void
    private let submit: @Sendable (any AgentRequest) -> AsyncStream<AgentReply>
    private let admits: @Sendable (uid_t) -> Bool

    /// The most connections at once; further ones wait.
    private static let connectionLimit = 64
    /// How long a connection may take to send its request.
    private static let idleTime = TimeAmount.seconds(30)

    /// - Parameters:
    ///   - socketPath: An absolute path; see ``fits(_:)``. Its folder is made where it is missing.
    ///   - onRunning: Called when connections are accepted.
    ///   - submit: Gives a request to the agent. The stream is terminated when the client is gone.
    package init(
        socketPath: String,
        logger: Logger,
        onRunning: @escaping @Sendable () async -> Void = {},
        submit: @escaping @Sendable (any AgentRequest) -> AsyncStream<AgentReply>
    ) {
        self.init(
            socketPath: socketPath,
            logger: logger,
            onRunning: onRunning,
            admits: PeerCheck.isOwnerOrRoot,
            submit: submit
        )
    }

    init(
        socketPath: String,
        logger: Logger,
        onRunning: @escaping @Sendable () async -> Void = {},
        admits: @escaping @Sendable (uid_t) -> Bool,
        submit: @escaping @Sendable (any AgentRequest) -> AsyncStream<AgentReply>
    ) {
        path = SocketPath(text: socketPath)
        self.logger = logger
        self.onRunning = onRunning
        self.admits = admits
        self.submit = submit
    }

    /// Whether a path is short enough for a Unix socket (103 bytes).
    package static func fits(_ path: String) -> Bool { SocketPath.fits(path) }

    /// Serves until graceful shutdown or cancellation, then removes the socket.
    ///
    /// - Throws: ``ControlServerError`` where the socket cannot be made, or not safely.
    package func run() async throws {
        guard SocketPath.fits(path.text) else {
            throw ControlServerError(.unusablePath, SocketPath.excess(path.text))
        }
        guard path.text.hasPrefix("/"), !path.text.hasSuffix("/"), !path.text.utf8.contains(0) else {
            throw ControlServerError(
                .unusablePath,
                "The control socket's path \(path.text) is no absolute path of a file."
            )
        }
        let folder = try SocketFolder(of: path)
        try folder.lock()
        try folder.removeStaleSocket()
        // At the end, remove the socket only if no agent answers on it: another agent may have started meanwhile.
        defer {
            do throws(ControlServerError) {
                try folder.lock()
                try folder.removeStaleSocket()
            } catch {
                logger.debug("the control socket was left in place", metadata: ["reason": "\(error)"])
            }
        }
        do {
            try await application(in: folder).run()
        } catch let error as IOError {
            throw ControlServerError(.socket, "The control socket \(path.text) cannot be made: \(error).")
        }
    }

    private func application(in folder: SocketFolder) -> some Service {
        let router = Router(context: ControlContext.self)
        ControlRoutes(submit: submit).add(to: router)
        return Application(
            router: router,
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [PeerCheck(admits: admits, logger: logger), DisconnectHandler()],
                    idleTimeout: Self.idleTime,
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 8 << 10,
                        maxHeaderListSize: 16 << 10,
                        maxHeaderFieldCount: 64
                    )
                )
            ),
            configuration: ApplicationConfiguration(
                address: .unixDomainSocket(path: path.text),
                availableConnectionsDelegate: .maximum(Self.connectionLimit, logger: logger)
            ),
            onServerRunning: { [path, onRunning] _ in
                chmod(path.text, 0o600)
                folder.unlock()
                await onRunning()
            },
            logger: logger
        )
    }
}
