/// Finds the atoms that a replica wrote after a sequence number, without a walk over the state.
///
/// Entries whose atom has meanwhile been replaced stay until they outnumber the others of a replica; readers check the
/// atom's dot.
struct DotLog: Sendable {
    typealias Entry = (sequence: UInt64, key: AtomKey)

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

    private var lists: [ReplicaID: List] = [:]

    mutating func add(_ dot: Dot, _ key: AtomKey) {
        var list = lists.removeValue(forKey: dot.replica) ?? List()  // its storage stays unique while it changes
        let piece = Self.piece(in: list.pieces, after: dot.sequence)
        if piece < list.pieces.count {
            let index = Self.index(in: list.pieces[piece], after: dot.sequence)
            list.pieces[piece].insert((dot.sequence, key), at: index)
        } else if let last = list.pieces.indices.last, list.pieces[last].count < Self.pieceLimit {
            list.pieces[last].append((dot.sequence, key))
        } else {
            list.pieces.append([(dot.sequence, key)])
        }
        list.count += 1
        if list.count > list.limit {
            Self.removeReplaced(&list)
            list.limit = max(64, 2 * list.count)
        }
        lists[dot.replica] = list
    }

    func entries(of replica: ReplicaID, after sequence: UInt64) -> [Entry] {
        guard let pieces = lists[replica]?.pieces else { return [] }
        let first = Self.piece(in: pieces, after: sequence)
        guard first < pieces.count else { return [] }
        var result = Array(pieces[first][Self.index(in: pieces[first], after: sequence)...])
        for piece in pieces[(first + 1)...] { result += piece }
        return result
    }

    /// Of several entries of one key only the newest can be live.
    private static func removeReplaced(_ list: inout List) {
        var seen = Set<AtomKey>()
        var kept: [Entry] = []
        for piece in list.pieces.reversed() {
            for entry in piece.reversed() where seen.insert(entry.key).inserted { kept.append(entry) }
        }
        kept.reverse()
        list.pieces = stride(from: 0, to: kept.count, by: pieceLimit).map {
            Array(kept[$0..<min(kept.count, $0 + pieceLimit)])
        }
        list.count = kept.count
    }

    /// The first piece that holds an entry after `sequence`; the number of pieces where none does.
    private static func piece(in pieces: [[Entry]], after sequence: UInt64) -> Int {
        var low = 0
        var high = pieces.count
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].last!.sequence > sequence { high = middle } else { low = middle + 1 }
        }
        return low
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
