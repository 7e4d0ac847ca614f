import Libc
import TestSupport

/// Listens on an agent's socket, accepts every connection, and never answers.
struct MuteAgent {
    private let handle: Int32

    init(home: String) throws {
        let path = home + "/run/control.sock"
        try Disk.makeFolder(home + "/run")
        Disk.remove(path)
        handle = socket(AF_UNIX, Port.stream, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw Failure("\(path) is too long")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(handle, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, listen(handle, 8) == 0 else { throw Failure("no socket can be made at \(path)") }
    }

    func close() { _ = shutdown(handle, Int32(SHUT_RDWR)); closeHandle(handle) }
}

private func closeHandle(_ handle: Int32) { close(handle) }

enum Port {
    #if canImport(Darwin)
        static let stream = SOCK_STREAM
    #else
        static let stream = Int32(SOCK_STREAM.rawValue)
    #endif

    /// A free port below the range from which the system assigns ports.
    static func free() throws -> UInt16 {
        for _ in 0..<100 {
            let port = UInt16.random(in: 20_000..<30_000)
            let handle = socket(AF_INET, stream, 0)
            defer { close(handle) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let bound = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(handle, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            if bound { return port }
        }
        throw Failure("no port is free on the loopback interface")
    }
}
