import Libc

/// The kernel's word that a network interface or an address has come, gone or changed: a netlink socket (rtnetlink(7)),
/// which becomes readable then.
///
/// Nobody reads in it what has changed: whoever hears of a change compares the interfaces.
enum NetworkNews {
    /// Opens the socket; `nil` where the system has no such socket, or gives none.
    static func open() -> Int32? {
        #if os(Linux)
            let type = Int32(SOCK_RAW.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
            let descriptor = socket(AF_NETLINK, type, Address.routes)
            guard descriptor >= 0 else { return nil }
            let isBound = withUnsafeBytes(of: Address()) { bytes in
                bytes.withMemoryRebound(to: sockaddr.self) {
                    bind(descriptor, $0.baseAddress, socklen_t(bytes.count)) == 0
                }
            }
            if isBound { return descriptor }
            close(descriptor)
        #endif
        return nil
    }

    /// Reads all that is there. Returns whether there was anything: messages, or word that there were too many to keep.
    static func take(_ descriptor: Int32) -> Bool {
        var (bytes, isNews) = ([UInt8](repeating: 0, count: 8_192), false)
        while true {
            let count = read(descriptor, &bytes, bytes.count)
            if count == 0 || (count < 0 && errno != ENOBUFS && errno != EINTR) { return isNews }
            isNews = true
        }
    }

    #if os(Linux)
        /// `struct sockaddr_nl`, which Swift's module of the C library leaves out.
        private struct Address {
            /// NETLINK_ROUTE.
            static let routes: Int32 = 0
            var family = UInt16(AF_NETLINK)
            var padding: UInt16 = 0
            var port: UInt32 = 0
            /// RTMGRP_LINK, RTMGRP_IPV4_IFADDR and RTMGRP_IPV6_IFADDR.
            var groups: UInt32 = 0x1 | 0x10 | 0x100
        }
    #endif
}
