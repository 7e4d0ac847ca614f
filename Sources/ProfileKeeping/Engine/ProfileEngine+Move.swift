import LosslessJSON
package import MergeCore

extension ProfileEngine {
    /// Moves the profile to a file at another path. Where that file differs from what was seen last, the difference is
    /// an edit, which the next look takes up. Returns whether a file remains at the former path; it holds nothing new.
    package mutating func move(_ id: ProfileID, to path: String, now: Moment) throws(AdoptFault) -> Bool {
        guard let held = profiles[id], let former = held.file.path else {
            throw AdoptFault("no profile \(id) has a file here")
        }
        guard former != path else { throw AdoptFault("\(held.name) is at \(path) already") }
        if let owner = profile(at: path) {
            throw AdoptFault("\(path) is profile \(profiles[owner]!.name) (\(owner)) already")
        }
        try refuseOtherPath(to: path, now: now.monotonic)
        guard try readDocument(path, held.state.rules) != nil else {
            throw AdoptFault("nothing is at \(path); move the save there first")
        }
        guard mayLeave(former, of: id) else {
            throw AdoptFault(
                "a file is at \(former) still and holds what was not taken up; delete it or move it away, then try again"
            )
        }
        do {
            try finishInterrupted(id, now: now)
            try leaveDisplaced(id, now: now)
            guard var profile = profiles[id] else { return false }
            try writeEnd(&profile)
            forgetRestored(path)
            makeDurable(path)
            profile.file.move(to: path)
            profile.noteVersionStatus()
            // Other programs may look at files in another folder.
            profile.ownSaves = OwnSaves()
            try commit(&profile, notes: NoteChange(OwnSaves.notes.key(id), nil))
            return (try? files.read(former, limit: Self.fileLimit)) ?? nil != nil
        } catch {
            throw AdoptFault(error.message)
        }
    }

    /// Whether nothing is lost if a profile's file is not looked at any more: there is no file, or it holds what was
    /// seen last.
    package func mayLeave(_ former: String, of id: ProfileID) -> Bool {
        do {
            guard let content = try files.read(former, limit: Self.fileLimit) else { return true }
            return Bytes.equal(content.bytes, profiles[id]?.baseHistory.newest?.bytes)
        } catch {
            return false
        }
    }

    /// Whether no file is at a path, as far as that can be told.
    private func isNothing(at path: String) -> Bool {
        do { return try files.identity(of: path) == nil } catch { return false }
    }

    /// Reads and removes the displaced files beside the former path, because the agent does not look there any more.
    mutating func leaveDisplaced(_ id: ProfileID, now: Moment) throws(StorageFault) {
        for index in (profiles[id]?.displaced ?? []).indices {
            profiles[id]?.displaced[index].since = now.monotonic - Self.displacedTime
        }
        try clearDisplaced(id, now: now)
        guard let profile = profiles[id], !profile.displaced.isEmpty else { return }
        throw StorageFault(
            .changed,
            "a program still has \(profile.file.path ?? "the save") open as it was before the last merge; end it, then try again"
        )
    }

    /// Lets the profile's file on this device go, so that it can be bound to another path together with the file there.
    /// That file belongs to a profile of the same name, to which the player joins this one. Refused where the former
    /// file holds something else than was seen last, or where the other profile has another name.
    mutating func leave(_ former: String, of profile: KeptProfile, for path: String, now: Moment) throws(AdoptFault) {
        let name = profile.name
        guard let other = self.profile(at: path), other != profile.id, profiles[other]?.name == name else {
            let here = "profile \(name) is at \(former) on this device already"
            let (word, target) = (word(profile.id), ShellWord.quoted(path))
            if let other = self.profile(at: path), other != profile.id {
                throw AdoptFault("\(here), and \(path) is that of \(self.profiles[other]!.name); name another file")
            }
            // Nothing can have moved where there is no file at all, as after a restore to a full disk.
            let isNowhere = [former, path].allSatisfy { isNothing(at: $0) }
            throw AdoptFault(
                isNowhere
                    ? "\(here), and there is no file; to have it there instead: hearth remove \(word) && hearth restore "
                        + "\(word) --to \(target)"
                    : "\(here); if its file has moved: hearth move \(word) \(target)")
        }
        guard mayLeave(former, of: profile.id) else {
            throw AdoptFault(
                "profile \(name) is at \(former) on this device already; to join the two and leave that file as it is: "
                    + "hearth remove \(profile.id) && hearth restore \(profile.id) --to \(ShellWord.quoted(path))")
        }
        do {
            try leaveDisplaced(profile.id, now: now)
            try unbind(profile.id)
        } catch {
            throw AdoptFault(error.message)
        }
    }
}
