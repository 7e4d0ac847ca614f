/// Atoms as bytes, for the record: those with which a profile came there, in one row.
///
/// Integers are LEB128; "since" marks the zigzag difference from the number before.
/// - one byte version (1)
/// - replicas (count, 16 bytes each); epochs (count, 33 bytes each)
/// - count of atoms; for each: count of bytes shared with the path before, the path's other bytes with their count; one
///   byte kind; the sub with its count; the index of the dot's replica, its sequence number since that of the atom before;
///   0 for no epoch, else 1 + its index; the content with its count
package enum AtomList {
    private static let version: UInt8 = 1
    /// The most bytes of all paths together, each counted whole: four times what a save may have. A path takes the start
    /// of the one before, so a few bytes could stand for many.
    package static let pathLimit = 256 << 20

    /// Atoms in the form above; `nil` where their paths have more bytes than the limit. O(size).
    package static func encode(_ atoms: [KeyedAtom], pathLimit: Int = pathLimit) -> [UInt8]? {
        guard atoms.reduce(0, { $0 + $1.key.path.encoded.count }) <= pathLimit else { return nil }
        var (replicas, epochs) = (Numbering<ReplicaID>(), Numbering<EpochID>())
        var list = ByteWriter()
        var (last, lastSequence): ([UInt8], UInt64) = ([], 0)
        for atom in atoms {
            let path = atom.key.path.encoded
            let shared = sharedCount(last, path)
            list.add(varint: shared)
            list.add(varint: path.count - shared)
            list.add(path[shared...])
            last = path
            list.add(atom.key.kind.rawValue)
            list.add(counted: atom.key.sub)
            let dot = atom.atom.dot
            list.add(varint: replicas.number(dot.replica))
            list.add(dot.sequence, since: lastSequence)
            lastSequence = dot.sequence
            list.add(varint: atom.atom.epoch.map { epochs.number($0) + 1 } ?? 0)
            list.add(counted: atom.atom.encoded)
        }
        var whole = ByteWriter()
        whole.add(version)
        whole.add(varint: replicas.all.count)
        for replica in replicas.all { whole.add(replica.bytes) }
        whole.add(varint: epochs.all.count)
        for epoch in epochs.all { whole.add(epoch.bytes) }
        whole.add(varint: atoms.count)
        whole.add(list.bytes)
        return whole.bytes
    }

    /// Reads what ``encode(_:)`` wrote. Every bound is checked before anything is allocated for it. O(size).
    package static func decode(
        _ bytes: [UInt8], pathLimit: Int = pathLimit
    ) throws(StateCodingError) -> [KeyedAtom] {
        var reader = ByteReader(bytes)
        guard reader.byte() == version else {
            throw StateCodingError(description: "the atoms were stored by a newer Hearth; update Hearth here")
        }
        guard let replicas = reader.list(16, ReplicaID.init(bytes:)),
            let epochs = reader.list(EpochID.byteCount, EpochID.init(bytes:)), let count = reader.count()
        else { throw damaged }
        var atoms: [KeyedAtom] = []
        atoms.reserveCapacity(count)
        var (path, sequence): ([UInt8], UInt64) = ([], 0)
        var pathBytes = 0
        for _ in 0..<count {
            guard let shared = reader.varint(), shared <= UInt64(path.count), let rest = reader.count(),
                let end = reader.take(rest), let kind = reader.byte(), let sub = reader.counted(),
                let replica = reader.varint(), replica < UInt64(replicas.count),
                let next = reader.number(since: sequence), let epoch = reader.varint(), epoch <= UInt64(epochs.count),
                let content = reader.counted()
            else { throw damaged }
            path.removeSubrange(Int(shared)...)
            path += end
            pathBytes += path.count
            guard pathBytes <= pathLimit else { throw damaged }
            sequence = next
            let key = AtomKey(DocumentPath(encoded: path), AtomKind(rawValue: kind), sub: Array(sub))
            let dot = Dot(replica: replicas[Int(replica)], sequence: sequence)
            guard
                let atom = try? Atom(
                    encoded: Array(content), key: key, dot, epoch: epoch == 0 ? nil : epochs[Int(epoch) - 1])
            else { throw damaged }
            atoms.append(KeyedAtom(key, atom))
        }
        guard reader.isAtEnd else { throw damaged }
        return atoms
    }

    private static var damaged: StateCodingError { StateCodingError(description: "the stored atoms are damaged") }

    private static func sharedCount(_ one: [UInt8], _ other: [UInt8]) -> Int {
        let limit = min(one.count, other.count)
        var count = 0
        while count < limit, one[count] == other[count] { count += 1 }
        return count
    }
}

/// Numbers values in the order in which they occur. Neighbours mostly have the same one.
private struct Numbering<Value: Hashable> {
    private(set) var all: [Value] = []
    private var numbers: [Value: Int] = [:]
    private var last = 0

    mutating func number(_ value: Value) -> Int {
        if last < all.count, all[last] == value { return last }
        last = numbers[value] ?? all.count
        if last == all.count {
            numbers[value] = last
            all.append(value)
        }
        return last
    }
}
