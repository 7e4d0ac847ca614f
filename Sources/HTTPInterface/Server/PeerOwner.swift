import Libc
import NIOCore

/// Refuses connections of other users of this machine, who could otherwise try codes, or take one that they saw in the
/// list of processes. Linux tells whose a connection is; elsewhere the secrets alone keep others out.
enum PeerOwner {
    /// How often the table is read for one connection: the system lists it piece by piece, and may leave one out that is
    /// there when others come and go meanwhile.
    private static let tries = 3

    /// The owner of the other end of a connection; `nil` where the system tells that of none.
    static func owner(of channel: any Channel) -> TCPTable.Owner? {
        guard let client = end(channel.remoteAddress), let server = end(channel.localAddress) else { return .unknown }
        var owner = TCPTable.Owner.unknown
        for _ in 0..<tries where owner == .unknown {
            guard let table = TCPTable.read() else { return nil }
            owner = table.owner(of: client, talkingTo: server)
        }
        return owner
    }

    static func isAdmitted(_ owner: TCPTable.Owner?) -> Bool {
        guard let owner else { return true }
        return switch owner {
        // Root can do anything to the agent anyway.
        case .user(let user): user == geteuid() || user == 0
        case .nobody, .unknown: false
        }
    }

    private static func end(_ address: SocketAddress?) -> TCPTable.End? {
        guard let address, let ip = address.ipAddress, let port = address.port else { return nil }
        return TCPTable.End(ip: ip, port: port)
    }
}
