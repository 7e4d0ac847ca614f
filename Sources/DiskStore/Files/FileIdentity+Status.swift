import Libc
import LocalFiles
import MergeCore
import ProfileKeeping

extension FileIdentity {
    /// The identity of the file with this status.
    init(_ status: stat) {
        #if canImport(Darwin)
            let (written, changed) = (status.st_mtimespec, status.st_ctimespec)
        #else
            let (written, changed) = (status.st_mtim, status.st_ctim)
        #endif
        self.init(
            [
                Int64(truncatingIfNeeded: status.st_dev), Int64(truncatingIfNeeded: status.st_ino),
                Int64(status.st_size), Int64(written.tv_sec), Int64(written.tv_nsec), Int64(changed.tv_sec),
                Int64(changed.tv_nsec),
            ], modified: WallTime(milliseconds: status.modified))
    }
}
