/// A choice of `hearth agent --discovery`.
package enum DiscoveryMode: String, Sendable, CaseIterable {
    /// The system's responder while it answers, otherwise the embedded one until the system's answers again.
    case auto
    /// Only the system's responder: mDNSResponder on macOS, avahi-daemon on Linux.
    case system
    /// Only the responder inside this process (Linux).
    case embedded
    /// No discovery; devices are reached by static addresses.
    case off
}
