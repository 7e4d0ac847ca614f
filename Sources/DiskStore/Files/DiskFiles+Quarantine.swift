import Libc
import LocalFiles
package import MergeCore
package import ProfileKeeping

/// The quarantine: bytes that are no profile, kept in Hearth's own folder. Also the writing of files in that folder.
extension DiskFiles {
    package func quarantine(
        _ bytes: [UInt8], of profile: ProfileID, named name: String
    ) throws(StorageFault) -> String {
        try ProfilePlace.check(name)
        let folder = try makeFolder("quarantine", profile)
        let plain = String(name.drop { $0 == "." })
        // The bytes go under the first name that is free, or that holds the same bytes already. Nothing is overwritten.
        for number in 1...10_000 {
            let free = number == 1 ? plain : "\(plain)-\(number)"
            try ProfilePlace.check(free)
            let path = folder + "/" + free
            if let status = try Self.status(path) {
                guard status.st_size == bytes.count,
                    try content(path, shown: path, limit: bytes.count)?.bytes == bytes
                else { continue }
                try Self.sync(folder: folder)
            } else {
                try write(bytes, as: free, in: folder)
            }
            return path
        }
        throw StorageFault(.other, "\(folder) holds 10,000 files of one name; look through them and remove some")
    }

    /// Writes a complete, durable file by an atomic rename; a failure leaves none. An existing file of that name is
    /// replaced.
    func write(_ bytes: [UInt8], as name: String, in folder: String) throws(StorageFault) {
        let path = folder + "/" + name
        let draft = folder + "/.new"
        do throws(FileFault) {
            try DurableFile.replace(path, with: bytes, draft: draft)
        } catch {
            throw StorageFault(error, "create", error.call == .open ? draft : path)
        }
    }

    /// The folder of a profile's files of one kind. It need not exist.
    func folder(_ kind: String, _ profile: ProfileID) -> String { home + "/" + kind + "/" + profile.description }

    /// The folder of a profile's files of one kind, which is made where it does not exist.
    func makeFolder(_ kind: String, _ profile: ProfileID) throws(StorageFault) -> String {
        let path = folder(kind, profile)
        if let status = try Self.status(path), status.st_mode & S_IFMT == S_IFDIR { return path }
        try HomeFolder.create(path)
        return path
    }
}
