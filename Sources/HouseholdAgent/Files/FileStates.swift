import MergeCore
import ProfileKeeping
import SyncProtocol

/// The profiles whose file may show something else than the other devices were told, until they are told again.
struct FileStates {
    private var unannounced: Set<ProfileID> = []
    private var known: Set<ProfileID> = []
    /// The profiles whose file shows everything now, but of which some device was last told that it does not. They are
    /// announced again.
    private var owed: Set<ProfileID> = []
    /// The links that were told in this event which files are not read yet.
    private var told: Set<ConnectionID> = []

    /// The profiles whose file did not show all that this device covers when they were looked at last, ascending. A device
    /// that connects is told of them.
    var behind: [ProfileID] { known.sorted() }

    /// Notes that a profile's file may show something else by now.
    mutating func mayHaveChanged(_ profile: ProfileID) { unannounced.insert(profile) }

    /// The profiles that were noted since the last call, and those of which a device is still to be told, ascending.
    mutating func takeUnannounced() -> [ProfileID] {
        defer { (unannounced, owed) = ([], []) }
        return unannounced.union(owed).sorted()
    }

    /// Notes that some device is still to be told that the file shows all: it did not cover the same, or the game is
    /// writing.
    mutating func owes(_ profile: ProfileID) { owed.insert(profile) }

    mutating func beginEvent() { told = [] }

    /// Whether a link is to be told which files are not read yet: once in an event, however often its peer asks.
    mutating func tells(_ id: ConnectionID) -> Bool { told.insert(id).inserted }

    /// Notes whether a profile's file does not show all that this device covers.
    mutating func note(_ profile: ProfileID, isBehind: Bool) {
        if isBehind { known.insert(profile) } else { known.remove(profile) }
    }
}

extension HouseholdAgent {
    /// Tells a device that asks whether this one is there which files were changed here and are not read yet. It is told
    /// again once they are. So "in step" over there never means a save that this device has heard of and not taken up.
    mutating func sayWhatIsUnread(on id: ConnectionID, now: Moment) {
        guard fileStates.tells(id) else { return }
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
            // While its game writes it, what was said before stays said.
            if isBehind || watches.isSettled(profile) { tellAll(now: now) { $0.say(profile, isFileBehind: isBehind) } }
            let isOwed = !isBehind && links.all.contains { $0.live.link.saysFileBehind(profile) }
            if isOwed { fileStates.owes(profile) }
        }
    }

    /// Whether a device is told, beside what this one covers, that the file here does not show all of it.
    func isFileBehind(_ id: ProfileID, for live: LiveLink) -> Bool {
        isFileBehind(id) || !watches.isSettled(id) && live.link.saysFileBehind(id)
    }
}
