import LosslessJSON
import MergeCore

/// An older copy of a save that a game put back into its own file, because the file was damaged. It is no edit.
///
/// Before the game puts it back, it keeps the same bytes in a file beside its save. The next agent that reads the save
/// reads this copy first, and merges it so that no counter is added twice (``ProfileState/adopt(copy:_:)``). What the
/// save holds beyond the copy was played since. So the copy is neither a loss nor counted a second time, even if the
/// game is killed or no agent runs.
package enum RestoredCopy {
    static let prefix = ".hearth-restored-"
    private static let digits = 16

    /// A name for a new restored copy beside a save.
    ///
    /// - Parameter tag: A random number, so that no two copies share a name and none is read twice.
    package static func name(beside path: String, tag: UInt64) -> String {
        let tag = String(tag, radix: 16)
        return start(path) + String(repeating: "0", count: digits - tag.count) + tag
    }

    /// The names of the restored copies beside a save. There is at most one, unless removing or making one was cut
    /// short.
    package static func names(beside path: String, _ files: some ProfileFiles) -> [String] {
        let start = start(path)
        return files.stagedNames(beside: path, prefix: start).filter { $0.utf8.count == start.utf8.count + digits }
    }

    private static func start(_ path: String) -> String {
        let name = (path.split(separator: "/").last ?? "").utf8.prefix(200)
        return prefix + String(decoding: name, as: UTF8.self) + "-"
    }
}

extension ProfileEngine {
    /// Merges the copy that the game put back, if there is one, before the save in the file is read.
    mutating func takeRestored(
        _ profile: inout KeptProfile, _ path: String, before save: FileContent, now: Moment
    ) throws(StorageFault) {
        let names = RestoredCopy.names(beside: path, files)
        guard let name = names.last else { return }
        if profile.baseHistory.newest != nil, try store.note(Self.restoredNotes.key(profile.id)) != Array(name.utf8) {
            // If the copy cannot be read any more, the save itself is taken for the copy.
            let kept = try? files.readStaged(name, beside: path, limit: Self.fileLimit)
            let copy = kept.flatMap { current($0.bytes, profile) == nil ? nil : $0 } ?? save
            var atoms: [KeyedAtom] = []
            var baseHistory: BaseHistory.Change?
            if !Bytes.equal(copy.bytes, profile.baseHistory.newest?.bytes), let document = current(copy.bytes, profile)
            {
                // Even if no backup can be made now, the copy is no edit.
                scheduleBackupOfFormer(&profile, now: now)
                let context = context(profile, now: now.wall, fileTime: copy.modified, base: VersionVector())
                atoms = profile.state.adopt(copy: document, context).atoms
                baseHistory = profile.baseHistory.appendGame(copy.bytes, vector: profile.state.vector)
                profile.file.compareAll()
            }
            try commit(
                &profile, atoms: atoms, as: .adopt, at: now.wall, baseHistory: baseHistory,
                notes: takenUp(name, profile))
        }
        remove(names, path)
    }

    /// Clears a restored copy if the file holds exactly its bytes: then there is nothing left to read.
    mutating func settleRestored(
        _ profile: inout KeptProfile, _ path: String, content: [UInt8]
    ) throws(StorageFault) {
        let names = RestoredCopy.names(beside: path, files)
        guard let name = names.last,
            let kept = try? files.readStaged(name, beside: path, limit: Self.fileLimit),
            Bytes.equal(kept.bytes, content)
        else { return }
        try commit(&profile, notes: takenUp(name, profile))
        remove(names, path)
    }

    /// Clears a restored copy before other content is written into the file. The game has not read that content, so the
    /// copy must not be found later.
    mutating func dropRestored(_ profile: inout KeptProfile, _ path: String) throws(StorageFault) {
        let names = RestoredCopy.names(beside: path, files)
        guard let name = names.last else { return }
        try commit(&profile, notes: takenUp(name, profile))
        remove(names, path)
    }

    /// Removes restored copies where a save is taken up as a whole: they are not needed, and must not be found later.
    func forgetRestored(_ path: String) { remove(RestoredCopy.names(beside: path, files), path) }

    private func remove(_ names: [String], _ path: String) {
        for name in names { try? files.removeStaged(name, beside: path) }
    }

    private func current(_ bytes: [UInt8], _ profile: KeptProfile) -> JSONDocument? {
        guard let document = try? profile.parse(bytes), VersionStatus(document, profile.state.rules) == .current
        else { return nil }
        return document
    }

    /// The notes which say which restored copy of a profile was taken up last.
    private static var restoredNotes: NoteSpace { NoteSpace("restored") }

    private func takenUp(_ name: String, _ profile: KeptProfile) -> NoteChange {
        NoteChange(Self.restoredNotes.key(profile.id), Array(name.utf8))
    }
}
