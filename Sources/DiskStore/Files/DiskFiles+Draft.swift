import Libc
import LocalFiles
package import ProfileKeeping

extension DiskFiles {
    package func draft(_ bytes: [UInt8], for path: String) -> (any FileDraft)? {
        // A file cannot be moved to another file system, and one that is new inherits from its folder.
        guard let place = try? ProfilePlace(path), let target = try? Self.replaceable(place, shown: path),
            let own = try? Self.status(home), own.st_dev == target.st_dev,
            let file = try? create(draft: bytes, inheriting: target, of: place.path)
        else {
            dropDraft()
            return nil
        }
        return DiskDraft(self, file)
    }

    package func dropDraft() { unlink(draftPath) }

    /// There is one draft at a time.
    private var draftPath: String { home + "/next-save" }

    private func create(
        draft bytes: [UInt8], inheriting target: stat, of path: String
    ) throws(FileFault) -> Descriptor {
        dropDraft()
        let file = try Descriptor(draftPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        try file.writeAll(bytes)
        try inherit(file, from: target, at: path)
        // A file that is made in the save's folder has much from that folder (its group, its label) that this user may not
        // be allowed to give. Where the draft is not exactly like its target, the file is made there.
        let own = try file.status()
        guard own.st_uid == target.st_uid, own.st_gid == target.st_gid, (own.st_mode ^ target.st_mode) & 0o777 == 0,
            Self.hasAttributes(file, of: path)
        else { throw FileFault(.setAttribute, code: EPERM) }
        return file
    }

    private static func hasAttributes(_ file: borrowing Descriptor, of path: String) -> Bool {
        #if os(Linux)
            guard let source = try? Descriptor(path, safely) else { return false }
            let names = LinuxCalls.attributes(source.number)
            return LinuxCalls.attributes(file.number).sorted() == names.sorted()
                && names.allSatisfy {
                    LinuxCalls.attribute(file.number, $0) == LinuxCalls.attribute(source.number, $0)
                }
        #else
            return true
        #endif
    }

    fileprivate func move(draftTo name: String, beside path: String) -> Bool {
        guard let place = try? ProfilePlace(path), let staged = try? place.beside(name) else { return false }
        return (try? Self.moveToNew(draftPath, staged)) == 0
    }
}

/// The next content of a file, written into Hearth's own folder, where no game looks. A thread of its own syncs it.
private final class DiskDraft: FileDraft {
    private let files: DiskFiles
    /// Whether the draft is durable.
    private let isSynced: CallBeside<Bool>

    init(_ files: DiskFiles, _ file: consuming Descriptor) {
        self.files = files
        let file = DraftFile(file)
        isSynced = CallBeside { file.sync() }
    }

    deinit {
        _ = isSynced.wait()
        files.dropDraft()
    }

    func move(to name: String, beside path: String) -> Bool {
        isSynced.wait() && files.move(draftTo: name, beside: path)
    }
}

/// An open draft. A class, since a closure that is called on another thread cannot hold a descriptor itself.
private final class DraftFile: Sendable {
    private let descriptor: Descriptor

    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    func sync() -> Bool { (try? descriptor.sync()) != nil }
}
