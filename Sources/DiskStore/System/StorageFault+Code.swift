import Libc
import LocalFiles
import ProfileKeeping

extension StorageFault {
    /// Makes a sentence from an `errno`, for the person whose file it is.
    ///
    /// - Parameter action: What could not be done, as words that follow "cannot".
    init(code: Int32, _ action: String, _ path: String) {
        switch code {
        case ENOSPC:
            self.init(.noSpace, "cannot \(action) \(path): the disk is full; free some space, it is tried again")
        case EDQUOT:
            self.init(
                .noSpace, "cannot \(action) \(path): the disk quota is used up; free some space, it is tried again")
        case EROFS:
            self.init(.denied, "cannot \(action) \(path): the file system is read-only; mount it writable")
        case EACCES, EPERM:
            self.init(
                .denied,
                "cannot \(action) \(path): permission denied; give this user access to the file and to its folder")
        default:
            self.init(
                .other,
                "cannot \(action) \(path): \(String(cString: strerror(code))); look at the disk, it is tried again")
        }
    }

    /// Makes a sentence from the error of a call on a file.
    ///
    /// - Parameters:
    ///   - action: What could not be done, if the call does not say it, as opening does not.
    ///   - path: The file's path, even if it is the file's folder that could not be made durable.
    init(_ fault: FileFault, _ action: String, _ path: String) {
        switch fault.call {
        case .read: self.init(code: fault.code, "read", path)
        case .write, .close, .setAttribute: self.init(code: fault.code, "write", path)
        case .setMode: self.init(code: fault.code, "set the mode of", path)
        case .sync: self.init(code: fault.code, "make durable", path)
        case .lock: self.init(code: fault.code, "lock", path)
        case .openFolder: self.init(code: fault.code, "open the folder", ProfilePlace.split(path).folder)
        case .syncFolder: self.init(code: fault.code, "make durable the folder", ProfilePlace.split(path).folder)
        case .open, .status, .link, .rename: self.init(code: fault.code, action, path)
        }
    }

    /// Makes calls on a file, and a sentence from their error.
    ///
    /// - Parameter action: What the calls are for, as words that follow "cannot".
    static func explaining<Value: ~Copyable>(
        _ action: String, _ path: String, _ calls: () throws(FileFault) -> Value
    ) throws(StorageFault) -> Value {
        do throws(FileFault) {
            return try calls()
        } catch {
            throw StorageFault(error, action, path)
        }
    }

    /// The fault for a path where a profile file is expected and there is something else; `nil` for a regular file.
    static func unless(regular mode: mode_t, at path: String) -> StorageFault? {
        let kind: String
        switch mode & S_IFMT {
        case S_IFREG: return nil
        case S_IFDIR: kind = "a folder"
        case S_IFIFO: kind = "a FIFO"
        case S_IFSOCK: kind = "a socket"
        case S_IFCHR, S_IFBLK: kind = "a device"
        case S_IFLNK: kind = "a symbolic link"
        default: kind = "something"
        }
        return StorageFault(
            .notAFile, "\(path) is \(kind), not a file; a save is one file: name that one, or put it there")
    }
}
