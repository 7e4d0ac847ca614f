import MergeCore
import SyncProtocol

/// The state of relaying acknowledgements: which links answered last, and which acknowledgements may have changed since
/// they were passed on.
struct RelayedAcks {
    /// The links that were up and answered when acknowledgements were last asked for.
    private var links: Set<ConnectionID> = []
    private var members: [Roster.Member] = []
    /// Profiles whose acknowledgements may have changed.
    private var unannounced: Set<ProfileID> = []
    /// Whether every acknowledgement may have changed.
    private var isAllUnannounced = false

    /// Notes that an acknowledgement about a profile may have changed.
    mutating func changed(_ id: ProfileID) { unannounced.insert(id) }

    /// Notes that every acknowledgement may have changed.
    mutating func allChanged() { isAllUnannounced = true }

    /// Notes the links that answer, each once, and the members. Returns true if either has changed, so that
    /// acknowledgements of other devices have to be asked for.
    mutating func update(links: some Sequence<ConnectionID>, members: [Roster.Member]) -> Bool {
        var count = 0
        let areKnown = links.allSatisfy { id in
            count += 1
            return self.links.contains(id)
        }
        guard !areKnown || count != self.links.count || self.members != members else { return false }
        (self.links, self.members) = (Set(links), members)
        isAllUnannounced = true
        return true
    }

    /// Whether a link answered when acknowledgements were last asked for.
    func isAnswering(_ id: ConnectionID) -> Bool { links.contains(id) }

    /// The profiles whose acknowledgements are to be passed on now. They are taken from the list.
    mutating func take(of profiles: [ProfileID]) -> [ProfileID] {
        defer { (isAllUnannounced, unannounced) = (false, []) }
        return isAllUnannounced ? profiles : unannounced.sorted()
    }
}
