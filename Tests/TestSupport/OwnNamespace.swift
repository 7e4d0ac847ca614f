#if os(Linux)
    import Libc
    import Synchronization

    /// Runs work on a thread that has a namespace of its own (unshare(2)), so that a test can change mounts or networks and
    /// nothing of it is left anywhere.
    package enum OwnNamespace: Int32 {
        /// CLONE_NEWNS.
        case mounts = 0x0002_0000
        /// CLONE_NEWNET: nothing but a loopback interface that is down.
        case network = 0x4000_0000

        /// Runs `body` on such a thread, and waits for its end. Does nothing where this process may make no namespace.
        package func run(_ body: @escaping @Sendable () -> Void) {
            typealias Unshare = @convention(c) (Int32) -> Int32
            guard let address = dlsym(nil, "unshare") else { return }
            let unshare = unsafeBitCast(address, to: Unshare.self)
            OwnThread {
                if unshare(rawValue) == 0 { body() }
            }?.join()
        }

        /// Whether this process may make such a namespace.
        package var isAllowed: Bool {
            let allowed = Mutex(false)
            run { allowed.withLock { $0 = true } }
            return allowed.withLock { $0 }
        }
    }
#endif
