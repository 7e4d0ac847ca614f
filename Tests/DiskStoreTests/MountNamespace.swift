#if os(Linux)
    @testable import DiskStore
    import Libc
    import Synchronization
    import TestSupport

    /// Runs work on a thread that sees mounts of its own, so that a test can have a full or read-only disk and nothing
    /// of it is left anywhere.
    enum MountNamespace {
        static let readOnly: UInt = 1
        static let remount: UInt = 32
        static let bind: UInt = 4096
        private static let recursive: UInt = 16384
        private static let private_: UInt = 1 << 18

        private typealias Mount =
            @convention(c) (
                UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UInt, UnsafeRawPointer?
            ) -> Int32

        /// Whether this process may make mounts.
        static let isAllowed: Bool = {
            let allowed = Mutex(false)
            run { allowed.withLock { $0 = true } }
            return allowed.withLock { $0 }
        }()

        /// Does nothing where it is not allowed.
        static func run(_ body: @escaping @Sendable () -> Void) {
            OwnNamespace.mounts.run {
                // What is mounted here is not to spread to others.
                if mount("none", "/", nil, recursive | private_) { body() }
            }
        }

        static func mount(
            _ source: String, _ target: String, _ type: String?, _ flags: UInt, _ data: String? = nil
        ) -> Bool {
            guard let address = dlsym(nil, "mount") else { return false }
            let mount = unsafeBitCast(address, to: Mount.self)
            return source.withCString { source in
                target.withCString { target in
                    guard let type else { return mount(source, target, nil, flags, nil) == 0 }
                    return type.withCString { type in
                        guard let data else { return mount(source, target, type, flags, nil) == 0 }
                        return data.withCString { mount(source, target, type, flags, $0) == 0 }
                    }
                }
            }
        }
    }
#endif
