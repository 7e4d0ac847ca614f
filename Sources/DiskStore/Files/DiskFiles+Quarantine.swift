#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
package import MergeCore
package import ProfileKeeping

/// Copies kept in Hearth's own folder.
extension DiskFiles {
    package func keepBackup(
        _ bytes: [UInt8], of profile: ProfileID, named name: String, newest: Int
    ) throws(StorageFault) {
        try ProfilePlace.check(name)
        let folder = try folder("backups", profile)
        let kept = try keep(bytes, in: folder) { Self.numbered(name, $0) }
        // Names sort by time; the copy just made stays even where the clock was set back.
        let others = Self.names(in: folder, limit: 100_000) { !$0.hasPrefix(".") && $0 != kept }
        for old in others.sorted().dropLast(max(0, newest - 1)) { unlink(folder + "/" + old) }
    }

    package func quarantine(
        _ bytes: [UInt8], of profile: ProfileID, named name: String
    ) throws(StorageFault) -> String {
        try ProfilePlace.check(name)
        let folder = try folder("quarantine", profile)
        let plain = String(name.drop { $0 == "." })
        return folder + "/" + (try keep(bytes, in: folder) { $0 == 0 ? plain : "\(plain)-\($0 + 1)" })
    }

    /// A second copy of one millisecond sorts right behind the first: `1.json`, `1_1.json`.
    static func numbered(_ name: String, _ number: Int) -> String {
        guard number > 0 else { return name }
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        return name[..<dot] + "_\(number)" + name[dot...]
    }

    /// Writes under the first name that is free, or that holds these bytes already; returns it. Nothing is overwritten.
    private func keep(
        _ bytes: [UInt8], in folder: String, named name: (Int) -> String
    ) throws(StorageFault) -> String {
        for number in 0..<10_000 {
            let free = name(number)
            try ProfilePlace.check(free)
            let path = folder + "/" + free
            if let status = try Self.status(path) {
                guard status.st_size == bytes.count,
                    try content(path, shown: path, limit: bytes.count)?.bytes == bytes
                else { continue }
                try Self.sync(folder: folder)
                return free
            }
            try write(bytes, as: free, in: folder)
            return free
        }
        throw StorageFault(.other, "\(folder) holds 10,000 files of one name; look through them and remove some")
    }

    /// Makes a complete, durable file or none.
    private func write(_ bytes: [UInt8], as name: String, in folder: String) throws(StorageFault) {
        let path = folder + "/" + name
        let temporary = folder + "/.new"
        unlink(temporary)
        guard let file = Descriptor(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600) else {
            throw StorageFault(code: errno, "create", temporary)
        }
        do throws(StorageFault) {
            try file.writeAll(bytes, path: path)
            try file.sync(path: path)
            guard rename(temporary, path) == 0 else { throw StorageFault(code: errno, "create", path) }
        } catch {
            unlink(temporary)
            throw error
        }
        try Self.sync(folder: folder)
    }

    private func folder(_ kind: String, _ profile: ProfileID) throws(StorageFault) -> String {
        let path = home + "/" + kind + "/" + profile.description
        if let status = try Self.status(path), status.st_mode & S_IFMT == S_IFDIR { return path }
        try HomeFolder.create(path)
        return path
    }
}
