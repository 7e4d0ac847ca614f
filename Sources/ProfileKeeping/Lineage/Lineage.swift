package import MergeCore

/// The images of a profile file that a game may have in memory: the last one the game wrote, and every later one that
/// Hearth projected.
///
/// Stored as a chain: one whole image, then differences. The chain starts anew when the differences outgrow the image.
package struct Lineage: Sendable {
    /// One image with what it stood for.
    package struct Image: Sendable {
        package var kind: LineageRow.Kind
        package var bytes: [UInt8]
        package var vector: VersionVector
    }

    /// What a change of the lineage changes in the record.
    package struct Change: Sendable {
        package var from: Int64?
        package var rows: [LineageRow]

        func followed(by other: Change) -> Change {
            Change(from: other.from ?? from, rows: rows + other.rows)
        }
    }

    /// Projections remembered beside the game's last save.
    package static let projectionLimit = 16
    private static let chainLimit = 64

    private var rows: [LineageRow] = []
    private var newestBytes: [UInt8] = []
    /// Bytes of differences that the chain began with: to write it anew would not make it shorter than that.
    private var leastWeight = 0
    /// Since when each of the later projections has stood in the file, as far as this process knows: not stored.
    private var placed: [Int64] = []
    /// Which of them were opened while they stood there.
    private(set) var opens = ImageOpens()

    package init() {}

    /// `nil` where the rows do not fit together (a damaged record).
    package init?(_ rows: [LineageRow]) {
        var bytes: [UInt8] = []
        for row in rows {
            guard row.splice.apply(to: &bytes) else { return nil }
        }
        self.rows = rows
        newestBytes = bytes
        placed = Array(repeating: .max, count: laterProjections.count)
        opens = ImageOpens(count: placed.count)
    }

    package var newest: Image? {
        rows.last.map { Image(kind: $0.kind, bytes: newestBytes, vector: $0.vector) }
    }

    /// The number of the newest image's row.
    var newestNumber: Int64? { rows.last?.number }

    /// Whether an image is part of the chain.
    func holds(_ number: Int64) -> Bool { rows.contains { $0.number == number } }

    /// An image by the number of its row; `nil` where that is not part of the chain any more.
    func bytes(of number: Int64) -> [UInt8]? {
        guard let index = rows.firstIndex(where: { $0.number == number }) else { return nil }
        return rows[...index].reduce(into: []) { _ = $1.splice.apply(to: &$0) }
    }

    /// The chain as it is stored.
    package var rowsForRecord: [LineageRow] { rows }

    /// The game's last save and every later projection that is still remembered, in order.
    package var candidates: [Image] {
        let first = rows.lastIndex { $0.kind == .game } ?? 0
        // Mostly the game wrote last; then nothing has to be put together.
        if rows.last?.kind == .game, let newest { return [newest] }
        var images: [Image] = []
        var bytes: [UInt8] = []
        for (index, row) in rows.enumerated() {
            _ = row.splice.apply(to: &bytes)
            guard index >= first, row.kind != .dropped else { continue }
            images.append(Image(kind: row.kind, bytes: bytes, vector: row.vector))
        }
        return images
    }

    /// Every image that is still held, those included that no game can have in memory any more; the newest last.
    var held: [[UInt8]] {
        var bytes: [UInt8] = []
        return rows.map {
            _ = $0.splice.apply(to: &bytes)
            return bytes
        }
    }

    /// Index of the newest candidate that stood in the file at a moment, as far as is known; 0 where none is known to.
    package func standing(at time: Int64) -> Int {
        let known = placed.prefix { $0 <= time }.count
        return rows.contains { $0.kind == .game } ? known : max(0, known - 1)
    }

    /// Indexes of the candidates of which it is known whether they were opened while they stood in the file.
    func candidates(_ kind: FileOpens) -> Set<Int> {
        let first = rows.contains { $0.kind == .game } ? 1 : 0
        return Set(opens.images.indices.filter { opens.images[$0] == kind }.map { $0 + first })
    }

    /// Other processes opened the file, or none did, since that was asked last.
    ///
    /// - Parameter isSwap: The newest image was put there in that time.
    mutating func note(_ seen: FileOpens, isSwap: Bool) {
        if isSwap { opens.noteSwap(seen) } else { opens.note(seen) }
    }

    /// The newest image is about to be replaced, by a projection or by the game's save.
    mutating func leave(at time: Int64) {
        guard let since = placed.last, since != .max else { return }
        opens.leave(after: time - since)
    }

    /// Whatever is remembered from before stands, or stood, there by now.
    mutating func noticed(at time: Int64) { placed = placed.map { min($0, time) } }

    /// The game wrote this: no earlier image can be the base of its next save. (Earlier rows stay as links of the
    /// chain; readers begin at the last image the game wrote.)
    package mutating func appendGame(_ bytes: [UInt8], vector: VersionVector) -> Change {
        placed = []
        opens.clear()
        return append(.game, bytes, vector)
    }

    /// Hearth put this into the file.
    ///
    /// - Parameters:
    ///   - time: When; without it no process is taken to have read it.
    ///   - splice: The way from the newest image, where it is known.
    package mutating func appendProjected(
        _ bytes: [UInt8], vector: VersionVector, at time: Int64 = .max, by splice: Splice? = nil
    ) -> Change {
        let change = append(.projected, bytes, vector, by: splice)
        placed.append(time)
        opens.place()
        let projected = laterProjections
        guard projected.count > Self.projectionLimit else { return change }
        placed.removeFirst()
        opens.dropFirst()
        rows[projected[0]].kind = .dropped
        return Change(from: change.from, rows: change.rows + [rows[projected[0]]])
    }

    /// A save that the game made was found beside the path (swapped away unseen, or written late to a displaced file):
    /// it is the game's last, and the newest image still is what stands at the path.
    package mutating func insertGame(_ bytes: [UInt8], vector: VersionVector) -> Change {
        let standing = newest
        let (since, opened) = (placed.last, opens)
        let change = appendGame(bytes, vector: vector)
        guard let standing else { return change }
        if standing.kind == .projected, let since {
            placed = [since]
            opens = opened
            opens.clear(keepingLast: true)
        }
        return change.followed(by: append(standing.kind, standing.bytes, standing.vector))
    }

    /// The newest image stands for more than before, though not a byte changed.
    package mutating func raiseNewest(to vector: VersionVector) -> Change? {
        guard let last = rows.indices.last, rows[last].vector != vector else { return nil }
        rows[last].vector = vector
        return Change(from: nil, rows: [rows[last]])
    }

    /// Indexes of the rows that are projections after the game's last save, and still remembered.
    private var laterProjections: [Int] {
        let game = rows.lastIndex { $0.kind == .game } ?? 0
        return rows.indices[game...].filter { rows[$0].kind == .projected }
    }

    private mutating func append(
        _ kind: LineageRow.Kind, _ bytes: [UInt8], _ vector: VersionVector, by splice: Splice? = nil
    ) -> Change {
        let number = (rows.last?.number ?? 0) + 1
        let splice = rows.isEmpty ? .whole(bytes) : splice ?? Splice(from: newestBytes, to: bytes)
        rows.append(LineageRow(number: number, kind: kind, vector: vector, splice: splice))
        newestBytes = bytes
        guard rows.count > Self.chainLimit || weight - leastWeight > bytes.count else {
            return Change(from: nil, rows: [rows[rows.count - 1]])
        }
        return restart(number)
    }

    /// Bytes of differences in the chain.
    private var weight: Int { rows.dropFirst().reduce(0) { $0 + $1.splice.middle.count } }

    /// Writes the candidates as a new chain that begins with a whole image.
    private mutating func restart(_ number: Int64) -> Change {
        let images = candidates
        var next: [LineageRow] = []
        var former: [UInt8] = []
        for (index, image) in images.enumerated() {
            let splice = index == 0 ? .whole(image.bytes) : Splice(from: former, to: image.bytes)
            next.append(
                LineageRow(number: number + 1 + Int64(index), kind: image.kind, vector: image.vector, splice: splice))
            former = image.bytes
        }
        rows = next
        leastWeight = weight
        return Change(from: number + 1, rows: next)
    }
}
