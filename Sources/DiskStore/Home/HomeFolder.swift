import Libc
import LocalFiles
package import ProfileKeeping

/// Hearth's own folder: the record, keys, backups and the lock.
package enum HomeFolder {
    /// Creates the folder and its missing parents, for this user only (0700), durably. An existing folder stays as it
    /// is.
    package static func create(_ path: String) throws(StorageFault) {
        guard path.hasPrefix("/"), !path.utf8.contains(0), path.utf8.count < 4_096 else {
            throw StorageFault(.other, "\(path) is no absolute path; give the folder's full path")
        }
        var missing: [String] = []
        var current = path
        var status = stat()
        while true {
            if stat(current, &status) == 0 {
                guard status.st_mode & S_IFMT == S_IFDIR else {
                    throw StorageFault(
                        .other, "\(current) is a file where a folder is needed; move it, or choose another folder")
                }
                break
            }
            guard errno == ENOENT, current != "/" else { throw StorageFault(code: errno, "open the folder", current) }
            missing.append(current)
            current = ProfilePlace.split(current).folder
        }
        for folder in missing.reversed() {
            if mkdir(folder, 0o700) != 0 {
                let code = errno
                guard code == EEXIST else {
                    let fault = StorageFault(code: code, "make the folder", folder)
                    guard fault.reason == .other else { throw fault }
                    throw StorageFault(
                        .other, "cannot make the folder \(folder): \(String(cString: strerror(code))); choose another")
                }
                // Somebody else made it meanwhile, or it is a link that leads nowhere.
                guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                    throw StorageFault(.other, "\(folder) leads to no folder; is a disk missing?")
                }
            }
            try DiskFiles.sync(folder: ProfilePlace.split(folder).folder)
        }
    }

    /// Writes a small file in the folder, makes it durable, and removes it. A disk that is full or read-only, and a
    /// quota that is used up, show only then.
    package static func tryWriting(_ path: String) throws(StorageFault) {
        let file = path + "/.try"
        unlink(file)
        try StorageFault.explaining("write", file) { () throws(FileFault) in
            try DurableFile.create([UInt8](repeating: 0, count: 4_096), at: file)
        }
        unlink(file)
    }
}
