import HouseholdAgent
import NIOCore

/// Which connections do not leave this machine.
enum OwnMachine {
    /// Whether both ends of a connection are on this machine.
    ///
    /// Mostly the system takes a machine's own address for both ends of a connection to itself (RFC 6724, section 5, rule
    /// 1), but not for the further ones of the loopback network (127.0.1.1) and of an interface.
    static func holds(_ local: SocketAddress?, _ remote: SocketAddress?) -> Bool {
        let (local, remote) = (PeerAddress(local).host, PeerAddress(remote).host)
        if local == remote || isLoopback(local) || isLoopback(remote) { return true }
        let devices = (try? System.enumerateDevices()) ?? []
        return devices.contains { $0.address.map { PeerAddress($0).host } == remote }
    }

    private static func isLoopback(_ host: String) -> Bool { host == "::1" || host.hasPrefix("127.") }
}
