package import ProfileKeeping

extension MemoryFiles {
    /// A draft lies where neither a game nor a start looks, so the disk shows it only once it is moved: whole, under a name
    /// that is not durable yet.
    package func draft(_ bytes: [UInt8], for path: String) -> (any FileDraft)? {
        guard swapping == .exchange, !power.isOff, has(path) else { return nil }
        return MemoryDraft(self, bytes)
    }

    package func dropDraft() {}

    fileprivate func move(draft bytes: [UInt8], to name: String, beside path: String) -> Bool {
        guard let staged = try? beside(name, path), (try? power.step(.create(name))) != nil,
            let inode = change({ $0.create(staged) })
        else { return false }
        change {
            $0.write(.put(bytes, at: 0), to: inode)
            $0.sync(inode)
        }
        return true
    }
}

/// The next content of a file on a disk in memory.
private final class MemoryDraft: FileDraft {
    private let files: MemoryFiles
    /// `nil` once it is moved.
    private var bytes: [UInt8]?

    init(_ files: MemoryFiles, _ bytes: [UInt8]) { (self.files, self.bytes) = (files, bytes) }

    func move(to name: String, beside path: String) -> Bool {
        guard let bytes, files.move(draft: bytes, to: name, beside: path) else { return false }
        self.bytes = nil
        return true
    }
}
