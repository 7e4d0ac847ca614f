package import HouseholdAgent
import Libc
package import Logging
import NIOCore
import NIOPosix
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
            try await serve(in: folder)
        } catch let error as IOError {
            throw ControlServerError(.socket, "The control socket \(path.text) cannot be made: \(error).")
        }
    }

    private func serve(in folder: SocketFolder) async throws {
        let connections = HTTPConnections()
        let socket = try await listen(connections)
        chmod(path.text, 0o600)
        folder.unlock()
        await withTaskCancellationOrGracefulShutdownHandler {
            await onRunning()
            await accept(connections)
        } onCancelOrGracefulShutdown: {
            socket.close(promise: nil)
            connections.finish()
        }
        try? await socket.closeFuture.get()
    }

    private func listen(_ connections: HTTPConnections) async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { [admits, logger] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(PeerCheck(admits: admits, logger: logger))
                    try connections.prepare(channel)
                }
            }
            .bind(unixDomainSocketPath: path.text).get()
    }

    /// Takes connections until there are no more, each in a task of its own, and waits for their ends.
    private func accept(_ connections: HTTPConnections) async {
        await withTaskGroup(of: Void.self) { group in
            var count = 0
            for await connection in connections.arrived {
                // The tasks that are counted are those that were not waited for; many of them may have ended.
                if count == Self.connectionLimit {
                    await group.next()
                    count -= 1
                }
                group.addTask { await serve(connection) }
                count += 1
            }
        }
    }

    /// One connection. What goes wrong with it ends it alone.
    private func serve(_ channel: any Channel) async {
        do {
            let connection = try await HTTPConnections.open(channel)
            try await connection.executeThenClose { inbound, outbound in
                try await ControlExchange(channel: channel, submit: submit).run(inbound, outbound)
            }
        } catch {
            logger.debug("a connection of the control socket ended early", metadata: ["why": "\(error)"])
        }
    }
}
