import Libc
import TestSupport

/// Plain TCP connections to ports of this machine.
enum Loopback {
    /// Connects and sends bytes; the caller closes the socket. Reads and writes time out after a second. `nil` where
    /// nobody listens.
    static func connect(_ port: UInt16, sending bytes: [UInt8] = []) -> Int32? {
        let handle = socket(AF_INET, stream, 0)
        guard handle >= 0 else { return nil }
        var limit = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(handle, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(handle, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = address(port)
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                systemConnect(handle, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard connected else {
            close(handle)
            return nil
        }
        var sent = 0
        while sent < bytes.count {
            let count = send(handle, Array(bytes[sent...]), bytes.count - sent, noSignal)
            guard count > 0 else { break }
            sent += count
        }
        return handle
    }

    /// Whether the other side has closed the connection. Does not wait.
    static func isClosed(_ handle: Int32) -> Bool {
        var part = [UInt8](repeating: 0, count: 4_096)
        for _ in 0..<64 {
            let count = recv(handle, &part, part.count, nonBlocking)
            if count == 0 { return true }
            if count < 0 { return errno != EAGAIN && errno != EWOULDBLOCK }
        }
        return false
    }

    /// Leaves a Unix socket file on which nobody listens.
    static func bindSocket(at path: String) {
        let handle = socket(AF_UNIX, stream, 0)
        defer { close(handle) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(handle, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        precondition(bound == 0, "no socket can be made at \(path)")
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    #if canImport(Darwin)
        private static let stream = SOCK_STREAM
        private static let noSignal: Int32 = 0
        private static let nonBlocking = Int32(MSG_DONTWAIT)
    #else
        private static let stream = Int32(SOCK_STREAM.rawValue)
        private static let noSignal = Int32(MSG_NOSIGNAL)
        private static let nonBlocking = Int32(MSG_DONTWAIT)
    #endif

    private static func systemConnect(_ handle: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
        #if canImport(Darwin)
            Darwin.connect(handle, address, size)
        #else
            Glibc.connect(handle, address, size)
        #endif
    }
}
