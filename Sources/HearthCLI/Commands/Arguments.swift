import ArgumentParser
import HouseholdAgent
import LANDiscovery

extension PeerAddress: ExpressibleByArgument {
    /// Parses `host:port`, or `[address]:port` for IPv6.
    public init?(argument: String) { self.init(parsing: argument) }
}

extension DiscoveryMode: ExpressibleByArgument {}
