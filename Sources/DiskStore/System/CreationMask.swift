import Libc
import LocalFiles

/// The process's umask: the bits that are removed from the mode of new files.
enum CreationMask {
    /// Linux tells it since 4.7 (proc_pid_status(5)). POSIX has no call that reads it without setting it, and who sets
    /// it, even for a moment, changes the mode of whatever the process's other threads create meanwhile.
    static var current: mode_t {
        #if os(Linux)
            for line in ProcessFiles.read("status", of: getpid()).split(separator: UInt8(ascii: "\n"))
            where line.starts(with: "Umask:\t".utf8) {
                if let mask = mode_t(String(decoding: line.dropFirst(7), as: UTF8.self), radix: 8) { return mask }
            }
        #endif
        return setAndReset
    }

    /// Read by setting it, once: of two threads that do so at a time the second one could set for good what the first
    /// one had set for the moment.
    private static let setAndReset: mode_t = {
        let mask = umask(0o077)
        umask(mask)
        return mask
    }()
}
