import Libc

/// The path of the agent's control socket, and the system calls that need it.
struct SocketPath: Sendable {
    let text: String

    /// The most bytes of a path: 103, as on macOS. Linux allows 107, but NIO applies the smaller limit everywhere.
    static let limit = 103

    static func fits(_ text: String) -> Bool { text.utf8.count <= limit }

    /// The error sentence for a path that is too long.
    static func excess(_ text: String) -> String {
        "The control socket's path \(text) has \(text.utf8.count) bytes, and \(limit) is the most; "
            + "choose a shorter home or runtime folder."
    }

    /// The folder, without a slash at its end unless it is the root.
    var folder: String {
        guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")), slash != text.utf8.startIndex else { return "/" }
        return String(text[..<slash])
    }

    /// Whether a process listens on the socket.
    enum Listener { case none, present, unknown(errno: Int32) }

    /// Finds out by connecting; a listener sees a connection that ends at once.
    func listener() -> Listener {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return .unknown(errno: errno) }
        defer { close(descriptor) }
        // Non-blocking: a full queue means that an agent listens, and must not be waited for.
        guard fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0 else {
            return .unknown(errno: errno)
        }
        let outcome = withAddress { connect(descriptor, $0, $1) }
        if outcome == 0 { return .present }
        return switch errno {
        case EAGAIN, EINPROGRESS: .present
        case ECONNREFUSED, ENOENT: .none
        default: .unknown(errno: errno)
        }
    }

    private func withAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        precondition(Self.fits(text), "a path's length is checked before it is used")
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: text.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
