/// Finds the atoms that a replica wrote after a sequence number, without a walk over the state.
///
/// Entries whose atom has meanwhile been replaced stay until they outnumber the others of a replica; readers check the
/// atom's dot.
struct DotLog: Sendable {
    struct Entry: Equatable {
        let sequence: UInt64
        let number: UInt32
    }

    private struct List {
        /// Entries in ascending order, in pieces, so that an addition beside a copy of the log copies one piece.
        var pieces: [[Entry]] = []
        var count = 0
        /// How many entries there may be before replaced ones are removed: twice what was left the last time, so that
        /// an addition costs O(1) on average.
        var limit = 64
    }

    /// Entries in one piece.
    private static let pieceLimit = 512

    /// By the replica's number in the state.
    private var lists: [List] = []

    /// Returns whether it is time for ``tidy(_:isLive:)``.
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

    /// Removes what was replaced. O(entries), and due once in as many additions.
    ///
    /// - Parameter isLive: Whether an entry's atom is still the one that was written then.
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

    /// The first piece that holds an entry after `sequence`; the number of pieces where none does.
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

    /// The first entry after `sequence`; the number of entries where none is.
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
