package import HouseholdAgent
package import LANDiscovery

/// What one agent is started with.
package struct AgentConfiguration: Sendable {
    package var home: HearthHome
    /// What people call this device; the host's name where nothing is given.
    package var deviceName: String?
    /// 0 lets the system choose.
    package var port: UInt16 = 0
    /// A numeric address to listen on; all of them where nothing is given.
    package var host: String?
    package var discovery = DiscoveryMode.auto
    /// Network interfaces that discovery is restricted to; empty: all.
    package var interfaces: [String] = []
    /// Devices to dial whether they are discovered or not.
    package var peers: [PeerAddress] = []
    /// Whether other devices are reached at all: without, nothing listens, nothing is published, nobody is dialled.
    package var usesNetwork = true
    /// Whether this device's daily backups may be copied; where nothing is given, what `config.yaml` says.
    package var sharesBackups: Bool?
    /// Whether copies of other devices' daily backups are kept; where nothing is given, what `config.yaml` says.
    package var keepsBackupsOfOthers: Bool?

    package init(home: HearthHome) { self.home = home }
}

/// What an agent says once it is up.
package struct AgentReady: Codable, Sendable {
    /// The device's id.
    package var device: String
    package var name: String
    package var port: Int
    package var discovery: String
    /// Names of profiles whose file or record a crash had left half way.
    package var recovered: [String]
}
