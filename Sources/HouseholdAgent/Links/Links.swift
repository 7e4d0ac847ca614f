import MergeCore
import SyncProtocol

/// A link with the connection it runs over. A class, so that the noncopyable link can stand in a dictionary; only
/// ``Links`` changes it.
final class LiveLink {
    let peerKey: DeviceKey
    let remote: PeerAddress
    let dialled: Bool
    let opened: Int64
    fileprivate(set) var link: PeerLink

    init(peerKey: DeviceKey, remote: PeerAddress, dialled: Bool, opened: Int64, link: consuming PeerLink) {
        self.peerKey = peerKey
        self.remote = remote
        self.dialled = dialled
        self.opened = opened
        self.link = link
    }

    /// Whether the peer has said hello.
    var isUp: Bool { link.greeting != nil }

    /// Whether the peer has said hello, and was not silent for so long that nobody knows whether it is still there.
    var answers: Bool { isUp && !link.isSilent }
}

/// The links that stand, one a device, and why the last one of a device ended.
struct Links {
    /// Milliseconds after which a new connection of a device replaces the one that stands, whoever dialled.
    static let settledTime: Int64 = 2_000

    private var links: [ConnectionID: LiveLink] = [:]
    private var ends: [DeviceID: String] = [:]

    subscript(id: ConnectionID) -> LiveLink? { links[id] }

    /// All of them, in a fixed order.
    var all: [(id: ConnectionID, live: LiveLink)] { links.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

    var isEmpty: Bool { links.isEmpty }

    /// Devices that need not be dialled. One that does not answer is tried over a new connection.
    var connectedKeys: Set<[UInt8]> { Set(links.values.filter { !$0.link.isSilent }.map(\.peerKey.bytes)) }

    /// The links whose other end answers.
    var answering: Set<ConnectionID> { Set(links.filter { $0.value.answers }.keys) }

    /// When a link has something to do at the earliest.
    var deadline: Int64? { links.values.compactMap { $0.link.deadline }.min() }

    func link(to key: DeviceKey) -> LiveLink? { links.values.first { $0.peerKey == key && $0.isUp } }

    func answeringLink(to key: DeviceKey) -> LiveLink? { links.values.first { $0.peerKey == key && $0.answers } }

    /// Why the last link to a device ended; `nil` where none did, or one stands.
    func lastEnd(of device: DeviceID) -> String? { ends[device] }

    // MARK: Coming and going

    /// What to do about a new connection of a device.
    enum Room {
        case free
        /// This link stands in its way.
        case taken(by: ConnectionID)
        /// The link that stands is to stay.
        case refused
    }

    /// Both sides may dial at once. Of two connections that come up together the one dialled by the smaller key stays;
    /// later on the newer one does, because its maker had a reason.
    func room(for peer: DeviceKey, dialled: Bool, by me: [UInt8], now: Int64) -> Room {
        guard let (id, old) = links.first(where: { $0.value.peerKey == peer }) else { return .free }
        if now - old.opened < Self.settledTime, old.dialled != dialled {
            let dialledByUs = me.lexicographicallyPrecedes(peer.bytes)
            guard dialled == dialledByUs else { return .refused }
        }
        return .taken(by: id)
    }

    mutating func open(_ id: ConnectionID, _ live: LiveLink) { links[id] = live }

    /// The peer has said hello.
    mutating func greeted(_ device: DeviceID) { ends[device] = nil }

    /// A link is gone; returns it where it stood.
    mutating func close(_ id: ConnectionID, _ reason: String) -> LiveLink? {
        guard let live = links.removeValue(forKey: id) else { return nil }
        ends[live.peerKey.id] = reason
        return live
    }

    mutating func closeAll() { links = [:] }

    // MARK: Talking

    /// Lets a link say or take something; none where it is gone.
    mutating func with(_ id: ConnectionID, _ body: (inout PeerLink) -> [LinkAction]) -> [LinkAction] {
        guard let live = links[id] else { return [] }
        return body(&live.link)
    }

    /// The links that have something to do by now.
    func due(now: Int64) -> [ConnectionID] {
        all.filter { entry in entry.live.link.deadline.map { $0 <= now } == true }.map(\.id)
    }
}
