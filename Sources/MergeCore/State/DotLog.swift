/// Finds the atoms that a replica wrote after a sequence number, without a walk over the state.
///
/// Entries whose atom has meanwhile been replaced stay until they outnumber the others of a replica; readers check the
/// atom's dot.
struct DotLog: Sendable {
    typealias Entry = (sequence: UInt64, key: AtomKey)

    private struct List {
        var entries: [Entry] = []
        /// How many entries there may be before replaced ones are removed: twice what was left the last time, so that
        /// an addition costs O(1) on average.
        var limit = 64
    }

    private var lists: [ReplicaID: List] = [:]

    mutating func add(_ dot: Dot, _ key: AtomKey) {
        var list = lists.removeValue(forKey: dot.replica) ?? List()  // its storage stays unique while it changes
        if let last = list.entries.last, last.sequence > dot.sequence {
            list.entries.insert((dot.sequence, key), at: Self.index(in: list.entries, after: dot.sequence))
        } else {
            list.entries.append((dot.sequence, key))
        }
        if list.entries.count > list.limit {
            Self.removeReplaced(&list.entries)
            list.limit = max(64, 2 * list.entries.count)
        }
        lists[dot.replica] = list
    }

    func entries(of replica: ReplicaID, after sequence: UInt64) -> ArraySlice<Entry> {
        guard let list = lists[replica]?.entries else { return [] }
        return list[Self.index(in: list, after: sequence)...]
    }

    /// Of several entries of one key only the newest can be live.
    private static func removeReplaced(_ list: inout [Entry]) {
        var seen = Set<AtomKey>()
        var kept: [Entry] = []
        for entry in list.reversed() where seen.insert(entry.key).inserted { kept.append(entry) }
        list = kept.reversed()
    }

    private static func index(in list: [Entry], after sequence: UInt64) -> Int {
        var low = 0
        var high = list.count
        while low < high {
            let middle = (low + high) / 2
            if list[middle].sequence > sequence { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
