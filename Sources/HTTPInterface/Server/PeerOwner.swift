import Libc
import NIOCore

/// Refuses connections of other users of this machine, who could otherwise try codes, or take one that they saw in the
/// list of processes. Linux tells whose a connection is; elsewhere the secrets alone keep others out.
enum PeerOwner {
    /// How often the table is read for one connection: the system lists it piece by piece, and may leave out either end
    /// that is there when others come and go meanwhile. Only what every reading leaves out counts as not there.
    private static let tries = 4

    /// The owner of the other end of a connection; `nil` where the system tells that of none.
    static func owner(of channel: any Channel) -> TCPTable.Owner? {
        guard let client = end(channel.remoteAddress), let server = end(channel.localAddress) else { return .unknown }
        return SocketQuery.owner(of: client, talkingTo: server)
            ?? owner(of: client, talkingTo: server, reading: TCPTable.read)
    }

    /// The owner of a client's end, by the first table that lists it.
    static func owner(
        of client: TCPTable.End, talkingTo server: TCPTable.End, reading: () -> TCPTable?
    ) -> TCPTable.Owner? {
        var owner = TCPTable.Owner.unknown
        for _ in 0..<tries {
            guard let table = reading() else { return nil }
            switch table.owner(of: client, talkingTo: server) {
            case .user(let user): return .user(user)
            case .nobody: owner = .nobody
            case .unknown: continue
            }
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
