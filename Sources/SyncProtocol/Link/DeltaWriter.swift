import MergeCore

/// Writes one delta as frames of at most about ``Limits/chunk`` bytes. The bytes are counted before shared parts are
/// left out: a receiver that writes the parts out needs no more memory than that. Frames larger than
/// ``Limits/worthPacking`` bytes are compressed.
struct DeltaWriter {
    typealias Place = ColumnsWriter.Place

    /// For each replica: its position in `to`, and the first and the last sequence number that the delta spans.
    private let spans: [ReplicaID: (position: UInt32, first: UInt64, last: UInt64)]
    private let firsts: [UInt64]
    private var frame: WireDelta
    private var columns: ColumnsWriter
    /// An upper bound of the bytes of the frame with its shared parts written out.
    private var size: Int
    private var number: UInt32 = 0
    private var last: Place
    private(set) var frames: [[UInt8]] = []

    /// `head` holds the fields of the first frame; `order` names the replicas of its `to`, in the same order.
    init(head: WireDelta, order: [ReplicaID], lead: [UInt8]) {
        frame = head
        columns = ColumnsWriter(lead: lead)
        // Upper bounds: 104 bytes for an entry with its signature, 140 for an origin with its key, 2 for a position.
        size = 104 * head.to.count + 140 * head.origins.count + 2 * head.cut.count
        var spans: [ReplicaID: (UInt32, UInt64, UInt64)] = [:]
        for (position, replica) in order.enumerated() {
            let entry = head.to[position]
            spans[replica] = (UInt32(position), entry.sequence - entry.before, entry.sequence)
        }
        self.spans = spans
        firsts = head.to.map { $0.sequence - $0.before }
        last = Place(position: 0, sequence: firsts.first ?? 0)
    }

    /// The reason why these atoms can never be sent, as a clause of a sentence; `nil` if they can be sent.
    static func obstacle(_ atoms: [KeyedAtom], _ vector: VersionVector) -> String? {
        guard vector.entries.count <= Limits.vectorEntries else {
            return "it was written by \(vector.entries.count) replicas, more than \(Limits.vectorEntries)"
        }
        guard atoms.count <= Limits.atoms else {
            return "it has \(atoms.count) values to send, more than \(Limits.atoms)"
        }
        var total = 0
        for atom in atoms {
            guard atom.key.path.encoded.count <= Limits.path, atom.key.sub.count <= Limits.sub else {
                return "the name of the place \(atom.key.path.description.prefix(80))… is too long to be sent"
            }
            total += atom.key.path.encoded.count + atom.key.sub.count + atom.atom.encoded.count
        }
        guard total <= Limits.deltaBytes else {
            return "it has \(total) bytes to send, more than \(Limits.deltaBytes)"
        }
        return nil
    }

    /// Adds one atom. Atoms come in ascending order of their dots.
    mutating func add(_ atom: KeyedAtom, _ names: inout OutgoingNames, _ keys: inout LinkKeys) {
        let dot = atom.atom.dot
        guard let span = spans[dot.replica], dot.sequence >= span.first, dot.sequence <= span.last else {
            assertionFailure("the atom's dot \(dot) lies outside the delta it was put into")
            return
        }
        let place = Place(position: span.position, sequence: dot.sequence)
        let content = atom.atom.encoded
        let cost = 48 + atom.key.path.encoded.count + atom.key.sub.count + min(content.count, Limits.chunk)
        if size > 0, size + cost > Limits.chunk { flush(more: true, &names) }
        size += cost
        if place.position != last.position {
            // The steps of a new position count from its first write in the delta. The positions that are skipped are
            // counted in `ahead`.
            let former = Place(position: last.position, sequence: firsts[Int(place.position)])
            columns.add(atom, end: min(content.count, Limits.chunk), at: place, after: former, &names, &keys)
        } else {
            columns.add(atom, end: min(content.count, Limits.chunk), at: place, after: last, &names, &keys)
        }
        last = place
        var end = min(content.count, Limits.chunk)
        while end < content.count {
            frame.unfinished = true
            flush(more: true, &names)
            let next = min(content.count, end + Limits.chunk)
            frame.rest = content[end..<next].wire
            size = next - end
            end = next
        }
    }

    /// The frames, ready to be sent.
    consuming func finish(_ names: inout OutgoingNames) -> [[UInt8]] {
        flush(more: false, &names)
        return frames
    }

    private mutating func flush(more: Bool, _ names: inout OutgoingNames) {
        if !columns.isEmpty { frame.columns = columns.finish() }
        if columns.size + frame.rest.count > Limits.worthPacking { pack() }
        frame.number = number
        frame.more = more
        var message = WireFrame()
        message.delta = frame
        frames.append(message.framed)
        names.sent(columns.leading)
        frame = WireDelta()
        columns = ColumnsWriter(lead: names.lead)
        size = 0
        number += 1
    }

    /// Compresses the atoms of the frame, where this makes the frame smaller.
    private mutating func pack() {
        var packed = WirePacked()
        packed.rest = frame.rest
        if frame.hasColumns { packed.columns = frame.columns }
        let plain = packed.wireBytes
        let small = Deflate.compressed(plain)
        guard small.count < plain.count, plain.count <= Limits.inflated else { return }
        frame.rest = [UInt8]().wire
        frame.clearColumns()
        frame.packed = small.wire
    }
}
