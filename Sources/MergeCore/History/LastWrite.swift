/// The newest write of a profile that has a time: it shows when and by which device the profile was played last.
public struct LastWrite: Hashable, Sendable {
    /// The date of the write, by the clock of its device.
    public let time: WallTime
    /// The replica that wrote.
    public let replica: ReplicaID

    /// A write of a replica at a time.
    public init(time: WallTime, replica: ReplicaID) {
        self.time = time
        self.replica = replica
    }
}

extension ProfileState {
    /// The newest write that has a time; `nil` where no rule keeps one. O(n).
    public var lastWrite: LastWrite? {
        var newest: (stamp: Stamp, replica: ReplicaID)?
        for number in 0..<table.recordCount where table[number].sequence > 0 {
            let record = table[number]
            let form = AtomForm(record.kind, isPart: record.place != AtomTable.none)
            guard form == .register || form == .candidate,
                table.keyBytes(table.placeNumber(of: number)).first != UInt8(ascii: "#"),
                case let bytes = table.content(number).prefix(8), bytes.count == 8
            else { continue }
            let stamp = Stamp(rawValue: bytes.reduce(0) { $0 << 8 | UInt64($1) })
            let replica = dot(at: number).replica
            if let known = newest, (stamp, replica) <= (known.stamp, known.replica) { continue }
            newest = (stamp, replica)
        }
        return newest.map { LastWrite(time: $0.stamp.time, replica: $0.replica) }
    }
}
