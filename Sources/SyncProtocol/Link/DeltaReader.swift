import MergeCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Assembles one delta from its frames, and checks every field on the way.
struct DeltaReader {
    private let head: DeltaHead
    private var atoms: [KeyedAtom] = []
    private var bytes = 0
    /// The number of these bytes that came with the current frame, or with the last one.
    private(set) var frameBytes = 0
    private var nextNumber: UInt32 = 0
    /// The dot of the last atom that was read: the next dot is coded relative to it.
    private var last: (position: Int, sequence: UInt64)
    private var unfinished: Open?

    /// An atom whose content is not complete yet.
    private struct Open {
        let key: AtomKey
        let dot: Dot
        let epoch: EpochID?
        var content: [UInt8]
    }

    /// Reads the fields that only the first frame has. Call ``add(_:_:_:)`` with the same frame afterwards.
    init(_ frame: WireDelta, _ names: inout IncomingNames) throws(ProtocolFault) {
        head = try DeltaHead(frame, &names)
        last = (0, head.entries[0].after + 1)
    }

    var profile: ProfileID { head.profile }
    var restated: UInt32 { head.restated }

    /// Takes the next frame. Returns `true` when this was the last one.
    mutating func add(
        _ frame: WireDelta, _ names: inout IncomingNames, _ keys: inout LinkKeys
    ) throws(ProtocolFault) -> Bool {
        guard frame.number == nextNumber else {
            throw ProtocolFault("frame \(frame.number) of a delta came where \(nextNumber) was due")
        }
        guard frame.number == 0 || frame.to.isEmpty else {
            throw ProtocolFault("a delta has a second head in its frame \(frame.number)")
        }
        // Frame 0 has no frame before it. So a continued atom is expected exactly when the frame before said
        // `unfinished`.
        nextNumber += 1
        frameBytes = 0
        let (rest, columns) = try unpack(frame)
        try takeRest(rest.array, goesOn: frame.unfinished && columns == nil)
        if let columns { try take(columns, goesOn: frame.unfinished, &names, &keys) }
        if frame.unfinished {
            guard unfinished != nil, frame.more else { throw ProtocolFault("a delta leaves no value to be continued") }
        }
        return !frame.more
    }

    /// The delta, once all frames are here. `nil` where the history hash of a write was left out and cannot be
    /// computed, because the write before it is not here.
    ///
    /// - Parameter ledger: The vectors of the profile that this device has and has told the peer.
    consuming func delta(_ ledger: ProfileLedger) -> IncomingDelta? {
        var to = to
        var starts: [ReplicaID: VersionVector.Entry] = [:]
        for entry in head.entries { starts[entry.replica] = .init(sequence: entry.after, history: 0) }
        var open: [ReplicaID: HistoryHash] = [:]
        for entry in head.entries where !entry.hasHistory {
            switch ledger.base(of: entry.replica, before: entry.entry.sequence) {
            case .history(let history): open[entry.replica] = HistoryHash(history)
            // The entry must still be covered when the delta is joined; its history hash does not matter then.
            case .covered: starts[entry.replica]?.sequence = entry.entry.sequence
            case .unknown: return nil
            }
        }
        if !open.isEmpty {
            for atom in atoms { open[atom.atom.dot.replica]?.add(atom) }
            for (replica, hash) in open {
                to.advance(replica, to: .init(sequence: to.sequence(of: replica), history: hash.value))
            }
        }
        let from = ledger.floor.joined(VersionVector(starts))
        var delta = IncomingDelta(
            profile: profile, from: from, to: to, atoms: atoms, origins: head.origins,
            signatures: head.signatures)
        for entry in head.entries { delta.begins[entry.replica] = entry.after }
        delta.cut = head.cut
        return delta
    }

    /// The vector that the delta advances to. An entry's history is 0 where it was left out.
    var to: VersionVector { VectorCoding.vector(head.entries) }

    // MARK: Parts

    /// The two parts of the frame, inflated if they were compressed: the rest of the last atom before, and the frame's
    /// own atoms.
    private func unpack(_ frame: WireDelta) throws(ProtocolFault) -> (rest: Data, columns: WireColumns?) {
        guard !frame.packed.isEmpty else { return (frame.rest, frame.hasColumns ? frame.columns : nil) }
        guard frame.rest.isEmpty, !frame.hasColumns else {
            throw ProtocolFault("a frame of a delta is compressed in part")
        }
        let packed = try WirePacked(wire: try Deflate.inflated(frame.packed.array, limit: Limits.inflated))
        return (packed.rest, packed.hasColumns ? packed.columns : nil)
    }

    private mutating func takeRest(_ rest: [UInt8], goesOn: Bool) throws(ProtocolFault) {
        guard var open = unfinished else {
            guard rest.isEmpty else { throw ProtocolFault("a delta continues a value that was complete") }
            return
        }
        try spend(rest.count)
        open.content += rest
        guard open.content.count <= AtomContent.byteLimit else {
            throw ProtocolFault("the value at \(open.key.path.inOneLine.prefix(80)) is larger than any may be")
        }
        unfinished = nil
        if goesOn {
            unfinished = open
        } else {
            try finish(open)
        }
    }

    private mutating func take(
        _ columns: WireColumns, goesOn: Bool, _ names: inout IncomingNames, _ keys: inout LinkKeys
    ) throws(ProtocolFault) {
        var reader = try ColumnsReader(columns)
        guard atoms.count + reader.count <= Limits.atoms else {
            throw ProtocolFault("a delta has more than \(Limits.atoms) atoms")
        }
        var content = names.lead
        var leading = names.lead
        for index in 0..<reader.count {
            let read = try reader.next(&names, &keys)
            let dot = try dot(read)
            let key = try key(read.key, dot)
            guard read.shared <= content.count else {
                throw ProtocolFault("a value shares \(read.shared) bytes with one of \(content.count)")
            }
            let count = read.shared + read.content.count
            guard count <= AtomContent.byteLimit else {
                throw ProtocolFault("a value has \(count) bytes, more than \(AtomContent.byteLimit)")
            }
            try spend(count)
            var next: [UInt8] = []
            next.reserveCapacity(count)
            next += content[..<read.shared]
            next += read.content
            content = next
            if count >= 8 { leading = content }
            let atom = Open(key: key, dot: dot, epoch: read.epoch, content: content)
            if goesOn, index == reader.count - 1 {
                unfinished = atom
            } else {
                try finish(atom)
            }
        }
        try reader.finish()
        names.received(leading)
    }

    private mutating func dot(_ read: ColumnsReader.Read) throws(ProtocolFault) -> Dot {
        if read.ahead > 0 {
            guard read.ahead < head.entries.count - last.position else {
                throw ProtocolFault(
                    "an atom's dot is of replica \(last.position + Int(read.ahead)) of \(head.entries.count)")
            }
            last.position += Int(read.ahead)
            last.sequence = head.entries[last.position].after + 1
        }
        let entry = head.entries[last.position]
        guard read.step <= entry.entry.sequence - last.sequence else {
            throw ProtocolFault("an atom's dot lies outside the span of its delta")
        }
        last.sequence += read.step
        return Dot(replica: entry.replica, sequence: last.sequence)
    }

    private mutating func key(_ wire: WireKey, _ dot: Dot) throws(ProtocolFault) -> AtomKey {
        let sub = wire.own ? dot.replica.bytes : wire.sub
        try spend(wire.path.count + sub.count)
        let key = AtomKey(DocumentPath(encoded: wire.path), AtomKind(rawValue: wire.kind), sub: sub)
        if key.kind.base == .counter, key.kind.isKnown, sub.count != 0, sub.count != 16,
            !UndoPart.isName(sub)
        {
            throw ProtocolFault("a counter has a part of \(sub.count) bytes")
        }
        return key
    }

    private mutating func finish(_ open: Open) throws(ProtocolFault) {
        do {
            let atom = try Atom(encoded: open.content, key: open.key, open.dot, epoch: open.epoch)
            atoms.append(KeyedAtom(open.key, atom))
        } catch {
            throw ProtocolFault("a delta of profile \(profile) is unreadable: \(error)")
        }
    }

    private mutating func spend(_ count: Int) throws(ProtocolFault) {
        (bytes, frameBytes) = (bytes + count, frameBytes + count)
        guard frameBytes <= Limits.unfolded else {
            throw ProtocolFault("a frame of a delta stands for more than \(Limits.unfolded) bytes")
        }
        guard bytes <= Limits.deltaBytes else {
            throw ProtocolFault("a delta of profile \(profile) has more than \(Limits.deltaBytes) bytes")
        }
    }
}
