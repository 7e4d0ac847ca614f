import Libc

/// The network interfaces of this machine at one moment.
struct NetworkInterfaces: Equatable {
    /// One address of one interface.
    struct Address: Hashable {
        var interface: String
        var index: UInt32
        /// 4 bytes for IPv4, 16 for IPv6.
        var bytes: [UInt8]
        /// How many bits all addresses of its network have in common; 0 where that is not known.
        var prefix: Int
    }

    /// The interfaces that are up and can carry mDNS (multicast or loopback); the value is `true` where the link is
    /// connected.
    var links: [String: Bool] = [:]
    /// Addresses of those interfaces, at most 512.
    var addresses: Set<Address> = []

    /// Reads the present state; `names` restricts it to those interfaces (empty: all).
    static func read(restrictedTo names: [String]) -> NetworkInterfaces {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return NetworkInterfaces() }
        defer { freeifaddrs(list) }
        var found = NetworkInterfaces()
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            let name = String(cString: entry.ifa_name)
            guard names.isEmpty || names.contains(name) else { continue }
            let flags = Int(entry.ifa_flags)
            guard isUp(entry), flags & Int(IFF_LOOPBACK.value | IFF_MULTICAST.value) != 0 else { continue }
            found.links[name] = flags & Int(IFF_RUNNING.value) != 0
            if let bytes = addressBytes(entry.ifa_addr), found.addresses.count < 512 {
                let prefix = addressBytes(entry.ifa_netmask)?.reduce(0) { $0 + $1.nonzeroBitCount } ?? 0
                found.addresses.insert(
                    Address(interface: name, index: if_nametoindex(name), bytes: bytes, prefix: prefix))
            }
        }
        return found
    }

    static func isUp(_ entry: ifaddrs) -> Bool { Int(entry.ifa_flags) & Int(IFF_UP.value) != 0 }

    /// The bytes of an IPv4 or IPv6 address; `nil` for other addresses.
    static func addressBytes(_ address: UnsafeMutablePointer<sockaddr>?) -> [UInt8]? {
        guard let address else { return nil }
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { socket in
                withUnsafeBytes(of: socket.pointee.sin_addr) { Array($0) }
            }
        case AF_INET6:
            return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { socket in
                withUnsafeBytes(of: socket.pointee.sin6_addr) { Array($0) }
            }
        default:
            return nil
        }
    }
}

// The flags are plain constants on macOS and members of an enumeration on Linux.
#if canImport(Darwin)
    extension Int32 {
        fileprivate var value: UInt32 { UInt32(bitPattern: self) }
    }
#else
    extension Int {
        fileprivate var value: UInt32 { UInt32(truncatingIfNeeded: self) }
    }
#endif

/// Converts addresses and interface indexes to text, and back.
enum NumericAddress {
    /// The bytes of a numeric address: 4 for IPv4, 16 for IPv6. The scope of a link-local one is left out.
    static func bytes(_ text: String) -> [UInt8]? {
        let address = String(text.prefix { $0 != "%" })
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, address, &bytes) == 1 { return Array(bytes.prefix(4)) }
        return inet_pton(AF_INET6, address, &bytes) == 1 ? bytes : nil
    }

    /// Whether an address is one that is valid on one link alone: 169.254.0.0/16 or fe80::/10.
    static func isLinkLocal(_ bytes: [UInt8]) -> Bool {
        bytes.count == 4 ? bytes[0] == 169 && bytes[1] == 254 : bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    }

    /// Whether an address is one of this machine for itself: 127.0.0.0/8 or ::1.
    static func isLoopback(_ bytes: [UInt8]) -> Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }

    /// The numeric text of an IPv4 (4 bytes) or IPv6 (16 bytes) address, nil for another length.
    ///
    /// A link-local IPv6 address gets the interface's name, `fe80::1%eth0`: without it the address cannot be dialled.
    static func text(_ bytes: [UInt8], interface: UInt32) -> String? {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &buffer, socklen_t(buffer.count)) != nil else { return nil }
        let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard bytes.count == 16, isLinkLocal(bytes) else { return text }
        return interfaceName(interface).map { "\(text)%\($0)" }
    }

    /// The name of the interface with this index, nil when it is gone.
    static func interfaceName(_ index: UInt32) -> String? {
        var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard if_indextoname(index, &name) != nil else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
