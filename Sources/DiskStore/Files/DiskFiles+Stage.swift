import Libc
import LocalFiles
package import ProfileKeeping

extension DiskFiles {
    package func stage(_ bytes: [UInt8], as name: String, beside path: String) throws(StorageFault) {
        guard let place = try ProfilePlace(path) else {
            throw StorageFault(
                .other,
                "the folder of \(path) does not exist; make it, or say where the save is now (hearth move), or that it is "
                    + "not played here any more (hearth remove)")
        }
        let target = try Self.replaceable(place, shown: path)
        let staged = try place.beside(name)
        do throws(FileFault) {
            try DurableFile.create(bytes, at: staged) { (file) throws(FileFault) in
                try inherit(file, from: target, at: place.path)
            }
        } catch {
            // The player never saw the staged file, so the sentence names the save or its folder instead.
            guard error.call == .open else { throw StorageFault(error, "create", place.path) }
            throw StorageFault(code: error.code, "make a file in", place.folder)
        }
    }

    /// The status of the file at the target; `nil` where there is none. Refuses files that a rename would separate from
    /// their other names (hard links, mounts).
    static func replaceable(_ place: ProfilePlace, shown: String) throws(StorageFault) -> stat? {
        guard let status = try status(place.path) else { return nil }
        if let fault = StorageFault.unless(regular: status.st_mode, at: shown) { throw fault }
        guard status.st_nlink <= 1 else {
            throw StorageFault(
                .shared,
                "\(shown) has \(status.st_nlink) names (hard links), and replacing it would part them; remove the others"
            )
        }
        #if os(Linux)
            guard !LinuxCalls.isMountPoint(place.path) else { throw mounted(shown) }
        #endif
        return status
    }

    static func mounted(_ path: String) -> StorageFault {
        StorageFault(.shared, "\(path) is mounted there by itself and cannot be replaced; mount its folder instead")
    }

    /// Gives the new file the attributes of the target: owner, mode, extended attributes with access lists.
    func inherit(_ file: borrowing Descriptor, from target: stat?, at path: String) throws(FileFault) {
        guard let target else {
            return try file.setMode(0o644 & ~mask)
        }
        // Only root may give a file to another owner; but this user may still set its group.
        if let own = try? file.status(), own.st_uid != target.st_uid || own.st_gid != target.st_gid,
            fchown(file.number, target.st_uid, target.st_gid) != 0
        {
            _ = fchown(file.number, uid_t.max, target.st_gid)
        }
        try file.setMode(target.st_mode & 0o777)
        guard let source = try? Descriptor(path, Self.safely) else { return }
        #if os(Linux)
            let names = LinuxCalls.attributes(source.number)
            // The new file may have inherited the folder's default access list, which the target does not have.
            for extra in LinuxCalls.attributes(file.number) where !names.contains(extra) {
                LinuxCalls.removeAttribute(file.number, extra)
            }
            for name in names {
                guard let value = LinuxCalls.attribute(source.number, name) else { continue }
                let code = LinuxCalls.setAttribute(file.number, name, value)
                if code == ENOSPC || code == EDQUOT { throw FileFault(.setAttribute, code: code) }
            }
        #else
            _ = fcopyfile(source.number, file.number, nil, copyfile_flags_t(COPYFILE_XATTR | COPYFILE_ACL))
        #endif
    }
}
