import Glibc

/// TCP on the loopback interface.
enum Sockets {
    static func listen() throws -> Int32 {
        let number = try make()
        try withAddress(0) { guard bind(number, $0, $1) == 0 else { throw Trouble(call: "bind", "127.0.0.1") } }
        guard Glibc.listen(number, 16) == 0 else { throw Trouble(call: "listen on", "127.0.0.1") }
        return number
    }

    static func port(of socket: Int32) -> UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    static func accept(_ listener: Int32) throws -> Int32 {
        let number = Glibc.accept(listener, nil, nil)
        guard number >= 0 else { throw Trouble(call: "accept on", "127.0.0.1") }
        noDelay(number)
        return number
    }

    static func connect(port: UInt16) throws -> Int32 {
        let number = try make()
        try withAddress(port) {
            guard Glibc.connect(number, $0, $1) == 0 else { throw Trouble(call: "connect to", "port \(port)") }
        }
        noDelay(number)
        return number
    }

    private static func make() throws -> Int32 {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw Trouble(call: "make", "a socket") }
        return number
    }

    private static func noDelay(_ socket: Int32) {
        var yes: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func withAddress(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Void) throws
    {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        try withUnsafePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                try body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

/// Runs a body on a thread of its own, for as long as the program lives.
func startThread(_ body: @escaping @Sendable () -> Void) {
    final class Box: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    pthread_create(
        &thread, nil,
        { box in
            Unmanaged<Box>.fromOpaque(box!).takeRetainedValue().body()
            return nil
        }, Unmanaged.passRetained(Box(body)).toOpaque())
    pthread_detach(thread)
}
