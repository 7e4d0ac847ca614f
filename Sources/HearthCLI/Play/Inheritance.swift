import Libc

/// What this process inherited from its parent: signal mask, ignored signals and descriptors. The game gets the same.
///
/// Recorded first of all, on the main thread: later, libraries open descriptors and handle signals, and the threads of
/// Swift's pool block most signals.
struct Inheritance: Sendable {
    /// What was inherited, recorded at the first use.
    static let atStart = Inheritance()

    /// Records it; must be called before anything else.
    static func take() { _ = atStart }

    let mask: sigset_t
    /// The signals that were not ignored at the start.
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

    /// Makes descriptors that were opened since the start close in the game. A connection that the game inherited would
    /// stay open after this process.
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
