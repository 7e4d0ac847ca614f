import AgentRuntime
import ArgumentParser
import HouseholdAgent
import LANDiscovery

/// The options for how an agent reaches other devices and is reached.
struct AgentOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The port to listen on (0: any).", valueName: "port"))
    var port: UInt16 = 0

    @Option(help: ArgumentHelp("The numeric address to listen on (else all).", valueName: "address"))
    var host: String?

    @Option(help: "How to find the other machines.")
    var discovery: DiscoveryMode = .auto

    @Option(
        name: .customLong("interface"),
        parsing: .singleValue,
        help: ArgumentHelp("Look only on this network interface; may be repeated.", valueName: "name")
    )
    var interfaces: [String] = []

    @Option(
        name: .customLong("peer"),
        parsing: .singleValue,
        help: ArgumentHelp("A machine to reach without looking for it; may be repeated.", valueName: "host:port")
    )
    var peers: [PeerAddress] = []

    func validate() throws {
        if interfaces.contains("") { throw ValidationError("--interface is empty; name one, such as eth0.") }
    }

    /// The options as words of a command line; none for those that are as they are without any.
    var words: [String] {
        var words: [String] = []
        if port != 0 { words += ["--port", "\(port)"] }
        if let host { words += ["--host", host] }
        if discovery != .auto { words += ["--discovery", discovery.rawValue] }
        for name in interfaces { words += ["--interface", name] }
        for peer in peers { words += ["--peer", "\(peer)"] }
        return words
    }

    func configuration(_ home: HearthHome) -> AgentConfiguration {
        var configuration = AgentConfiguration(home: home)
        configuration.port = port
        configuration.host = host
        configuration.discovery = discovery
        configuration.interfaces = interfaces
        configuration.peers = peers
        return configuration
    }
}
