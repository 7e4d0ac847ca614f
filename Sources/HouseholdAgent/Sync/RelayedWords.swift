import MergeCore
import SyncProtocol

/// What was passed on last of the words of devices that are not connected to everybody, and what of them may be new.
struct RelayedWords {
    /// The links that were up and answered when words were last wanted.
    private var links: Set<ConnectionID> = []
    private var members: [Roster.Member] = []
    /// Profiles of which a word may have changed.
    private var untold: Set<ProfileID> = []
    /// Whether every word may have changed.
    private var isAllUntold = false

    /// A word of a profile may have changed.
    mutating func changed(_ id: ProfileID) { untold.insert(id) }

    /// Every word may have changed.
    mutating func allChanged() { isAllUntold = true }

    /// Who can be heard now; true where others have to be asked for words than before.
    mutating func update(links: Set<ConnectionID>, members: [Roster.Member]) -> Bool {
        guard self.links != links || self.members != members else { return false }
        (self.links, self.members) = (links, members)
        isAllUntold = true
        return true
    }

    /// Whether a link answered when words were last wanted.
    func isHeard(_ id: ConnectionID) -> Bool { links.contains(id) }

    /// The profiles whose words are to be passed on now.
    mutating func take(of profiles: [ProfileID]) -> [ProfileID] {
        defer { (isAllUntold, untold) = (false, []) }
        return isAllUntold ? profiles : untold.sorted()
    }
}
