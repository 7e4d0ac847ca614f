#if os(Linux)
    import Glibc

    /// Linux calls and constants that Swift's module of the C library lacks (in C they need `_GNU_SOURCE`).
    ///
    /// Each function is looked up by name once. A C library without it is treated like a file system that cannot do it
    /// (ENOSYS).
    enum LinuxCalls {
        static let renameExchange: UInt32 = 2
        static let renameNoReplace: UInt32 = 1

        private static let setLease: Int32 = 1024
        private static let setSignal: Int32 = 10

        private typealias Rename =
            @convention(c) (
                Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32
            ) -> Int32
        private typealias Status =
            @convention(c) (
                Int32, UnsafePointer<CChar>, Int32, UInt32, UnsafeMutableRawPointer
            ) -> Int32
        private typealias List = @convention(c) (Int32, UnsafeMutablePointer<CChar>?, Int) -> Int
        private typealias Get = @convention(c) (Int32, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int) -> Int
        private typealias Set = @convention(c) (Int32, UnsafePointer<CChar>, UnsafeRawPointer?, Int, Int32) -> Int32
        private typealias Remove = @convention(c) (Int32, UnsafePointer<CChar>) -> Int32

        private static let renameCall: Rename? = find("renameat2")
        private static let statusCall: Status? = find("statx")
        private static let listCall: List? = find("flistxattr")
        private static let getCall: Get? = find("fgetxattr")
        private static let setCall: Set? = find("fsetxattr")
        private static let removeCall: Remove? = find("fremovexattr")

        private static func find<Function>(_ name: String) -> Function? {
            guard let address = dlsym(nil, name) else { return nil }
            return unsafeBitCast(address, to: Function.self)
        }

        /// renameat2(2): 0, or the error's code.
        static func rename(_ old: String, _ new: String, _ flags: UInt32) -> Int32 {
            guard let renameCall else { return ENOSYS }
            return renameCall(AT_FDCWD, old, AT_FDCWD, new, flags) == 0 ? 0 : errno
        }

        /// Whether the file itself is a mount point (a bind mount), by statx(2).
        static func isMountPoint(_ path: String) -> Bool {
            guard let statusCall else { return false }
            // struct statx has 256 bytes; stx_attributes stands at 8, STATX_ATTR_MOUNT_ROOT is 0x2000 (Linux 5.8).
            return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { buffer in
                buffer.initializeMemory(as: UInt8.self, repeating: 0)
                guard let base = buffer.baseAddress, statusCall(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, 0, base) == 0
                else { return false }
                return base.load(fromByteOffset: 8, as: UInt64.self) & 0x2000 != 0
            }
        }

        /// The time at which a file was created, in seconds and nanoseconds, by statx(2); `nil` where its file system
        /// does not record it.
        static func birth(_ path: String) -> (Int64, UInt32)? {
            guard let statusCall else { return nil }
            // STATX_BTIME is 0x800; stx_mask stands at 0, stx_btime at 80.
            return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { buffer in
                buffer.initializeMemory(as: UInt8.self, repeating: 0)
                guard let base = buffer.baseAddress, statusCall(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, 0x800, base) == 0,
                    base.load(as: UInt32.self) & 0x800 != 0
                else { return nil }
                return (base.load(fromByteOffset: 80, as: Int64.self), base.load(fromByteOffset: 88, as: UInt32.self))
            }
        }

        /// Whether any process has the file open for writing: then the kernel refuses a read lease (fcntl(2)).
        static func hasWriters(_ descriptor: Int32) -> Bool {
            // A process that opens the file for writing during the lease would make the kernel send SIGIO, which ends
            // this process by default.
            _ = fcntl(descriptor, setSignal, SIGURG)
            guard fcntl(descriptor, setLease, Int32(F_RDLCK)) != 0 else {
                _ = fcntl(descriptor, setLease, Int32(F_UNLCK))
                return false
            }
            return errno == EAGAIN
        }

        // MARK: Extended attributes

        /// Names of a file's extended attributes; empty where the file system has none, or more than 64 KiB of names.
        static func attributes(_ descriptor: Int32) -> [String] {
            guard let listCall else { return [] }
            var buffer = [CChar](repeating: 0, count: 64 << 10)
            let count = listCall(descriptor, &buffer, buffer.count)
            guard count > 0 else { return [] }
            return buffer[..<count].split(separator: 0).map { name in
                String(decoding: name.lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            }
        }

        /// An attribute's bytes; `nil` where it cannot be read.
        static func attribute(_ descriptor: Int32, _ name: String) -> [UInt8]? {
            guard let getCall else { return nil }
            let size = getCall(descriptor, name, nil, 0)
            guard size >= 0, size <= 64 << 10 else { return nil }
            var bytes = [UInt8](repeating: 0, count: size)
            let count = getCall(descriptor, name, &bytes, size)
            return count >= 0 ? Array(bytes.prefix(count)) : nil
        }

        /// Sets an attribute. Returns 0 or the error code.
        static func setAttribute(_ descriptor: Int32, _ name: String, _ bytes: [UInt8]) -> Int32 {
            guard let setCall else { return ENOSYS }
            return setCall(descriptor, name, bytes, bytes.count, 0) == 0 ? 0 : errno
        }

        static func removeAttribute(_ descriptor: Int32, _ name: String) {
            _ = removeCall?(descriptor, name)
        }
    }
#endif
