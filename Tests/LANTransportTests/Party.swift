import HouseholdAgent
import LANTransport
import Libc
import Logging
import Synchronization
import TestSupport

extension TransportLimits {
    /// Limits that a busy machine does not reach; a test sets those that it is about.
    static var patient: TransportLimits {
        var limits = TransportLimits()
        (limits.connectTimeout, limits.handshakeTimeout) = (.seconds(240), .seconds(240))
        (limits.admissionTimeout, limits.drainTimeout) = (.seconds(240), .seconds(240))
        limits.refusalInterval = .seconds(600)
        return limits
    }
}

/// A transport with a key of its own in a folder of its own, and the record of its events.
struct Party {
    let credentials: DeviceCredentials
    let transport: LANTransport
    let recorder: Recorder

    /// - Parameter resumes: Whether a connection that paused is read on at once, as by an agent that keeps up.
    init(
        limits: TransportLimits = .patient, resumes: Bool = true,
        random: sending any RandomNumberGenerator = SystemRandomNumberGenerator()
    ) throws {
        credentials = try withFolder { folder in try DeviceCredentials.loadOrCreate(in: folder) }
        let recorder = Recorder()
        self.recorder = recorder
        let itself = Holder()
        transport = LANTransport(
            credentials: credentials,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
            limits: limits,
            random: random
        ) { event in
            recorder.record(event)
            if case .paused(let id) = event, resumes { itself.resume(id) }
        }
        itself.hold(transport)
    }

    /// Runs `body` and shuts the transport down whatever happens.
    func use<Result>(_ body: (Party) async throws -> Result) async throws -> Result {
        do {
            let result = try await body(self)
            await transport.shutdown()
            return result
        } catch {
            await transport.shutdown()
            throw error
        }
    }

    func dial(_ id: UInt64 = 1, port: UInt16, host: String = "127.0.0.1", _ purpose: LinkPurpose = .sync)
        -> ConnectionID
    {
        let id = ConnectionID(rawValue: id)
        transport.perform(.dial(id, PeerAddress(host: host, port: port), purpose))
        return id
    }
}

/// A transport that its own events act on.
private final class Holder: Sendable {
    private let transport = Mutex<WeakTransport>(WeakTransport())

    private struct WeakTransport { weak var value: LANTransport? }

    func hold(_ transport: LANTransport) { self.transport.withLock { $0.value = transport } }

    func resume(_ id: ConnectionID) { transport.withLock { $0.value }?.perform(.resume(id)) }
}

/// A server and a client, the server listening on IPv4 loopback.
func withPair(
    server: TransportLimits = .patient,
    client: TransportLimits = .patient,
    _ body: (_ server: Party, _ client: Party, _ port: UInt16) async throws -> Void
) async throws {
    try await Party(limits: server).use { server in
        try await Party(limits: client).use { client in
            let port = try await server.transport.listen(port: 0, host: "127.0.0.1")
            try await body(server, client, port)
        }
    }
}

/// A new folder, removed with the files that a test puts there.
func withFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = TemporaryFolder()
    return try withExtendedLifetime(folder) { try body(folder.path) }
}
