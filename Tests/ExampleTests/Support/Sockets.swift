import Libc
import TestSupport

/// Listens on an agent's socket, accepts every connection, and never answers.
struct MuteAgent {
    #if canImport(Darwin)
        private static let stream = SOCK_STREAM
    #else
        private static let stream = Int32(SOCK_STREAM.rawValue)
    #endif

    private let handle: Int32

    init(home: String) throws {
        let path = home + "/run/control.sock"
        try Disk.makeFolder(home + "/run")
        Disk.remove(path)
        handle = socket(AF_UNIX, Self.stream, 0)
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
