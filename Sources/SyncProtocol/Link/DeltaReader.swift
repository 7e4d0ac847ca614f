import MergeCore

/// Puts one delta together from its frames, checking everything on the way.
struct DeltaReader {
    let profile: ProfileID
    /// Which statement of ours it answers.
    let restated: UInt32
    private let entries: [VectorCoding.Read]
    private let certificates: [ReplicaCertificate]
    private var atoms: [KeyedAtom] = []
    private var bytes = 0
    private var nextNumber: UInt32 = 0
    private var lastPlace: (position: UInt32, sequence: UInt64)?
    private var unfinished: (key: AtomKey, dot: Dot, content: [UInt8])?

    /// Reads what only the first frame has. Call ``add(_:)`` with the same frame afterwards.
    init(_ frame: WireDelta, _ names: inout IncomingNames) throws(ProtocolFault) {
        guard frame.number == 0 else { throw ProtocolFault("a delta begins with its frame \(frame.number)") }
        profile = try names.profile(frame.profile, frame.profileID)
        entries = try VectorCoding.read(frame.to, &names)
        guard !entries.isEmpty else { throw ProtocolFault("a delta of profile \(profile) advances nothing") }
        restated = frame.restated
        guard frame.certificates.count <= entries.count else {
            throw ProtocolFault("a delta brings \(frame.certificates.count) certificates for \(entries.count) replicas")
        }
        var certificates: [ReplicaCertificate] = []
        for wire in frame.certificates {
            let device = try names.device(wire.device, wire.deviceKey)
            guard wire.position < entries.count, wire.signature.count == 64 else {
                throw ProtocolFault("a delta brings a certificate that certifies nothing in it")
            }
            let replica = entries[Int(wire.position)].replica
            certificates.append(
                ReplicaCertificate(replica: replica, device: device, signature: wire.signature.array)
            )
        }
        self.certificates = certificates
    }

    /// Takes the next frame; `true` when it was the last.
    mutating func add(_ frame: WireDelta) throws(ProtocolFault) -> Bool {
        guard frame.number == nextNumber else {
            throw ProtocolFault("frame \(frame.number) of a delta came where \(nextNumber) was due")
        }
        guard frame.number == 0 || frame.to.isEmpty else {
            throw ProtocolFault("a delta has a second head in its frame \(frame.number)")
        }
        // Frame 0 has no frame before it, so an atom to be continued is due exactly when the last frame said so.
        nextNumber += 1
        try takeRest(frame)
        var path: [UInt8] = []
        var content: [UInt8] = []
        for (index, run) in frame.runs.enumerated() {
            let dot = try dot(of: run)
            for (place, atom) in run.atoms.enumerated() {
                let isLast = index == frame.runs.count - 1 && place == run.atoms.count - 1
                let key = try self.key(atom, dot, &path)
                content = try expand(content, atom.contentShared, atom.content.array, AtomContent.byteLimit, "value")
                if isLast, frame.unfinished {
                    unfinished = (key, dot, content)
                } else {
                    try finish(key, dot, content)
                }
            }
        }
        if frame.unfinished {
            guard unfinished != nil, frame.more else { throw ProtocolFault("a delta leaves no value to be continued") }
        }
        return !frame.more
    }

    /// The delta. `floor` is what it builds on besides what it says itself.
    consuming func delta(floor: VersionVector) -> IncomingDelta {
        let starts = entries.map { ($0.replica, VersionVector.Entry(sequence: $0.after, history: 0)) }
        let from = floor.joined(VersionVector(Dictionary(uniqueKeysWithValues: starts)))
        return IncomingDelta(profile: profile, from: from, to: to, atoms: atoms, certificates: certificates)
    }

    var to: VersionVector { VectorCoding.vector(entries) }

    // MARK: Parts

    private mutating func takeRest(_ frame: WireDelta) throws(ProtocolFault) {
        guard var open = unfinished else {
            guard frame.rest.isEmpty else { throw ProtocolFault("a delta continues a value that was complete") }
            return
        }
        try spend(frame.rest.count)
        open.content += frame.rest.array
        guard open.content.count <= AtomContent.byteLimit else {
            throw ProtocolFault("the value at \(open.key.path.description.prefix(80)) is larger than any may be")
        }
        unfinished = nil
        if frame.unfinished, frame.runs.isEmpty {
            unfinished = open
        } else {
            try finish(open.key, open.dot, open.content)
        }
    }

    private mutating func dot(of run: WireRun) throws(ProtocolFault) -> Dot {
        guard run.position < entries.count else {
            throw ProtocolFault("an atom's dot is of replica \(run.position) of \(entries.count)")
        }
        let entry = entries[Int(run.position)]
        guard run.back < entry.entry.sequence, entry.entry.sequence - run.back > entry.after else {
            throw ProtocolFault("an atom's dot lies outside the span of its delta")
        }
        let sequence = entry.entry.sequence - run.back
        if let last = lastPlace, (last.position, last.sequence) > (run.position, sequence) {
            throw ProtocolFault("the atoms of a delta are not in the order of their dots")
        }
        lastPlace = (run.position, sequence)
        return Dot(replica: entry.replica, sequence: sequence)
    }

    private mutating func key(_ atom: WireAtom, _ dot: Dot, _ path: inout [UInt8]) throws(ProtocolFault) -> AtomKey {
        guard let kind = UInt8(exactly: atom.kind) else { throw ProtocolFault("an atom is of kind \(atom.kind)") }
        path = try expand(path, atom.pathShared, atom.path.array, Limits.path, "path")
        guard path.isEmpty || path[0] == UInt8(ascii: "/") || path[0] == UInt8(ascii: "#") else {
            throw ProtocolFault("an atom's path begins with neither / nor #")
        }
        guard atom.sub.count <= Limits.sub, !atom.own || atom.sub.isEmpty else {
            throw ProtocolFault("an atom has a sub of \(atom.sub.count) bytes")
        }
        let sub = atom.own ? dot.replica.bytes : atom.sub.array
        try spend(sub.count)
        let key = AtomKey(DocumentPath(encoded: path), AtomKind(rawValue: kind), sub: sub)
        if key.kind.base == .counter, key.kind.isKnown, sub.count != 0, sub.count != 16 {
            throw ProtocolFault("a counter has a part of \(sub.count) bytes")
        }
        return key
    }

    private mutating func expand(
        _ last: [UInt8],
        _ shared: UInt32,
        _ rest: [UInt8],
        _ limit: Int,
        _ what: String
    ) throws(ProtocolFault) -> [UInt8] {
        guard shared <= last.count else {
            throw ProtocolFault("a \(what) shares \(shared) bytes with one of \(last.count)")
        }
        let count = Int(shared) + rest.count
        guard count <= limit else { throw ProtocolFault("a \(what) has \(count) bytes, more than \(limit)") }
        try spend(count)
        return shared == 0 ? rest : last[..<Int(shared)] + rest
    }

    private mutating func finish(_ key: AtomKey, _ dot: Dot, _ content: [UInt8]) throws(ProtocolFault) {
        guard atoms.count < Limits.atoms else { throw ProtocolFault("a delta has more than \(Limits.atoms) atoms") }
        do {
            atoms.append(KeyedAtom(key, Atom(try AtomContent(encoded: content, key: key), dot)))
        } catch {
            throw ProtocolFault("a delta of profile \(profile) is unreadable: \(error)")
        }
    }

    private mutating func spend(_ count: Int) throws(ProtocolFault) {
        bytes += count
        guard bytes <= Limits.deltaBytes else {
            throw ProtocolFault("a delta of profile \(profile) has more than \(Limits.deltaBytes) bytes")
        }
    }
}
