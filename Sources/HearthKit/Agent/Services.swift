import HouseholdAgent
import LANDiscovery
import ServiceLifecycle

/// Runs the machine's shell as a service; at graceful shutdown the machine says goodbye first.
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

/// Publishes this device and looks for others, while the agent runs.
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

/// Starts the machine once commands can reach it, and says so.
struct Announcer: Sendable {
    let host: AgentHost
    let port: UInt16
    let ready: @Sendable (AgentReady) -> Void

    func announce() async { ready(await host.start(port: port)) }
}
