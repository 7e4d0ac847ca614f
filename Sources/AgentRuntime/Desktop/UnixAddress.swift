import Libc

/// The address of a socket of this machine: a file's path, or on Linux a name after a zero byte that is no file.
struct UnixAddress: Sendable {
    /// The most bytes, so that one zero byte stays behind a path.
    private static let limit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    private let bytes: [UInt8]

    /// `nil` for what can be no address.
    init?(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, bytes != [0], bytes.count <= Self.limit else { return nil }
        self.bytes = bytes
    }

    func with<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
        // The size counts: a name that is no file ends where the address ends.
        let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        let size = socklen_t(start + bytes.count + (bytes.first == 0 ? 0 : 1))
        return withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
        }
    }
}
