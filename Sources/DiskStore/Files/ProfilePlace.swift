import Libc
import ProfileKeeping

/// The real place of a profile file: its path with every symbolic link followed, including the last component.
struct ProfilePlace: Hashable, Sendable {
    /// The folder of the target, without links.
    let folder: String
    let name: String

    var path: String { folder == "/" ? "/" + name : folder + "/" + name }

    /// The number of links that are followed at the end of a path, as in the kernel (MAXSYMLINKS).
    private static let linkLimit = 40

    /// Follows a path. `nil` where its folder does not exist; the file itself need not exist.
    init?(_ path: String) throws(StorageFault) {
        guard path.hasPrefix("/"), !path.utf8.contains(0), path.utf8.count < 4_096 else {
            throw StorageFault(.other, "\(path) is no absolute path; give the profile file's full path")
        }
        var path = path
        for _ in 0..<Self.linkLimit {
            let (before, name) = Self.split(path)
            guard !name.isEmpty, name != ".", name != ".." else {
                throw StorageFault(.notAFile, "\(path) is a folder, not a file; give the profile file's full path")
            }
            guard let resolved = realpath(before, nil) else {
                if errno == ENOENT || errno == ENOTDIR { return nil }
                throw StorageFault(code: errno, "open the folder", before)
            }
            let folder = String(cString: resolved)
            free(resolved)
            self.init(folder: folder, name: name)
            guard let link = Self.link(at: self.path) else { return }
            path = link.hasPrefix("/") ? link : folder + "/" + link
        }
        throw StorageFault(.notAFile, "\(path) is a symbolic link that leads in a circle; point it at the save")
    }

    private init(folder: String, name: String) {
        self.folder = folder
        self.name = name
    }

    /// The path of another file in the target's folder.
    func beside(_ name: String) throws(StorageFault) -> String {
        try Self.check(name)
        return ProfilePlace(folder: folder, name: name).path
    }

    /// Checks a file name. Names come from the record and from other devices: a name that would lead to another folder
    /// is refused.
    static func check(_ name: String) throws(StorageFault) {
        guard !name.isEmpty, name != ".", name != "..", name.utf8.count <= 255,
            !name.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") })
        else { throw StorageFault(.other, "\"\(name)\" is no file name; the record may be damaged") }
    }

    /// Splits a path into folder and last component, by its text alone.
    static func split(_ path: String) -> (folder: String, name: String) {
        let slash = UInt8(ascii: "/")
        var text = path.utf8[...]
        while text.count > 1, text.last == slash { text.removeLast() }
        guard let end = text.lastIndex(of: slash) else { return (".", String(decoding: text, as: UTF8.self)) }
        let (folder, name) = (text[..<end], text[text.index(after: end)...])
        return (folder.isEmpty ? "/" : String(decoding: folder, as: UTF8.self), String(decoding: name, as: UTF8.self))
    }

    /// The target of a symbolic link; `nil` where the path is no link.
    static func link(at path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = buffer.withUnsafeMutableBytes { bytes in
            readlink(path, bytes.baseAddress!.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
