import Libc

/// Whether multicast brings this device its own announcement: it asks for it as another device would, and waits for its
/// own responder to answer.
///
/// A packet to the multicast address comes back to its sender, and passes the same firewall as the packets of others. So a
/// device that does not hear its own question does not hear those of others either.
enum OwnEcho {
    /// The port of multicast DNS.
    private static let port: UInt16 = 5_353
    private static let groups: [Int: [UInt8]] = [
        4: [224, 0, 0, 251], 16: [0xFF, 0x02] + [UInt8](repeating: 0, count: 13) + [0xFB],
    ]
    /// When the question is put, after it was put first: packets may be lost.
    private static let repeats: [Duration] = [.zero, .milliseconds(500), .milliseconds(1_000)]
    /// How long the answer is waited for. A responder answers within a quarter of a second.
    private static let patience = Duration.seconds(2)
    /// The most sockets: one for IPv4 and one for IPv6 on each interface.
    private static let limit = 32

    /// Asks on all interfaces, and waits. At most two seconds, so not on a thread that has something else to do.
    ///
    /// - Parameter name: The name under which this device is announced.
    static func isHeard(_ name: String, on network: NetworkInterfaces) -> Bool {
        guard let query = EchoQuery(instance: name, id: .random(in: .min ... .max)) else { return false }
        let sockets = sockets(on: network)
        defer { for socket in sockets { close(socket.descriptor) } }
        let own = Set(network.addresses.map(\.bytes))
        let began = ContinuousClock.now
        var repeats = repeats[...]
        while !sockets.isEmpty {
            let passed = ContinuousClock.now - began
            guard passed < patience else { return false }
            if let next = repeats.first, next <= passed {
                repeats.removeFirst()
                for socket in sockets { ask(query, socket) }
            }
            var descriptors = sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            let pause = min(repeats.first ?? patience, patience) - passed
            guard poll(&descriptors, nfds_t(descriptors.count), Self.milliseconds(pause)) > 0 else { continue }
            for descriptor in descriptors where descriptor.revents != 0 {
                if hears(query, descriptor.fd, own) { return true }
            }
        }
        return false
    }

    private static func milliseconds(_ pause: Duration) -> Int32 {
        Int32(max(0, pause / .milliseconds(1)).rounded(.up))
    }

    // MARK: Sockets

    private struct Socket {
        var descriptor: Int32
        var index: UInt32
        var group: [UInt8]
    }

    private static func sockets(on network: NetworkInterfaces) -> [Socket] {
        var asked: Set<[UInt32]> = []
        let addresses = network.addresses.sorted { ($0.bytes.count, $0.index) < ($1.bytes.count, $1.index) }
        let places = addresses.filter { asked.insert([$0.index, UInt32($0.bytes.count)]).inserted }
        return places.prefix(limit).compactMap { place in
            guard let group = groups[place.bytes.count] else { return nil }
            return open(place.index, group)
        }
    }

    private static func open(_ index: UInt32, _ group: [UInt8]) -> Socket? {
        let isIPv4 = group.count == 4
        let descriptor = socket(isIPv4 ? AF_INET : AF_INET6, datagram, 0)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var place = ip_mreqn()
        place.imr_ifindex = Int32(bitPattern: index)
        let isSet =
            isIPv4
            ? set(descriptor, ip, IP_MULTICAST_IF, to: place) : set(descriptor, ipv6, IPV6_MULTICAST_IF, to: index)
        if isSet { return Socket(descriptor: descriptor, index: index, group: group) }
        close(descriptor)
        return nil
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, to value: some Any) -> Bool {
        withUnsafeBytes(of: value) { setsockopt(descriptor, level, option, $0.baseAddress, socklen_t($0.count)) == 0 }
    }

    // Plain constants on one system are members of enumerations on another.
    #if canImport(Glibc)
        private static let datagram = Int32(SOCK_DGRAM.rawValue)
        private static let (ip, ipv6) = (Int32(IPPROTO_IP), Int32(IPPROTO_IPV6))
    #else
        private static let datagram = SOCK_DGRAM
        private static let (ip, ipv6) = (IPPROTO_IP, IPPROTO_IPV6)
    #endif

    // MARK: Packets

    private static func ask(_ query: EchoQuery, _ socket: Socket) {
        if socket.group.count == 4 {
            var group = sockaddr_in()
            group.sin_family = sa_family_t(AF_INET)
            group.sin_port = port.bigEndian
            withUnsafeMutableBytes(of: &group.sin_addr) { $0.copyBytes(from: socket.group) }
            send(query, socket, group)
        } else {
            var group = sockaddr_in6()
            group.sin6_family = sa_family_t(AF_INET6)
            group.sin6_port = port.bigEndian
            group.sin6_scope_id = socket.index
            withUnsafeMutableBytes(of: &group.sin6_addr) { $0.copyBytes(from: socket.group) }
            send(query, socket, group)
        }
    }

    private static func send(_ query: EchoQuery, _ socket: Socket, _ group: some Any) {
        withUnsafeBytes(of: group) { group in
            group.withMemoryRebound(to: sockaddr.self) {
                _ = sendto(
                    socket.descriptor, query.bytes, query.bytes.count, 0, $0.baseAddress, socklen_t(group.count))
            }
        }
    }

    /// The most packets that are read before it is looked whether the time is over: anybody may send some.
    private static let readAtOnce = 64

    /// Whether the answer is among what has come. Only this machine itself can give it.
    private static func hears(_ query: EchoQuery, _ descriptor: Int32, _ own: Set<[UInt8]>) -> Bool {
        for _ in 0..<readAtOnce {
            var sender = sockaddr_storage()
            var size = socklen_t(MemoryLayout.size(ofValue: sender))
            var bytes = [UInt8](repeating: 0, count: 2_048)
            let (count, address) = withUnsafeMutablePointer(to: &sender) { storage in
                storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { sender in
                    let count = recvfrom(descriptor, &bytes, bytes.count, 0, sender, &size)
                    return (count, count > 0 ? NetworkInterfaces.addressBytes(sender) : nil)
                }
            }
            guard count > 0 else { return false }
            if let address, own.contains(address), query.isAnswered(by: Array(bytes.prefix(count))) { return true }
        }
        return false
    }
}
