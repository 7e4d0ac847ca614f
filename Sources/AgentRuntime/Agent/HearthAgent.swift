import ControlInterface
import DiskStore
import HouseholdAgent
import LANDiscovery
import LANTransport
import Libc
package import Logging
import NIOCore
import ProfileKeeping
import ServiceLifecycle
import UnixSignals

#if os(Linux)
    import CLinux
#endif

/// Runs a complete agent: state machine, disk, network and control socket.
package enum HearthAgent {
    /// Has the servers of this process share one thread, where NIO would start one for each core, and its threads one heap,
    /// where the C library would give each its own. For a program that is an agent and nothing else; call it once, before
    /// anything is served or asked.
    package static func beSmall() {
        NIOSingletons.groupLoopCountSuggestion = 1
        #if os(Linux)
            mallopt(M_ARENA_MAX, 1)
        #endif
    }

    /// Runs until SIGTERM or SIGINT, then stops within five seconds. SIGHUP reads `config.yaml` again. A service manager
    /// that started this process, such as systemd, is told when the agent is ready, that it is alive, and when it stops.
    ///
    /// - Parameters:
    ///   - page: Makes the page's server, where there is to be one.
    ///   - due: For an agent inside another program: returns when the agent shall stop. Signals are then left to the
    ///     program, and `config.yaml` is not read again.
    ///   - ready: Called once, when other devices and commands can reach the agent.
    package static func run(
        _ configuration: AgentConfiguration, logger: Logger,
        page: (@Sendable (AgentPage.Agent) -> AgentPage)? = nil, until due: (@Sendable () async -> Void)? = nil,
        ready: @escaping @Sendable (AgentReady) -> Void
    ) async throws {
        try await compose(configuration, logger: logger, page: page, until: due) { ready($1) }
    }

    /// Runs an agent, and passes its host to `announced`, for requests from within this process.
    static func compose(
        _ configuration: AgentConfiguration, logger: Logger,
        page: (@Sendable (AgentPage.Agent) -> AgentPage)? = nil, until due: (@Sendable () async -> Void)?,
        up announced: @escaping @Sendable (AgentHost, AgentReady) -> Void
    ) async throws {
        let home = configuration.home.path
        try HomeFolder.create(home)
        let lock = try await HomeLock.take(home, as: .agent)
        StagedBytes.sweep(home)
        defer { withExtendedLifetime(lock) {} }
        let credentials = try DeviceCredentials.loadOrCreate(in: home)
        let inbox = AgentInbox()
        let transport = LANTransport(credentials: credentials, logger: logger) { inbox.post(.transport($0)) }
        // The game in whose process the agent runs writes its files itself. A process watch could not distinguish it
        // from the agent.
        let isGame = due != nil
        let probe =
            isGame ? nil : WriterProbe(look: UserProcesses.writers) { inbox.post(.writer(path: $0, $1)) }
        let watcher = try FolderWatcher(logger: logger, probe: probe) { inbox.post(.file(path: $0, $1)) }
        let host = try AgentHost(
            configuration: configuration, credentials: credentials, transport: transport, watcher: watcher,
            openWatch: isGame ? NoOpenWatch() : SystemOpens.watch(), inbox: inbox, logger: logger)
        defer { RecordIncarnation.end(home: home) }
        do {
            let port =
                configuration.usesNetwork
                ? try await transport.listen(port: configuration.port, host: configuration.host) : nil
            // The manager waits for word of the program itself; a game says that in its own way.
            let manager =
                isGame ? nil : ServiceManager(environment: SystemEnvironment.all, process: getpid())
            let started = AsyncStream.makeStream(of: Void.self)
            let up = Announcer(host: host, port: port) {
                manager?.tell(.ready)
                announced($0, $1)
                started.continuation.finish()
            }
            let control = ControlServer(
                socketPath: configuration.home.socketHere, logger: logger, onRunning: { await up.announce() }
            ) { host.submit($0) }
            let discovery = LANDiscovery(
                mode: configuration.usesNetwork ? configuration.discovery : .off, interfaces: configuration.interfaces,
                logger: logger)
            var services: [ServiceGroupConfiguration.ServiceConfiguration] = [
                .init(service: AgentService(host: host)), .init(service: control),
                .init(service: DiscoveryService(discovery: discovery, host: host)),
                .init(service: RecordCheckService(record: host.record, start: started.stream)),
            ]
            if let due {
                services.append(
                    .init(service: EndService(due: due), successTerminationBehavior: .gracefullyShutdownGroup))
            } else {
                services.append(
                    .init(
                        service: ConfigurationService(
                            home: configuration.home, sharesBackups: configuration.sharesBackups,
                            keepsBackups: configuration.keepsBackupsOfOthers, host: host, logger: logger)))
                services.append(.init(service: MemoryService(record: host.record)))
                services.append(
                    .init(
                        service: HomeService(home: home, lock: lock, logger: logger),
                        successTerminationBehavior: .gracefullyShutdownGroup))
            }
            var isSeen: @Sendable () -> Bool = { false }
            if let page {
                let agent = AgentPage.Agent(
                    home: configuration.home, logger: logger, counters: { host.counters }, submit: { host.submit($0) })
                let served = page(agent)
                host.has(served.open)
                isSeen = served.isSeen
                services.append(.init(service: served.service))
            }
            if due == nil, let desktop = Desktop(SystemEnvironment.all) {
                services.append(.init(service: QuestionService(desktop: desktop, host: host, isSeen: isSeen)))
            }
            if let manager { services.append(.init(service: WatchdogService(manager: manager, host: host))) }
            var group = ServiceGroupConfiguration(
                services: services, gracefulShutdownSignals: due == nil ? [.sigterm, .sigint] : [], logger: logger)
            group.maximumGracefulShutdownDuration = .seconds(4)
            try await ServiceGroup(configuration: group).run()
        } catch {
            watcher.stop()
            await transport.shutdown()
            throw error
        }
        watcher.stop()
        await transport.shutdown()
    }
}
