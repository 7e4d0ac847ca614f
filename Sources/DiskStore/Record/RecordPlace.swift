import Libc
import LocalFiles

/// Distinguishes a record's file from a copy of it, by the file's time of creation (to the nanosecond) and by this
/// machine's id. So a machine and its clone never write as one replica.
enum RecordPlace {
    /// The bytes that identify the record's file; `nil` where the file system does not record when a file was created.
    ///
    /// - Parameter path: The path of the record's file, which exists.
    static func bytes(of path: String) -> [UInt8]? {
        birth(path).map { Array("\($0.0).\($0.1) \(machine ?? "")".utf8) }
    }

    #if os(Linux)
        private static func birth(_ path: String) -> (Int64, UInt32)? { LinuxCalls.birth(path) }

        /// machine-id(5): 32 hexadecimal digits, made when the system was installed.
        private static var machine: String? {
            let path = "/etc/machine-id"
            guard let file = try? Descriptor(path, DiskFiles.safely) else { return nil }
            let bytes = try? file.readAll(expecting: 33, limit: 64)
            return bytes.map { String(decoding: $0.prefix { $0 > 32 && $0 < 127 }, as: UTF8.self) }
        }
    #else
        private static func birth(_ path: String) -> (Int64, UInt32)? {
            var status = stat()
            guard lstat(path, &status) == 0, status.st_birthtimespec.tv_sec != 0 else { return nil }
            return (Int64(status.st_birthtimespec.tv_sec), UInt32(status.st_birthtimespec.tv_nsec))
        }

        private static var machine: String? { nil }
    #endif
}
