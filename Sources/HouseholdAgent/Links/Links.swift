import MergeCore
import SyncProtocol

/// A link together with its connection. It is a class so that the noncopyable link can be held in a dictionary; only
/// ``Links`` changes it.
final class LiveLink {
    let peerKey: DeviceKey
    let remote: PeerAddress
    let dialled: Bool
    let opened: MonotonicTime
    fileprivate(set) var link: PeerLink

    init(peerKey: DeviceKey, remote: PeerAddress, dialled: Bool, opened: MonotonicTime, link: consuming PeerLink) {
        self.peerKey = peerKey
        self.remote = remote
        self.dialled = dialled
        self.opened = opened
        self.link = link
    }

    /// Whether the peer has said hello.
    var isUp: Bool { link.greeting != nil }

    /// Whether the peer has said hello and is not silent: a silent peer may be gone.
    var answers: Bool { isUp && !link.isSilent }
}

/// The open links, at most one for each device, and the reason why the last link of a device ended.
struct Links {
    /// The time after which a new connection of a device replaces its open link, whichever side dialled.
    static let settledTime = Duration.seconds(2)

    private var links: [ConnectionID: LiveLink] = [:] {
        didSet { all = links.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
    }
    /// All links, ascending by their id.
    private(set) var all: [(id: ConnectionID, live: LiveLink)] = []
    private var ends: [DeviceID: String] = [:]

    subscript(id: ConnectionID) -> LiveLink? { links[id] }

    var isEmpty: Bool { links.isEmpty }

    /// The keys of devices that need not be dialled. A device whose link is silent is not among them: it is tried over
    /// a new connection.
    var connectedKeys: [[UInt8]] { links.values.compactMap { $0.link.isSilent ? nil : $0.peerKey.bytes } }

    /// The devices whose links answer, by the hosts at which they are.
    var hosts: [String: Set<[UInt8]>] {
        links.values.filter(\.answers).reduce(into: [:]) { $0[$1.remote.host, default: []].insert($1.peerKey.bytes) }
    }

    /// The links whose peer has said hello and is not silent, ascending.
    var answering: some Collection<ConnectionID> { all.lazy.filter(\.live.answers).map(\.id) }

    /// The earliest time at which a link has something to do.
    var deadline: MonotonicTime? { links.values.compactMap { $0.link.deadline }.min() }

    func link(to key: DeviceKey) -> LiveLink? { links.values.first { $0.peerKey == key && $0.isUp } }

    func answeringLink(to key: DeviceKey) -> LiveLink? { links.values.first { $0.peerKey == key && $0.answers } }

    /// The reason why the last link to a device ended; `nil` where none has ended, or the device has said hello since.
    func lastEnd(of device: DeviceID) -> String? { ends[device] }

    // MARK: Coming and going

    /// The decision about a new connection of a device.
    enum Room {
        case free
        /// The new connection is accepted, and this older link has to be closed first.
        case taken(by: ConnectionID)
        /// The older link stays, and the new connection is refused.
        case refused
    }

    /// Decides about a new connection, because both devices may dial at once. Of two connections within ``settledTime``
    /// that different sides dialled, the one dialled by the device with the smaller key stays. Later the newer
    /// connection stays, because its maker had a reason to dial.
    func room(for peer: DeviceKey, dialled: Bool, by me: [UInt8], now: MonotonicTime) -> Room {
        guard let (id, old) = links.first(where: { $0.value.peerKey == peer }) else { return .free }
        if now - old.opened < Self.settledTime, old.dialled != dialled {
            let dialledByUs = me.lexicographicallyPrecedes(peer.bytes)
            guard dialled == dialledByUs else { return .refused }
        }
        return .taken(by: id)
    }

    mutating func open(_ id: ConnectionID, _ live: LiveLink) { links[id] = live }

    /// Notes that a device has said hello on its link.
    mutating func greeted(_ device: DeviceID) { ends[device] = nil }

    /// Forgets why links ended, where it was for a reason that may not hold any more.
    mutating func forgetEnds(endingWith reason: String) { ends = ends.filter { !$0.value.hasSuffix(reason) } }

    /// Removes a link that has ended. Returns it; `nil` where it was not open.
    mutating func close(_ id: ConnectionID, _ reason: String) -> LiveLink? {
        guard let live = links.removeValue(forKey: id) else { return nil }
        ends[live.peerKey.id] = reason
        return live
    }

    mutating func closeAll() { links = [:] }

    // MARK: Talking

    /// Calls `body` with a link and returns its actions; none where the link is gone.
    mutating func with(_ id: ConnectionID, _ body: (inout PeerLink) -> [LinkAction]) -> [LinkAction] {
        guard let live = links[id] else { return [] }
        return body(&live.link)
    }

    /// The unfolded size, in bytes, of the deltas that came over a link since the last call; 0 for a connection that is no
    /// link. See ``PeerLink/takeUnfolded()``.
    func takeUnfolded(of id: ConnectionID) -> Int { links[id]?.link.takeUnfolded() ?? 0 }

    /// The links whose deadline has come.
    func due(now: MonotonicTime) -> [ConnectionID] {
        all.filter { entry in entry.live.link.deadline.map { $0 <= now } == true }.map(\.id)
    }
}
