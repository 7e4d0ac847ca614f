import Libc

/// What this process was given by whoever started it, to be handed on to the game.
///
/// Taken at the very start on the first thread: libraries open descriptors and take signals for themselves, and the
/// threads that tasks run on block most signals.
struct Inheritance: Sendable {
    /// What there was when this was first asked for.
    static let atStart = Inheritance()

    /// To be called before anything else.
    static func take() { _ = atStart }

    let mask: sigset_t
    /// Signals that nobody had this process ignore.
    let defaults: sigset_t
    private let descriptors: Set<Int32>

    private init() {
        var mask = sigset_t()
        pthread_sigmask(SIG_SETMASK, nil, &mask)
        self.mask = mask
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for number in GameSignals.numbers + [SIGPIPE] where !GameSignals.isIgnored(number) {
            sigaddset(&defaults, number)
        }
        self.defaults = defaults
        descriptors = Self.open().filter { fcntl($0, F_GETFD) & FD_CLOEXEC == 0 }
    }

    func holds(_ number: Int32) -> Bool {
        var defaults = defaults
        return sigismember(&defaults, number) == 1
    }

    /// Sees to it that the game gets none of the descriptors that were opened since: a connection that it held would
    /// outlive this process.
    func closeAtStart() {
        for descriptor in Self.open().subtracting(descriptors) where descriptor > STDERR_FILENO {
            let flags = fcntl(descriptor, F_GETFD)
            if flags >= 0 { _ = fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) }
        }
    }

    private static func open() -> Set<Int32> {
        #if canImport(Darwin)
            let path = "/dev/fd"
        #else
            let path = "/proc/self/fd"
        #endif
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var result: Set<Int32> = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            if let number = Int32(name) { result.insert(number) }
        }
        return result
    }
}
