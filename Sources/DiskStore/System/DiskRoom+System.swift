import Libc
package import ProfileKeeping

extension DiskRoom {
    /// The room on the disk of a path at which something is.
    package init(at path: String) throws(StorageFault) {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { throw StorageFault(code: errno, "look for room in", path) }
        // Some network file systems do not report their size.
        guard status.f_blocks > 0 else {
            self.init(free: .max, total: 0)
            return
        }
        let unit = Int64(clamping: status.f_frsize)
        func bytes(_ blocks: some BinaryInteger) -> Int64 {
            let (bytes, overflow) = Int64(clamping: blocks).multipliedReportingOverflow(by: unit)
            return overflow ? .max : bytes
        }
        self.init(free: bytes(status.f_bavail), total: bytes(status.f_blocks))
    }

    /// The room on the disk of a path; where nothing is there, of its nearest folder that exists.
    package static func near(_ path: String) throws(StorageFault) -> DiskRoom {
        var path = path
        var status = stat()
        while path != "/", !path.isEmpty, stat(path, &status) != 0, errno == ENOENT || errno == ENOTDIR {
            path = ProfilePlace.split(path).folder
        }
        return try DiskRoom(at: path.isEmpty ? "/" : path)
    }
}
