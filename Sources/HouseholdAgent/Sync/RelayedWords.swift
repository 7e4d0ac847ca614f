import MergeCore
import SyncProtocol

/// The state of relaying words: who could be heard last, and which words may have changed since they were passed on.
struct RelayedWords {
    /// The links that were up and answered when words were last wanted.
    private var links: Set<ConnectionID> = []
    private var members: [Roster.Member] = []
    /// Profiles of which a word may have changed.
    private var untold: Set<ProfileID> = []
    /// Whether every word may have changed.
    private var isAllUntold = false

    /// Notes that a word about a profile may have changed.
    mutating func changed(_ id: ProfileID) { untold.insert(id) }

    /// Notes that every word may have changed.
    mutating func allChanged() { isAllUntold = true }

    /// Notes the links that answer and the members. Returns true where either has changed, so that words of other
    /// devices have to be asked for.
    mutating func update(links: Set<ConnectionID>, members: [Roster.Member]) -> Bool {
        guard self.links != links || self.members != members else { return false }
        (self.links, self.members) = (links, members)
        isAllUntold = true
        return true
    }

    /// Whether a link answered when words were last wanted.
    func isHeard(_ id: ConnectionID) -> Bool { links.contains(id) }

    /// The profiles whose words are to be passed on now. They are taken from the list.
    mutating func take(of profiles: [ProfileID]) -> [ProfileID] {
        defer { (isAllUntold, untold) = (false, []) }
        return isAllUntold ? profiles : untold.sorted()
    }
}
