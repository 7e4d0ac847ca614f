import MergeCore
import ProfileKeeping
import SyncProtocol

/// The profiles whose file may show something else than the other devices were told, until they are told again.
struct FileStates {
    private var unannounced: Set<ProfileID> = []
    private var known: Set<ProfileID> = []

    /// The profiles whose file did not show all that this device covers when they were looked at last, ascending. A device
    /// that connects is told of them.
    var behind: [ProfileID] { known.sorted() }

    /// Notes that a profile's file may show something else by now.
    mutating func mayHaveChanged(_ profile: ProfileID) { unannounced.insert(profile) }

    /// The profiles that were noted since the last call, ascending.
    mutating func takeUnannounced() -> [ProfileID] {
        defer { unannounced = [] }
        return unannounced.sorted()
    }

    /// Notes whether a profile's file does not show all that this device covers.
    mutating func note(_ profile: ProfileID, isBehind: Bool) {
        if isBehind { known.insert(profile) } else { known.remove(profile) }
    }
}

extension HouseholdAgent {
    /// Tells a device that asks whether this one is there which files were changed here and are not read yet. It is told
    /// again once they are. So "in step" over there never means a save that this device has heard of and not taken up.
    mutating func sayWhatIsUnread(on id: ConnectionID, now: Moment) {
        for profile in watches.active.sorted() where engine.profiles[profile]?.file.path != nil {
            if !watches.isSettled(profile) { tell(id, now: now) { $0.say(profile, isFileBehind: true) } }
        }
    }

    /// Tells every linked device, for the profiles noted, whether the file here shows all that this device covers.
    mutating func announceFileStates(now: Moment) {
        for profile in watches.takeSeen().union(paused.takeChanged()) { fileStates.mayHaveChanged(profile) }
        let profiles = fileStates.takeUnannounced()
        for profile in profiles { engine.noteUnread(profile) }
        for profile in profiles {
            let isBehind = isFileBehind(profile)
            fileStates.note(profile, isBehind: isBehind)
            // While its game writes it, only what was said before stays said; it is looked at after that.
            if isBehind || watches.isSettled(profile) { tellAll(now: now) { $0.say(profile, isFileBehind: isBehind) } }
        }
    }
}
