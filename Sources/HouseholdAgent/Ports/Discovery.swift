/// An address at which a device can be dialled.
///
/// `host` is a numeric IPv4 or IPv6 address (an IPv6 link-local one carries its scope, `fe80::1%eth0`) or a name that
/// the user typed.
package struct PeerAddress: Hashable, Sendable, CustomStringConvertible {
    package var host: String
    package var port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    package var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

/// The DNS-SD instance that this device publishes under `_hearth._tcp` (RFC 6763).
///
/// It holds no data of profiles: an instance name that is random per start, the port, and TXT strings.
package struct ServiceAnnouncement: Hashable, Sendable {
    /// The instance name: random per start, so that a laptop cannot be followed from network to network. At most 63
    /// bytes.
    package var instance: String
    package var port: UInt16
    /// TXT strings; each `key=value` at most 255 bytes (RFC 6763, section 6.1).
    package var txt: [String: String]
    /// Tells the household's instances from others, so that a backend gives its places to them first. Not published.
    package var household: TagReader
    /// Goes up by one whenever this device is to find out anew whether it sees this announcement: multicast may have
    /// stopped since. ``DiscoveryEvent/seesItself(_:)`` or ``DiscoveryEvent/trouble(_:isUnseen:command:)`` is the answer.
    /// Not published.
    package var looks = 0

    package init(instance: String, port: UInt16, txt: [String: String], household: TagReader = TagReader()) {
        self.instance = instance
        self.port = port
        self.txt = txt
        self.household = household
    }
}

/// An event that a discovery backend reports. Discovery is only a hint: TLS proves whether a device is there and which
/// one it is.
package enum DiscoveryEvent: Hashable, Sendable {
    /// An instance was seen and resolved; also sent again whenever its addresses or TXT change.
    case found(instance: String, addresses: [PeerAddress], txt: [String: String])
    /// The instance is no longer announced.
    case lost(instance: String)
    /// A backend now carries discovery: its name (`system`, `embedded`) and the interfaces it is restricted to
    /// (empty: all).
    case running(backend: String, interfaces: [String])
    /// Whether this device has seen its own announcement: false where it had not after some seconds, or where another
    /// device holds its name. Then nobody else sees it either, and another name may help. Unknown again after the next
    /// `running`, and after a `trouble` of another kind.
    case seesItself(Bool)
    /// One sentence about why discovery does not work at the moment, and what to do; the backend goes on trying.
    /// `isUnseen`: that is because this device has not seen its own announcement. `command`: the one to begin with.
    case trouble(String, isUnseen: Bool = false, command: String? = nil)
}
