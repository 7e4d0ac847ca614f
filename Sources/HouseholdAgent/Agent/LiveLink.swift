import SyncProtocol

/// A link with the connection it runs over. A class, so that the noncopyable link can stand in a dictionary; it never
/// leaves the machine.
final class LiveLink {
    let peerKey: DeviceKey
    let remote: PeerAddress
    let dialled: Bool
    let opened: Int64
    var link: PeerLink
    var forms = LinkForms()

    init(peerKey: DeviceKey, remote: PeerAddress, dialled: Bool, opened: Int64, link: consuming PeerLink) {
        self.peerKey = peerKey
        self.remote = remote
        self.dialled = dialled
        self.opened = opened
        self.link = link
    }

    /// Whether the peer has said hello.
    var isUp: Bool { link.greeting != nil }
}
