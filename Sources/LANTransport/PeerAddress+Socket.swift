import HouseholdAgent
import Libc
import NIOCore

extension PeerAddress {
    /// How an address is dialled.
    enum Target {
        /// A numeric IPv4 or IPv6 address, with its scope where it has one.
        case socket(SocketAddress)
        /// A name for the system to look up.
        case name(String)
        /// No address that can be dialled; one sentence says why.
        case invalid(String)
    }

    /// The longest name of the DNS in text (RFC 1035, section 2.3.4).
    private static let maximumNameBytes = 253

    var target: Target {
        if let address = Self.numeric(host: host, port: port) { return .socket(address) }
        if host.contains("%"), let interface = host.split(separator: "%", maxSplits: 1).last {
            return .invalid("\(self) cannot be dialled: this device has no interface \(interface).")
        }
        let isName = host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
            // Names in other scripts are passed to the resolver, which finds or refuses them.
            default: byte >= 0x80
            }
        }
        guard isName, !host.isEmpty, host.utf8.count <= Self.maximumNameBytes else {
            return .invalid("\"\(host.prefix(Self.maximumNameBytes))\" is neither an address nor a name.")
        }
        return .name(host)
    }

    /// Parses a numeric address with `getaddrinfo`, because it knows scopes (`fe80::1%eth0`). No name server is asked.
    static func numeric(host: String, port: UInt16) -> SocketAddress? {
        guard !host.utf8.contains(0) else { return nil }
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0, let first = list else { return nil }
        defer { freeaddrinfo(list) }
        guard let address = UnsafeRawPointer(first.pointee.ai_addr) else { return nil }
        switch first.pointee.ai_family {
        case AF_INET: return SocketAddress(address.loadUnaligned(as: sockaddr_in.self))
        case AF_INET6: return SocketAddress(address.loadUnaligned(as: sockaddr_in6.self))
        default: return nil
        }
    }

    /// Makes an address from a socket's address, in numeric form. Host `unknown` and port 0 where the socket has none
    /// any more.
    ///
    /// An IPv4 peer of a socket for both families is written as IPv4, not as `::ffff:192.0.2.1`.
    init(_ address: SocketAddress?) {
        self.init(host: "unknown", port: 0)
        guard let address else { return }
        port = UInt16(clamping: address.port ?? 0)
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let outcome = address.withSockAddr { pointer, size in
            getnameinfo(pointer, socklen_t(size), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
        }
        guard outcome == 0 else { return }
        host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let mapped = "::ffff:"
        if host.hasPrefix(mapped), host.contains(".") { host.removeFirst(mapped.count) }
    }
}
