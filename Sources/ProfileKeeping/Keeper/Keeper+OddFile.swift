import LosslessJSON
package import MergeCore

/// Something that stands where a save should be and is none: an empty file, half a file.
struct OddFile: Hashable, Sendable {
    /// A fingerprint of what it holds.
    var print: [UInt8]
    /// When it was written, as the disk has it.
    var modified: Int64
    /// When it was first seen.
    var since: Int64
}

/// No such file is an edit. After a while in which nobody writes, the last good state takes its place, and what stood
/// there is kept in quarantine.
///
/// A save that can be read is never replaced so, whatever its version; nor is anything while the rules are held.
extension Keeper {
    /// Milliseconds after its last write that such a file is left as it is: its game may be in the middle of something.
    package static var oddGrace: Int64 { 30_000 }

    /// When ``putBack(_:now:)`` may be called; `nil` where there is nothing to be put back.
    package func oddDeadline(_ id: ProfileID) -> Int64? {
        guard let profile = profiles[id], let odd = profile.odd, profile.file != nil, !profile.waitsForOthers else {
            return nil
        }
        return odd.since + Self.oddGrace
    }

    /// Sets such a file aside, so that the next projection writes the last good state in its place. False where another
    /// thing stands there by now.
    package mutating func putBack(_ id: ProfileID, now: Int64) throws(StorageFault) -> Bool {
        try finishInterrupted(id, now: now)
        guard let profile = profiles[id], let path = profile.file, let odd = profile.odd, !profile.waitsForOthers else {
            return false
        }
        guard let content = try files.read(path, limit: Self.fileLimit), Fingerprint.matches(odd.print, content.bytes)
        else {
            profiles[id]?.odd = nil
            return false
        }
        try setAside(id)
        return profiles[id]?.discarded != nil
    }

    /// Remembers since when something stands there that is no save.
    func noteOdd(_ profile: inout KeptProfile, _ content: FileContent, now: Int64) {
        profile.odd = nil
        guard profile.state.rulesHeld == nil, profile.lineage.newest != nil,
            (try? JSONDocument(parsing: content.bytes)) == nil
        else { return }
        let known = profiles[profile.id]?.odd
        if let known, known.modified == content.modified, Fingerprint.matches(known.print, content.bytes) {
            profile.odd = known
        } else {
            profile.odd = OddFile(print: Fingerprint.of(content.bytes), modified: content.modified, since: now)
        }
    }

    /// What happens to such a file by itself, and what to do for it to happen at once.
    func oddRemedy(_ profile: KeptProfile) -> String {
        guard profile.lineage.newest != nil, let path = profile.file else {
            return "sync goes on when the file is good again"
        }
        return "the last good state is put back \(Self.oddGrace / 1_000) s after the last write, while no game of it runs, "
            + "and what stands there is kept; at once with: hearth restore \(word(profile.id)) "
            + "--to \(ShellWord.quoted(path))"
    }

    /// What stands at the path and is no save goes into quarantine, so that what is known of the profile can be written
    /// in its place. A save of any version, and a file that the rules cannot read, is no such thing.
    mutating func setAside(_ id: ProfileID) throws(StorageFault) {
        guard var profile = profiles[id], case .bad = profile.status, let path = profile.file,
            profile.state.rulesHeld == nil, let content = try files.read(path, limit: Self.fileLimit),
            (try? JSONDocument(parsing: content.bytes)) == nil
        else { return }
        let name = String(path.split(separator: "/").last ?? "save")
        let place = try files.quarantine(content.bytes, of: id, named: name)
        let what = content.bytes.isEmpty ? "an empty file" : "no save"
        profile.words.say(
            .quarantined,
            "what stood at \(path) was \(what), and what is known was put in its place; the odd file is kept at "
                + place)
        profile.discarded = content.bytes
        profile.status = status(profile)
        profile.lag = .unknown
        try commit(&profile)
    }
}
