import Libc

/// A port of this machine on which nobody listens.
package enum FreePort {
    #if canImport(Darwin)
        private static let stream = SOCK_STREAM
    #else
        private static let stream = Int32(SOCK_STREAM.rawValue)
    #endif

    /// A port below the range from which the system assigns ports, so that no other program gets it before whoever asked
    /// for it listens there.
    package static func find(in ports: Range<UInt16> = 20_000..<30_000) throws -> UInt16 {
        for _ in 0..<200 {
            let port = UInt16.random(in: ports)
            let handle = socket(AF_INET, stream, 0)
            defer { close(handle) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let isFree = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(handle, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            if isFree { return port }
        }
        throw Failure("no port is free on the loopback interface")
    }
}
