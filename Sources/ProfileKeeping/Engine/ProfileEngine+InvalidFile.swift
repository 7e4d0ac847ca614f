import LosslessJSON
package import MergeCore

/// Invalid files are never read as edits. If one whose write did not finish is not written for a while, the last good
/// state replaces it, and its content is kept in quarantine. Any other invalid file is replaced when the player asks for
/// it.
///
/// A save that can be read is never replaced in this way, whatever its version. Nor is any file while the rules are
/// held.
extension ProfileEngine {
    /// The time for which an invalid file is left as it is after its last write, since its game may be in the middle of
    /// a save.
    package static var invalidFileGrace: Duration { .seconds(30) }

    /// The time at which ``putBack(_:now:)`` is to be called by itself; `nil` where it is not.
    package func invalidFileDeadline(_ id: ProfileID) -> MonotonicTime? {
        guard mayPutBack(id), let invalidFile = profiles[id]?.file.invalidFile, invalidFile.isUnfinished else {
            return nil
        }
        return invalidFile.since + Self.invalidFileGrace
    }

    /// Whether an invalid file is at the path that ``putBack(_:now:)`` can replace.
    package func mayPutBack(_ id: ProfileID) -> Bool {
        profiles[id].map { $0.file.invalidFile != nil && !$0.waitsForOthers } ?? false
    }

    /// Quarantines an invalid file, so that the next projection writes the last good state in its place. Returns false
    /// where the file has other content by now.
    package mutating func putBack(_ id: ProfileID, now: Moment) throws(StorageFault) -> Bool {
        try finishInterrupted(id, now: now)
        guard let profile = profiles[id], let path = profile.file.path, let invalidFile = profile.file.invalidFile,
            !profile.waitsForOthers
        else {
            return false
        }
        guard let content = try files.read(path, limit: Self.fileLimit),
            Fingerprint.matches(invalidFile.print, content.bytes)
        else {
            profiles[id]?.file.invalidFileChanged()
            return false
        }
        try quarantineFile(of: id)
        return profiles[id]?.file.quarantined != nil
    }

    /// The invalid file that has a content, and since when it has that; `nil` where it must not be replaced.
    func invalidFile(_ profile: KeptProfile, _ content: FileContent, now: Moment) -> InvalidFile? {
        guard profile.state.rulesHeld == nil, profile.baseHistory.newest != nil,
            let fault = Self.syntaxError(in: content.bytes)
        else { return nil }
        let known = profiles[profile.id]?.file.invalidFile
        if let known, known.modified == content.modified, Fingerprint.matches(known.print, content.bytes) {
            return known
        }
        return InvalidFile(
            print: Fingerprint.of(content.bytes), modified: content.modified, since: now.monotonic,
            isUnfinished: fault.isUnfinished)
    }

    private static func syntaxError(in bytes: [UInt8]) -> JSONSyntaxError? {
        do {
            _ = try JSONDocument(parsing: bytes)
            return nil
        } catch {
            return error
        }
    }

    /// A sentence for the player: what happens to an invalid file by itself, and how to make it happen at once.
    func invalidFileRemedy(_ profile: KeptProfile, isUnfinished: Bool) -> String {
        guard profile.baseHistory.newest != nil, let path = profile.file.path else {
            return "sync goes on when the file is good again"
        }
        guard !profile.waitsForOthers else { return "sync goes on when the file is good again" }
        let command = "hearth restore \(word(profile.id)) --to \(ShellWord.quoted(path))"
        guard isUnfinished else {
            return
                "it stays as it is, and sync goes on when its game writes JSON again; the last good state takes its place, "
                + "and the file there is kept, with: \(command)"
        }
        return
            "the last good state is put back \(Self.invalidFileGrace.components.seconds) s after the last write, "
            + "while no game of it runs, and the file there is kept; at once with: \(command)"
    }

    /// Whether a file was quarantined before the start, and the last good state was not written yet.
    func wasQuarantined(_ bytes: [UInt8], _ profile: KeptProfile, at path: String) -> Bool {
        guard let print = profile.quarantinePrint, profile.state.rulesHeld == nil, Self.syntaxError(in: bytes) != nil
        else { return false }
        return Fingerprint.matches(print, bytes + Array(path.utf8))
    }

    /// Forgets that a file was quarantined, because something else is at the path by now.
    func forgetQuarantine(_ profile: inout KeptProfile) {
        guard profile.quarantinePrint != nil else { return }
        profile.quarantinePrint = nil
        // A note that stays is compared with the file at the next start, so a fault here does little harm.
        try? store.commit(RecordChange(notes: NoteChange(Self.quarantineNotes.key(profile.id), nil)))
    }

    /// The notes of files that are quarantined and not replaced yet, by profile: a fingerprint of content and path.
    static var quarantineNotes: NoteSpace { NoteSpace("set-aside") }

    /// Quarantines a file that is no save, so that what is known of the profile can be written in its place. A save of
    /// any version stays, and so does a save with values that the rules cannot read.
    ///
    /// - Parameter onlyUnfinished: Whether a whole file stays, see ``InvalidFile/isUnfinished``.
    mutating func quarantineFile(of id: ProfileID, onlyUnfinished: Bool = false) throws(StorageFault) {
        guard var profile = profiles[id], case .bad = profile.file.status, let path = profile.file.path,
            profile.state.rulesHeld == nil, let content = try files.read(path, limit: Self.fileLimit),
            let fault = Self.syntaxError(in: content.bytes), fault.isUnfinished || !onlyUnfinished
        else { return }
        let name = String(path.split(separator: "/").last ?? "save")
        let place = try files.quarantine(content.bytes, of: id, named: name)
        let what = content.bytes.isEmpty ? "empty" : "no save"
        profile.notices.say(
            .quarantined, about: place,
            "the file at \(path) was \(what), and the last good state was put back; that file is kept at "
                + place)
        profile.file.quarantine(content.bytes)
        let print = Fingerprint.of(content.bytes + Array(path.utf8))
        profile.quarantinePrint = print
        try commit(&profile, notes: NoteChange(Self.quarantineNotes.key(id), print))
    }
}
