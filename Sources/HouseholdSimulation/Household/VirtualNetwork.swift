import HouseholdAgent
import MergeCore

/// A simulated connection between two devices.
struct VirtualConnection {
    struct End: Hashable {
        var device: Int
        var id: ConnectionID
    }

    let dialler: End
    let listener: End
    let purpose: LinkPurpose
    /// Bytes that wait until the receiving end admits the connection.
    fileprivate var held: [End: [[UInt8]]] = [:]
    fileprivate var admitted: Set<End> = []
    /// Bytes that did not get through a muted network, in their order.
    fileprivate var late: [(end: End, bytes: [UInt8])] = []
    /// The earliest arrival of the next bytes at an end: it keeps the order of a stream.
    fileprivate var free: [End: MonotonicTime] = [:]

    fileprivate init(dialler: End, listener: End, purpose: LinkPurpose) {
        (self.dialler, self.listener, self.purpose) = (dialler, listener, purpose)
    }

    fileprivate func joins(_ pair: Set<Int>) -> Bool { pair == [dialler.device, listener.device] }

    func other(_ end: End) -> End { end == dialler ? listener : dialler }

    /// The way of what comes to an end.
    fileprivate func route(to end: End) -> VirtualNetwork.Route {
        VirtualNetwork.Route(from: other(end).device, to: end.device)
    }
}

/// The network of a simulated household: which connections there are, and between which devices bytes get through. The
/// household knows the time, and when what happens.
struct VirtualNetwork {
    typealias End = VirtualConnection.End

    /// One end of a connection that is to notice its end.
    typealias Closing = (number: Int, end: End)

    /// The way from one device to another one.
    struct Route: Hashable {
        var from: Int
        var to: Int
    }

    private var connections: [Int: VirtualConnection] = [:]
    private var ends: [End: Int] = [:]
    private var nextConnection = 1
    /// The dials under way, by the number of the connection that each is to make. They end with the agent that dialled: the
    /// next one on that device numbers its connections from the beginning.
    private var dials: [Int: End] = [:]
    /// Pairs of devices that have no network between them.
    private var parted: Set<Set<Int>> = []
    /// The ways on which nothing gets through.
    private var muted: Set<Route> = []

    /// How many messages were sent, and how many bytes they have together.
    private(set) var traffic = (messages: 0, bytes: 0)

    // MARK: Devices

    /// Ends a device's side of all its connections. Returns the other sides.
    mutating func drop(_ device: Int) -> [Closing] {
        dials = dials.filter { $0.value.device != device }
        var closing: [Closing] = []
        for (number, connection) in connections.sorted(by: { $0.key < $1.key })
        where connection.dialler.device == device || connection.listener.device == device {
            let gone = connection.dialler.device == device ? connection.dialler : connection.listener
            closing.append((number, connection.other(gone)))
            ends[gone] = nil
        }
        return closing
    }

    /// Cuts the network between two devices, or restores it. Returns the ends of the connections between them.
    mutating func part(_ pair: Set<Int>, _ isParted: Bool) -> [Closing] {
        if isParted { parted.insert(pair) } else { parted.remove(pair) }
        guard isParted else { return [] }
        var closing: [Closing] = []
        for (number, connection) in connections.sorted(by: { $0.key < $1.key }) where connection.joins(pair) {
            for end in [connection.dialler, connection.listener] where ends[end] != nil {
                closing.append((number, end))
            }
        }
        return closing
    }

    /// Lets nothing through on a way from now on.
    mutating func mute(_ route: Route) { muted.insert(route) }

    /// Lets everything through between two devices again. Returns the bytes that get through now: TCP sends them again.
    mutating func unmute(_ pair: Set<Int>) -> [(number: Int, end: End, bytes: [UInt8])] {
        muted = muted.filter { Set([$0.from, $0.to]) != pair }
        var late: [(number: Int, end: End, bytes: [UInt8])] = []
        for (number, connection) in connections.sorted(by: { $0.key < $1.key }) where connection.joins(pair) {
            late += connection.late.map { (number, $0.end, $0.bytes) }
            connections[number]!.late = []
        }
        return late
    }

    /// Whether something gets from one device to another one.
    func carries(from: Int, to: Int) -> Bool {
        !parted.contains([from, to]) && !muted.contains(Route(from: from, to: to))
    }

    // MARK: Connections

    /// Begins a dial. A connection is made by packets of both sides, so one way that is muted keeps it from being made.
    ///
    /// - Parameter target: The device that listens at the address; `nil` where none does.
    /// - Returns: The number of the connection, and why none will be made, where that is so.
    mutating func dial(
        _ id: ConnectionID, _ purpose: LinkPurpose, from device: Int, to target: Int?
    ) -> (number: Int, fault: DialFault?) {
        let (number, dialler) = (nextConnection, End(device: device, id: id))
        nextConnection += 1
        dials[number] = dialler
        guard let target, !parted.contains([device, target]) else { return (number, .unreachable) }
        let isMuted = [Route(from: device, to: target), Route(from: target, to: device)].contains(where: muted.contains)
        guard !isMuted else { return (number, .noAnswer) }
        connections[number] = VirtualConnection(
            dialler: dialler, listener: End(device: target, id: ConnectionID(rawValue: 1 << 63 | UInt64(number))),
            purpose: purpose)
        return (number, nil)
    }

    subscript(number: Int) -> VirtualConnection? { connections[number] }

    /// Ends a dial that failed. Returns who dialled; `nil` where that agent has ended.
    mutating func fail(_ number: Int) -> End? {
        connections[number] = nil
        return dials.removeValue(forKey: number)
    }

    /// Makes the connection of a dial; `nil` where the agent that dialled has ended.
    mutating func open(_ number: Int) -> VirtualConnection? {
        guard dials.removeValue(forKey: number) != nil, let connection = connections[number] else { return nil }
        ends[connection.dialler] = number
        ends[connection.listener] = number
        return connection
    }

    /// Lets an end receive. Returns the bytes that waited for that; `nil` where the connection has ended.
    mutating func admit(_ end: End) -> (number: Int, bytes: [[UInt8]])? {
        guard let number = ends[end] else { return nil }
        connections[number]!.admitted.insert(end)
        return (number, connections[number]!.held.removeValue(forKey: end) ?? [])
    }

    /// The connection of an end that is open, and its other end.
    func peer(of end: End) -> Closing? {
        guard let number = ends[end], let connection = connections[number] else { return nil }
        return (number, connection.other(end))
    }

    /// When something that is sent arrives at an end, where it would come at `time` on a connection without other
    /// bytes.
    mutating func arrival(_ number: Int, _ end: End, at time: MonotonicTime) -> MonotonicTime {
        let time = max(time, connections[number]!.free[end] ?? 0)
        connections[number]!.free[end] = time
        return time
    }

    mutating func countSent(_ bytes: Int) { traffic = (traffic.messages + 1, traffic.bytes + bytes) }

    /// Takes bytes to an end. Returns whether it receives them now. A device that was started again numbers its connections
    /// from the beginning, so the end alone does not say which connection it is of.
    mutating func receive(_ number: Int, _ end: End, _ bytes: [UInt8]) -> Bool {
        guard ends[end] == number, let connection = connections[number] else { return false }
        guard !muted.contains(connection.route(to: end)) else {
            connections[number]!.late.append((end, bytes))
            return false
        }
        guard connection.admitted.contains(end) else {
            connections[number]!.held[end, default: []].append(bytes)
            return false
        }
        return true
    }

    /// Ends a connection at one end. Returns whether that end notices.
    ///
    /// - Parameter isOwn: Whether the end itself closed it. On a muted way the other side does not notice.
    mutating func close(_ number: Int, at end: End, isOwn: Bool) -> Bool {
        if !isOwn, let connection = connections[number], muted.contains(connection.route(to: end)) { return false }
        guard ends[end] == number else { return false }
        ends[end] = nil
        return true
    }
}
