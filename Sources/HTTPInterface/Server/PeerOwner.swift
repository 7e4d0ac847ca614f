import Libc
import Logging
import NIOCore

/// Refuses connections of other users of this machine, who could otherwise try codes, or take one that they saw in the
/// list of processes. Linux tells whose a connection is; elsewhere the secrets alone keep others out.
enum PeerOwner {
    static func isAdmitted(_ channel: any Channel, _ logger: Logger) -> Bool {
        guard let client = end(channel.remoteAddress), let server = end(channel.localAddress) else { return false }
        switch TCPTable.read().owner(of: client, talkingTo: server) {
        // Root can do anything to the agent anyway.
        case .user(let user) where user == geteuid() || user == 0: return true
        case .user(let user):
            logger.warning("a connection of another user to the page was refused", metadata: ["uid": "\(user)"])
            return false
        case .nobody: return false
        case .unknown: return true
        }
    }

    private static func end(_ address: SocketAddress?) -> TCPTable.End? {
        guard let address, let ip = address.ipAddress, let port = address.port else { return nil }
        return TCPTable.End(ip: ip, port: port)
    }
}
