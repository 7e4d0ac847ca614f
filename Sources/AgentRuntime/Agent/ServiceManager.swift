import Libc

/// The service manager that started this process and waits for its word, as sd_notify(3) describes it; systemd is one.
struct ServiceManager: Sendable {
    /// How often the manager wants to hear that the agent is alive; `nil` where it does not watch for that.
    let beat: Duration?
    private let address: UnixAddress

    /// `nil` where no manager waits for word.
    ///
    /// - Parameters:
    ///   - environment: NOTIFY_SOCKET, and WATCHDOG_USEC and WATCHDOG_PID.
    ///   - process: The id of this process, which inherits the variables if only its parent is watched.
    init?(environment: [String: String], process: Int32) {
        guard let socket = environment["NOTIFY_SOCKET"], let first = socket.utf8.first else { return nil }
        let isAbstract = first == UInt8(ascii: "@")
        // Linux keeps such a name apart from all files, and writes it with a zero byte at its start.
        guard isAbstract || first == UInt8(ascii: "/"),
            let address = UnixAddress(isAbstract ? [0] + socket.utf8.dropFirst() : Array(socket.utf8))
        else { return nil }
        self.address = address
        beat = Self.beat(environment, process)
    }

    /// The manager takes a process for hung that is silent for the whole time; it advises half of it.
    private static func beat(_ environment: [String: String], _ process: Int32) -> Duration? {
        if let watched = environment["WATCHDOG_PID"], watched != String(process) { return nil }
        guard let time = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }), time > 0 else { return nil }
        return .microseconds(max(time / 2, 1_000))
    }

    enum Word: String, Sendable {
        case ready = "READY=1"
        case alive = "WATCHDOG=1"
        case stopping = "STOPPING=1"
    }

    /// Sends one word. A manager that cannot be reached is no reason to stop: it ends the agent itself.
    func tell(_ word: Word) {
        #if canImport(Glibc)
            let kind = Int32(SOCK_DGRAM.rawValue)
        #else
            let kind = SOCK_DGRAM
        #endif
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // A manager that does not read must not hold up the agent for long.
        var wait = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        let bytes = Array(word.rawValue.utf8)
        address.with { name, size in
            while sendto(descriptor, bytes, bytes.count, 0, name, size) < 0, errno == EINTR {}
        }
    }
}
