import DiskStore
import HouseholdAgent
import LANDiscovery
import Logging
import RuleFile
import ServiceLifecycle
import UnixSignals

/// Runs the agent's host as a service. At shutdown the machine ends its links properly first.
struct AgentService: Service {
    let host: AgentHost

    func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await host.run() }
            try? await gracefulShutdown()
            await host.stop()
        }
    }
}

/// Publishes this device and looks for others while the agent runs.
struct DiscoveryService: Service {
    let discovery: LANDiscovery
    let host: AgentHost

    func run() async throws {
        let host = host
        await cancelWhenGracefulShutdown {
            await discovery.run(announcements: host.announcements) { host.post(.discovery($0)) }
        }
    }
}

/// Starts the machine once commands can reach the agent, and reports that it is ready.
struct Announcer: Sendable {
    let host: AgentHost
    let port: UInt16?
    let ready: @Sendable (AgentHost, AgentReady) -> Void

    func announce() async { ready(host, await host.start(port: port)) }
}

/// Reads `config.yaml` again at every SIGHUP. A file that is wrong changes nothing.
struct ConfigurationService: Service {
    let home: HearthHome
    /// The setting from the command line, which takes precedence over the file; `nil` for none.
    let sharesBackups: [String]?
    let keepsBackups: Bool?
    let host: AgentHost
    let logger: Logger

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            do {
                let device = try DeviceConfiguration(of: home)
                host.post(
                    .configured(
                        processes: device.processes, sharesBackups: sharesBackups ?? device.sharesBackups,
                        keepsBackupsOfOthers: keepsBackups ?? device.keepsBackupsOfOthers))
                logger.notice("the configuration was read anew")
            } catch {
                logger.warning("the configuration stays as it was", metadata: ["why": "\(error)"])
            }
        }
    }
}

/// Tells the service manager, as often as it asked for, that the agent still takes events; and when it begins to stop.
///
/// An agent that is busy with one event after the other is alive, also where it is never free between two looks. Only one
/// that is still at the event of the look before is not.
struct WatchdogService: Service {
    let manager: ServiceManager
    let host: AgentHost

    func run() async throws {
        let (manager, host) = (manager, host)
        await cancelWhenGracefulShutdown {
            guard let beat = manager.beat else { return }
            var former: UInt64?
            repeat {
                let present = host.presentEvent
                if present == nil || present != former { manager.tell(.alive) }
                former = present
                try? await Task.sleep(for: beat)
            } while !Task.isCancelled
        }
        try? await gracefulShutdown()
        manager.tell(.stopping)
    }
}

/// Ends the agent once its home is gone. A second agent, which could begin there under another key, would take what this
/// one writes into the saves for play.
///
/// It ends well, so that no service manager starts it again at once: that would make a new home where the player may be
/// about to put the old one back.
struct HomeService: Service {
    let home: String
    let lock: HomeLock
    let logger: Logger
    private static let interval = Duration.seconds(15)

    func run() async throws {
        let (home, lock, logger) = (home, lock, logger)
        await cancelWhenGracefulShutdown {
            await Looks.wait(every: Self.interval) { !lock.isInPlace }
            guard !Task.isCancelled else { return }
            let next = "put it back, or start the agent again as a new device"
            logger.error("\(home) was deleted or moved, with this device's key and record; \(next)")
        }
    }
}

/// Lets go of the memory that nothing idle needs: soon after the start, and then from time to time, since commands and
/// syncs bring some back. After a start the agent is busy for longer the more saves it keeps (their files, their daily
/// backups), so the first intervals are short.
struct MemoryService: Service {
    let record: SQLiteRecord
    private static let intervals: [Duration] = [20, 20, 40, 80, 160, 320].map { .seconds($0) }
    private static let last = Duration.seconds(600)

    func run() async throws {
        #if os(Linux) && (arch(x86_64) || arch(arm64))
            let record = record
            await cancelWhenGracefulShutdown {
                var intervals = Self.intervals.makeIterator()
                while (try? await Task.sleep(for: intervals.next() ?? Self.last)) != nil {
                    record.freeMemory()
                    UnusedPages.letGo()
                }
            }
        #endif
        try? await gracefulShutdown()
    }
}

/// Ends the whole agent when `due` returns.
struct EndService: Service {
    let due: @Sendable () async -> Void

    func run() async throws { await due() }
}
