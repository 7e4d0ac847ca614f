import Libc
import LocalFiles
import MergeCore
import ProfileKeeping

extension stat {
    /// Whether two statuses are of one file that was not written in between; it may have got another name.
    func isSameContent(as other: stat) -> Bool {
        #if canImport(Darwin)
            let (ours, theirs) = (st_mtimespec, other.st_mtimespec)
        #else
            let (ours, theirs) = (st_mtim, other.st_mtim)
        #endif
        return st_dev == other.st_dev && st_ino == other.st_ino && st_size == other.st_size
            && ours.tv_sec == theirs.tv_sec && ours.tv_nsec == theirs.tv_nsec
    }
}

extension FileIdentity {
    /// The identity of the file with this status.
    ///
    /// - Parameter hasDevice: Whether the number of its device is part of it, which may be another one after a restart of
    ///   the machine.
    init(_ status: stat, hasDevice: Bool = true) {
        #if canImport(Darwin)
            let (written, changed) = (status.st_mtimespec, status.st_ctimespec)
        #else
            let (written, changed) = (status.st_mtim, status.st_ctim)
        #endif
        self.init(
            [
                hasDevice ? Int64(truncatingIfNeeded: status.st_dev) : 0, Int64(truncatingIfNeeded: status.st_ino),
                Int64(status.st_size), Int64(written.tv_sec), Int64(written.tv_nsec), Int64(changed.tv_sec),
                Int64(changed.tv_nsec),
            ], modified: WallTime(milliseconds: status.modified))
    }

    /// ``fingerprint``, least significant byte first.
    var fingerprintBytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: fingerprint >> (8 * UInt64($0))) } }
}
