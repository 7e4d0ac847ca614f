/// A log of writes by replica and sequence number. It finds the atoms that a replica wrote after a sequence number
/// without a walk over the whole state.
///
/// An entry stays in the log after its atom was replaced, until such entries outnumber the others of the replica. So
/// readers must compare an entry with the dot of the atom.
struct DotLog: Sendable {
    struct Entry: Equatable {
        let sequence: UInt64
        let number: UInt32
    }

    private struct List {
        /// Entries in ascending order, in pieces. Pieces are copied on write, so that an addition in a copy of the log
        /// copies one piece.
        var pieces: [[Entry]] = []
        var count = 0
        /// The number of entries above which entries of replaced atoms are removed. It is twice the number that was
        /// left the last time, so that an addition costs O(1) on average.
        var limit = 64
    }

    /// Most entries that an append puts into one piece. An insertion out of order may exceed it.
    private static let pieceLimit = 512

    /// One list for each replica, by the replica's number in the state.
    private var lists: [List] = []

    /// Adds a write to the log. Returns true when it is time to call ``tidy(_:isLive:)``.
    mutating func add(_ sequence: UInt64, _ number: Int, of replica: Int) -> Bool {
        while lists.count <= replica { lists.append(List()) }
        let entry = Entry(sequence: sequence, number: UInt32(number))
        let piece = Self.piece(in: lists[replica].pieces, after: sequence)
        if piece < lists[replica].pieces.count {
            let index = Self.index(in: lists[replica].pieces[piece], after: sequence)
            lists[replica].pieces[piece].insert(entry, at: index)
        } else if let last = lists[replica].pieces.indices.last, lists[replica].pieces[last].count < Self.pieceLimit {
            lists[replica].pieces[last].append(entry)
        } else {
            lists[replica].pieces.append([entry])
        }
        lists[replica].count += 1
        return lists[replica].count > lists[replica].limit
    }

    /// Removes the entries of replaced atoms. O(entries), and due once in as many additions.
    ///
    /// - Parameter isLive: Whether the atom of an entry is still the one that was written then.
    mutating func tidy(_ replica: Int, isLive: (Entry) -> Bool) {
        Self.removeReplaced(&lists[replica], isLive)
        lists[replica].limit = max(64, 2 * lists[replica].count)
    }

    /// The entries after `sequence`, ascending.
    func entries(of replica: Int, after sequence: UInt64) -> [Entry] {
        guard replica < lists.count else { return [] }
        let pieces = lists[replica].pieces
        let first = Self.piece(in: pieces, after: sequence)
        guard first < pieces.count else { return [] }
        var result = Array(pieces[first][Self.index(in: pieces[first], after: sequence)...])
        for piece in pieces[(first + 1)...] { result += piece }
        return result
    }

    private static func removeReplaced(_ list: inout List, _ isLive: (Entry) -> Bool) {
        var kept: [Entry] = []
        for piece in list.pieces {
            for entry in piece where isLive(entry) && kept.last != entry { kept.append(entry) }
        }
        list.pieces = stride(from: 0, to: kept.count, by: pieceLimit).map {
            Array(kept[$0..<min(kept.count, $0 + pieceLimit)])
        }
        list.count = kept.count
    }

    /// The index of the first piece that holds an entry after `sequence`; the number of pieces if none does.
    private static func piece(in pieces: [[Entry]], after sequence: UInt64) -> Int {
        if let last = pieces.last?.last, last.sequence <= sequence { return pieces.count }
        var low = 0
        var high = pieces.count
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].last!.sequence > sequence { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The index of the first entry after `sequence`; the number of entries if there is none.
    private static func index(in entries: [Entry], after sequence: UInt64) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].sequence > sequence { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
