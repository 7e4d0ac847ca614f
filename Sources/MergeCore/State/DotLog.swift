/// Finds the atoms that a replica wrote after a sequence number, without a walk over the state.
///
/// Entries whose atom has meanwhile been replaced stay until they outnumber the live ones of a replica; readers check
/// the atom's dot.
struct DotLog: Sendable {
    typealias Entry = (sequence: UInt64, key: AtomKey)

    private var entries: [ReplicaID: [Entry]] = [:]

    mutating func add(_ dot: Dot, _ key: AtomKey) {
        var list = entries.removeValue(forKey: dot.replica) ?? []
        if let last = list.last, last.sequence > dot.sequence {
            list.insert((dot.sequence, key), at: Self.index(in: list, after: dot.sequence))
        } else {
            list.append((dot.sequence, key))
        }
        if list.count > 64, list.count & (list.count - 1) == 0 { Self.removeReplaced(&list) }
        entries[dot.replica] = list
    }

    func entries(of replica: ReplicaID, after sequence: UInt64) -> ArraySlice<Entry> {
        guard let list = entries[replica] else { return [] }
        return list[Self.index(in: list, after: sequence)...]
    }

    /// Of several entries of one key only the newest can be live. Amortised: runs when the count is a power of two.
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
