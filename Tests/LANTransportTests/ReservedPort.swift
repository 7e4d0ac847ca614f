import Libc

/// A port of 127.0.0.1 on which nothing listens, and which nobody else is given meanwhile: a socket is bound to it and
/// never listens.
final class ReservedPort: Sendable {
    let number: UInt16
    private let descriptor: Int32

    init() {
        #if canImport(Darwin)
            let stream = SOCK_STREAM
        #else
            let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        descriptor = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(UInt32(0x7F00_0001).bigEndian)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        precondition(isBound, "a loopback port can be bound")
        number = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }
}
