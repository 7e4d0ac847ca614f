import ControlPage
import HouseholdAgent
import LANDiscovery
import Logging
import ServiceLifecycle

/// Runs the machine's shell as a service.
struct AgentService: Service {
    let host: AgentHost
    let port: UInt16
    let socket: String
    let ready: @Sendable (AgentReady) -> Void

    func run() async throws {
        let report = await host.start(port: port)
        try await ControlClient(socketPath: socket).waitUntilReachable()
        ready(report)
        await withGracefulShutdownHandler {
            await host.run()
        } onGracefulShutdown: {
            host.postStop()
        }
    }
}

/// Publishes this device and looks for others, while the agent runs.
struct DiscoveryService: Service {
    let discovery: LANDiscovery
    let host: AgentHost
    let inbox: AgentInbox

    func run() async throws {
        let (announcements, inbox) = (host.announcements, inbox)
        try await cancelWhenGracefulShutdown {
            await discovery.run(announcements: announcements) { inbox.post(.discovery($0)) }
        }
    }
}
