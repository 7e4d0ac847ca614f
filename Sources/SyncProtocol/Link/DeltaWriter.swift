import MergeCore

/// Writes one delta as frames of at most about ``Limits/chunk`` bytes.
///
/// Within a frame each path and content is written as what differs from the one before: neighbours in a document share
/// most of their path, and what one save wrote shares the stamp its contents begin with.
struct DeltaWriter {
    /// Position in `to` and sequence of a replica that advances.
    private let places: [ReplicaID: (position: UInt32, sequence: UInt64)]
    private var frame: WireDelta
    private var size = 0
    private var number: UInt32 = 0
    private var runs: [WireRun] = []
    private var run = WireRun()
    private var lastPath: [UInt8] = []
    private var lastContent: [UInt8] = []
    private(set) var frames: [[UInt8]] = []

    /// `head` holds what only the first frame has; its `to` stands for the replicas `order`.
    init(head: WireDelta, order: [ReplicaID]) {
        frame = head
        // 40 bytes bound an entry, 180 a certificate with its key.
        size = 40 * head.to.count + 180 * head.certificates.count
        var places: [ReplicaID: (UInt32, UInt64)] = [:]
        for (position, replica) in order.enumerated() {
            places[replica] = (UInt32(position), head.to[position].sequence)
        }
        self.places = places
    }

    /// Why these atoms can never be sent; `nil` where they can.
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
            total += atom.key.path.encoded.count + atom.key.sub.count
        }
        guard total <= Limits.deltaBytes else {
            return "its places have \(total) bytes, more than \(Limits.deltaBytes)"
        }
        return nil
    }

    /// Adds one atom. Atoms come in ascending order of their dots.
    mutating func add(_ atom: KeyedAtom, content: [UInt8]) {
        let dot = atom.atom.dot
        guard let place = places[dot.replica], dot.sequence <= place.sequence else {
            assertionFailure("the atom's dot \(dot) lies beyond the delta it was put into")
            return
        }
        let cost = 24 + atom.key.path.encoded.count + atom.key.sub.count
        if size > 0, size + cost + content.count > Limits.chunk { flush(more: true) }
        let back = place.sequence - dot.sequence
        if run.atoms.isEmpty || run.position != place.position || run.back != back {
            closeRun()
            run.position = place.position
            run.back = back
        }
        var wire = WireAtom()
        let pathShared = Self.shared(lastPath, atom.key.path.encoded)
        wire.pathShared = UInt32(pathShared)
        wire.path = atom.key.path.encoded[pathShared...].wire
        wire.kind = UInt32(atom.key.kind.rawValue)
        if atom.key.sub == dot.replica.bytes { wire.own = true } else { wire.sub = atom.key.sub.wire }
        let contentShared = Self.shared(lastContent, content)
        var end = content.count
        if end - contentShared > Limits.chunk { end = contentShared + Limits.chunk }
        wire.contentShared = UInt32(contentShared)
        wire.content = content[contentShared..<end].wire
        run.atoms.append(wire)
        size += cost + end - contentShared
        lastPath = atom.key.path.encoded
        lastContent = content
        while end < content.count {
            frame.unfinished = true
            flush(more: true)
            let next = min(content.count, end + Limits.chunk)
            frame.rest = content[end..<next].wire
            size = next - end
            end = next
        }
    }

    /// The frames, ready to be sent.
    consuming func finish() -> [[UInt8]] {
        flush(more: false)
        return frames
    }

    private mutating func closeRun() {
        if !run.atoms.isEmpty { runs.append(run) }
        run = WireRun()
    }

    private mutating func flush(more: Bool) {
        closeRun()
        frame.runs = runs
        frame.number = number
        frame.more = more
        var message = WireFrame()
        message.delta = frame
        frames.append(message.framed)
        frame = WireDelta()
        runs = []
        size = 0
        number += 1
        lastPath = []
        lastContent = []
    }

    private static func shared(_ a: [UInt8], _ b: [UInt8]) -> Int {
        let limit = min(a.count, b.count)
        var count = 0
        while count < limit, a[count] == b[count] { count += 1 }
        return count
    }
}
