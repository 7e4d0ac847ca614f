/// The stored form of a version vector: 32 bytes for each replica, ascending: 16 bytes id, 8 bytes sequence number, 8
/// bytes history, most significant byte first.
extension VersionVector {
    package var blob: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entries.count * 32)
        for replica in sortedReplicas {
            guard let entry = entries[replica] else { continue }
            bytes += replica.bytes
            for number in [entry.sequence, entry.history] {
                for shift in stride(from: 56, through: 0, by: -8) {
                    bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
                }
            }
        }
        return bytes
    }

    /// `nil` where the bytes are no vector.
    package init?(blob: [UInt8]) {
        guard blob.count.isMultiple(of: 32) else { return nil }
        var entries: [ReplicaID: Entry] = [:]
        entries.reserveCapacity(blob.count / 32)
        for start in stride(from: 0, to: blob.count, by: 32) {
            guard let replica = ReplicaID(bytes: blob[start..<start + 16]) else { return nil }
            func number(_ offset: Int) -> UInt64 {
                blob[start + offset..<start + offset + 8].reduce(0) { $0 << 8 | UInt64($1) }
            }
            entries[replica] = Entry(sequence: number(16), history: number(24))
        }
        self.init(entries)
    }
}
