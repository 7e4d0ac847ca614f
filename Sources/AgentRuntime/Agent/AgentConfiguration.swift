package import HouseholdAgent
package import LANDiscovery

/// The settings an agent is started with.
package struct AgentConfiguration: Sendable {
    package var home: HearthHome
    /// The name of this device for people; `nil` for the host's name.
    package var deviceName: String?
    /// The TCP port to listen on; 0 lets the system choose one.
    package var port: UInt16 = 0
    /// The numeric address to listen on; `nil` for all of them.
    package var host: String?
    package var discovery = DiscoveryMode.auto
    /// The network interfaces discovery uses; empty for all of them.
    package var interfaces: [String] = []
    /// Devices to dial, whether or not they are discovered.
    package var peers: [PeerAddress] = []
    /// Whether the agent talks to other devices. If not, it does not listen, publishes nothing and dials nobody.
    package var usesNetwork = true
    /// The names or ids of the devices that may copy this device's daily backups; `nil` for the setting in
    /// `config.yaml`.
    package var sharesBackups: [String]?
    /// Whether this device keeps copies of other devices' daily backups; `nil` for the setting in `config.yaml`.
    package var keepsBackupsOfOthers: Bool?

    package init(home: HearthHome) { self.home = home }
}

/// What an agent reports when it is ready.
package struct AgentReady: Codable, Sendable {
    /// The device's id.
    package var device: String
    package var name: String
    package var port: Int
    package var discovery: String
    /// Names of profiles whose file or record a crash had left half written, and which were recovered.
    package var recovered: [String]
}
