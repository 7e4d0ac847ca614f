package import MergeCore

/// The snapshots of a profile file that a game may have in memory: the last one that the game wrote, and every later
/// one that Hearth projected.
///
/// They are stored as a chain: one whole snapshot, then differences. When the differences get larger than the snapshot,
/// a new chain is begun.
package struct BaseHistory: Sendable {
    /// One snapshot with the writes that it contains.
    package struct Snapshot: Sendable {
        package var kind: BaseHistoryRow.Kind
        package var bytes: [UInt8]
        package var vector: VersionVector
    }

    /// The rows that a change of the base history stores in the record, and the number from which on rows are kept.
    package struct Change: Sendable {
        package var from: Int64?
        package var rows: [BaseHistoryRow]

        func followed(by other: Change) -> Change {
            Change(from: other.from ?? from, rows: rows + other.rows)
        }
    }

    /// Most projections that are remembered after the game's last save.
    package static let projectionLimit = 16
    private static let chainLimit = 64
    /// The time below which a snapshot in the file counts as passing: a game hardly reads a file that is replaced so soon.
    private static let readingTime = Duration.seconds(1)

    /// What this process has seen of the snapshots, and no record holds.
    struct Sightings: Sendable {
        /// The bytes of differences with which the chain began. A new chain would not be shorter than that.
        fileprivate var leastWeight = 0
        /// For each later projection, since when it is in the file.
        fileprivate var placed: [Placement] = []
        /// The opens of these projections while they were in the file.
        var opens = SnapshotOpens()

        /// Notes that every remembered projection was in the file at this time or earlier.
        mutating func noticed(at time: MonotonicTime) {
            for index in placed.indices { placed[index].known = min(placed[index].known, time) }
        }

        /// Notes whether other processes opened the file since the last call.
        ///
        /// - Parameter isSwap: Whether the newest snapshot was put into the file in that time.
        mutating func note(_ seen: FileOpens, isSwap: Bool) {
            if isSwap { opens.noteSwap(seen) } else { opens.note(seen) }
        }
    }

    /// Since when a projection is in the file.
    fileprivate struct Placement {
        /// The time at which it was there, as far as this process knows.
        var known: MonotonicTime
        /// The time at which it was put there; `nil` where an earlier process did that, or an earlier event.
        let put: MonotonicTime?
    }

    private var rows: [BaseHistoryRow] = []
    private var newestBytes: [UInt8] = []
    private var seen = Sightings()

    package init() {}

    /// Rows are numbered one after the other, so no record has a larger number than this.
    private static let largestNumber: Int64 = 1 << 62

    /// Rebuilds a base history from stored rows; `nil` where they do not fit together (a damaged record).
    package init?(_ rows: [BaseHistoryRow]) {
        guard zip(rows, rows.dropFirst()).allSatisfy({ $0.number < $1.number }),
            rows.allSatisfy({ (0...Self.largestNumber).contains($0.number) })
        else { return nil }
        var bytes: [UInt8] = []
        for row in rows {
            guard row.byteDiff.apply(to: &bytes) else { return nil }
        }
        self.rows = rows
        newestBytes = bytes
        seen.placed = Array(repeating: Placement(known: .max, put: nil), count: laterProjections.count)
        seen.opens = SnapshotOpens(count: seen.placed.count)
    }

    /// The opens and placements of the snapshots that this process has seen. A new value that is about another number of
    /// snapshots is ignored.
    var sightings: Sightings {
        get { seen }
        set { if newValue.placed.count == seen.placed.count { seen = newValue } }
    }

    /// The opens of later projections while they were in the file.
    var opens: SnapshotOpens { seen.opens }

    package var newest: Snapshot? {
        rows.last.map { Snapshot(kind: $0.kind, bytes: newestBytes, vector: $0.vector) }
    }

    /// The number of the newest snapshot's row.
    package var newestNumber: Int64? { rows.last?.number }

    /// Whether a snapshot is part of the chain.
    func holds(_ number: Int64) -> Bool { rows.contains { $0.number == number } }

    /// The bytes of the snapshot in a row; `nil` where the row is not part of the chain any more.
    func bytes(of number: Int64) -> [UInt8]? {
        guard let index = rows.firstIndex(where: { $0.number == number }) else { return nil }
        return rows[...index].reduce(into: []) { _ = $1.byteDiff.apply(to: &$0) }
    }

    /// The chain as it is stored.
    package var rowsForRecord: [BaseHistoryRow] { rows }

    /// The snapshots that may be the base of the game's next save: its last save, and every later projection that is
    /// still remembered, in order.
    package var candidates: [Snapshot] {
        let first = rows.lastIndex { $0.kind == .game } ?? 0
        // Mostly the game wrote last. Then no snapshot has to be rebuilt from differences.
        if rows.last?.kind == .game, let newest { return [newest] }
        var snapshots: [Snapshot] = []
        var bytes: [UInt8] = []
        for (index, row) in rows.enumerated() {
            _ = row.byteDiff.apply(to: &bytes)
            guard index >= first, row.kind != .dropped else { continue }
            snapshots.append(Snapshot(kind: row.kind, bytes: bytes, vector: row.vector))
        }
        return snapshots
    }

    /// A snapshot that holds what the candidates lack: the arrays whose elements could not be told apart by a key in the
    /// game's last save, each as it was when that could be done last, see ``LastReadable``. `nil` where there are none.
    ///
    /// Its row is no candidate, and stands directly before that of the game's last save. No other row of that kind can
    /// stand there: of later projections the newest is always remembered.
    package var lastReadable: Snapshot? {
        guard let game = rows.lastIndex(where: { $0.kind == .game }), game > 0, rows[game - 1].kind == .dropped,
            let bytes = bytes(of: rows[game - 1].number)
        else { return nil }
        return Snapshot(kind: .dropped, bytes: bytes, vector: rows[game - 1].vector)
    }

    /// Every snapshot in the chain, the newest last, even those that no game can have in memory any more.
    var held: [[UInt8]] {
        var bytes: [UInt8] = []
        return rows.map {
            _ = $0.byteDiff.apply(to: &bytes)
            return bytes
        }
    }

    /// The index of the newest candidate that was in the file at `time`, as far as is known; 0 if none is known.
    package func index(at time: MonotonicTime) -> Int {
        let known = seen.placed.prefix { $0.known <= time }.count
        return rows.contains { $0.kind == .game } ? known : max(0, known - 1)
    }

    /// The time for which snapshots that Hearth put into the file since the game's last save have been there; `nil` where
    /// that is not known.
    func timeOfProjections(at time: MonotonicTime) -> Duration? {
        seen.placed.first.flatMap { $0.known <= time ? time - $0.known : nil }
    }

    /// The indexes of the candidates that the next ones replaced in the file before a game had the time to read them, as when
    /// a device wakes and several others send what they have. Those that follow each other count together: many short times
    /// are a long one.
    var passing: Set<Int> {
        let first = rows.contains { $0.kind == .game } ? 1 : 0
        var (passing, run, began) = (Set<Int>(), [Int](), MonotonicTime.min)
        for index in seen.placed.indices.dropLast() {
            guard let put = seen.placed[index].put, let next = seen.placed[index + 1].put, next - put < Self.readingTime
            else {
                run = []
                continue
            }
            if run.isEmpty { began = put }
            run.append(index + first)
            if next - began < Self.readingTime { passing.formUnion(run) } else { passing.subtract(run) }
        }
        return passing
    }

    /// The indexes of the candidates with the given opens.
    func candidates(_ kind: FileOpens) -> Set<Int> {
        let first = rows.contains { $0.kind == .game } ? 1 : 0
        return Set(opens.snapshots.indices.filter { opens.snapshots[$0] == kind }.map { $0 + first })
    }

    /// Notes whether other processes opened the file since the last call.
    ///
    /// - Parameter isSwap: Whether the newest snapshot was put into the file in that time.
    mutating func note(_ seen: FileOpens, isSwap: Bool) {
        self.seen.note(seen, isSwap: isSwap)
    }

    /// Notes that a projection, or the game's save, is about to replace the newest snapshot.
    ///
    /// - Parameter isRead: Whether the save shows that its game had read the snapshot.
    mutating func leave(at time: MonotonicTime, isRead: Bool = false) {
        guard let since = seen.placed.last?.known, since != .max else { return }
        seen.opens.leave(after: time - since, isRead: isRead)
    }

    /// Notes that every remembered projection was in the file at this time or earlier.
    mutating func noticed(at time: MonotonicTime) { seen.noticed(at: time) }

    /// Adds a snapshot that the game wrote. No earlier snapshot can be the base of the game's next save. (Earlier rows
    /// stay as links of the chain; readers begin at the last snapshot that the game wrote.)
    ///
    /// - Parameter lastReadable: What the next saves are compared with where this one holds arrays whose elements cannot
    ///   be told apart by a key, see ``lastReadable``; `nil` where it holds none.
    package mutating func appendGame(
        _ bytes: [UInt8], vector: VersionVector, lastReadable: Snapshot? = nil
    ) -> Change {
        seen.placed = []
        seen.opens.clear()
        guard let lastReadable else { return append(.game, bytes, vector) }
        add(.dropped, lastReadable.bytes, lastReadable.vector)
        let row = rows[rows.count - 1]
        let change = append(.game, bytes, vector)
        return change.from == nil ? Change(from: nil, rows: [row] + change.rows) : change
    }

    /// Adds a snapshot that Hearth put into the file.
    ///
    /// - Parameters:
    ///   - time: The time when it was put there. Without it, no process counts as a reader of the snapshot.
    ///   - isPutNow: Whether it was put there by the event of that time, and not by an earlier one.
    ///   - byteDiff: The difference to the newest snapshot, if it is known already.
    package mutating func appendProjected(
        _ bytes: [UInt8], vector: VersionVector, at time: MonotonicTime = .max, isPutNow: Bool = false,
        by byteDiff: ByteDiff? = nil
    ) -> Change {
        let change = append(.projected, bytes, vector, by: byteDiff)
        seen.placed.append(Placement(known: time, put: isPutNow ? time : nil))
        seen.opens.place()
        let projected = laterProjections
        guard projected.count > Self.projectionLimit else { return change }
        seen.placed.removeFirst()
        seen.opens.dropFirst()
        rows[projected[0]].kind = .dropped
        return Change(from: change.from, rows: change.rows + [rows[projected[0]]])
    }

    /// Adds a save of the game that was found beside the path: a projection swapped it away before it was read, or the
    /// game wrote it late to a displaced file. It becomes the game's last save. The newest snapshot is still the one at
    /// the path.
    package mutating func insertGame(
        _ bytes: [UInt8], vector: VersionVector, lastReadable: Snapshot? = nil
    ) -> Change {
        let (current, former) = (newest, self.lastReadable)
        let (since, opened) = (seen.placed.last, seen.opens)
        let change = appendGame(bytes, vector: vector, lastReadable: lastReadable ?? former)
        guard let current else { return change }
        if current.kind == .game {
            return change.followed(by: appendGame(current.bytes, vector: current.vector, lastReadable: former))
        }
        if current.kind == .projected, let since {
            seen.placed = [since]
            seen.opens = opened
            seen.opens.clear(keepingLast: true)
        }
        return change.followed(by: append(current.kind, current.bytes, current.vector))
    }

    /// Raises the vector of the newest snapshot. It contains more writes now, though no byte of it changed.
    package mutating func raiseNewest(to vector: VersionVector) -> Change? {
        guard let last = rows.indices.last, rows[last].vector != vector else { return nil }
        rows[last].vector = vector
        return Change(from: nil, rows: [rows[last]])
    }

    /// The indexes of the rows that are projections after the game's last save and are still remembered.
    private var laterProjections: [Int] {
        let game = rows.lastIndex { $0.kind == .game } ?? 0
        return rows.indices[game...].filter { rows[$0].kind == .projected }
    }

    private mutating func append(
        _ kind: BaseHistoryRow.Kind, _ bytes: [UInt8], _ vector: VersionVector, by byteDiff: ByteDiff? = nil
    ) -> Change {
        add(kind, bytes, vector, by: byteDiff)
        let last = rows[rows.count - 1]
        guard rows.count > Self.chainLimit || weight - seen.leastWeight > bytes.count else {
            return Change(from: nil, rows: [last])
        }
        return restart(last.number)
    }

    private mutating func add(
        _ kind: BaseHistoryRow.Kind, _ bytes: [UInt8], _ vector: VersionVector, by byteDiff: ByteDiff? = nil
    ) {
        let number = (rows.last?.number ?? 0) + 1
        let byteDiff = rows.isEmpty ? .whole(bytes) : byteDiff ?? ByteDiff(from: newestBytes, to: bytes)
        rows.append(BaseHistoryRow(number: number, kind: kind, vector: vector, byteDiff: byteDiff))
        newestBytes = bytes
    }

    /// The bytes of differences in the chain.
    private var weight: Int { rows.dropFirst().reduce(0) { $0 + $1.byteDiff.middle.count } }

    /// Writes the candidates, and what they lack, as a new chain that begins with a whole snapshot.
    private mutating func restart(_ number: Int64) -> Change {
        let snapshots = (lastReadable.map { [$0] } ?? []) + candidates
        var next: [BaseHistoryRow] = []
        var former: [UInt8] = []
        for (index, snapshot) in snapshots.enumerated() {
            let byteDiff = index == 0 ? .whole(snapshot.bytes) : ByteDiff(from: former, to: snapshot.bytes)
            next.append(
                BaseHistoryRow(
                    number: number + 1 + Int64(index), kind: snapshot.kind, vector: snapshot.vector, byteDiff: byteDiff)
            )
            former = snapshot.bytes
        }
        rows = next
        seen.leastWeight = weight
        return Change(from: number + 1, rows: next)
    }
}
