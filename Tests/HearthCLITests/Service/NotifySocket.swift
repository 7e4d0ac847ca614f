import Libc
import TestSupport

/// The socket on which a service manager hears of its services.
final class NotifySocket: Sendable {
    /// What the manager puts into NOTIFY_SOCKET.
    let name: String
    private let descriptor: Int32

    /// - Parameter name: A path, or a name with "@" at its start, which is no file.
    init(_ name: String) throws {
        self.name = name
        #if canImport(Darwin)
            descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
        #else
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        #endif
        let bytes = name.hasPrefix("@") ? [0] + name.utf8.dropFirst() : Array(name.utf8)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        guard bound == 0 else { throw Failure("no socket at \(name): \(String(cString: strerror(errno)))") }
        var wait = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// The next word; `nil` where none comes within a minute.
    func next() -> String? {
        var part = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &part, part.count, 0)
        return count < 0 ? nil : String(decoding: part[..<count], as: UTF8.self)
    }

    /// The words up to this one, which is the last; fewer where it does not come.
    func words(until last: String) -> [String] {
        var words: [String] = []
        while words.last != last, let word = next() { words.append(word) }
        return words
    }
}
