import MergeCore
import ProfileKeeping

/// The check values of the rows, one function for each table.
extension SQLiteRecord {
    /// The check value of an atom's row. Without an epoch it equals that of version 1 of the record, so old rows stay
    /// valid.
    func atomChecksum(_ profile: Int64, _ key: AtomKey, _ dot: Dot, _ content: [UInt8], epoch: [UInt8]?) -> Int64 {
        RowChecksum.of { checksum in
            checksum.add(profile)
            checksum.add(key.path.encoded)
            checksum.add(UInt64(key.kind.rawValue))
            checksum.add(key.sub)
            checksum.add(dot.replica.high)
            checksum.add(dot.replica.low)
            checksum.add(dot.sequence)
            checksum.add(content)
            if let epoch { checksum.add(epoch) }
        }
    }

    func arrivalChecksum(_ profile: Int64, _ atoms: [UInt8], holds: Bool) -> Int64 {
        RowChecksum.of { checksum in
            checksum.add(profile)
            checksum.add(atoms)
            checksum.add(holds ? 1 : 0 as Int64)
        }
    }

    func replicaChecksum(_ number: Int64, _ replica: ReplicaID) -> Int64 {
        RowChecksum.of { checksum in
            checksum.add(number)
            checksum.add(replica.bytes)
        }
    }

    func baseHistoryChecksum(_ profile: Int64, _ row: BaseHistoryRow) -> Int64 {
        RowChecksum.of { checksum in
            checksum.add(profile)
            checksum.add(row.number)
            checksum.add(UInt64(row.kind.rawValue))
            checksum.add(row.vector.blob)
            checksum.add(row.byteDiff)
        }
    }

    func intentChecksum(_ profile: Int64, _ intent: Intent) -> Int64 {
        RowChecksum.of { checksum in
            checksum.add(profile)
            checksum.add(Array(intent.temporary.utf8))
            checksum.add(intent.vector.blob)
            checksum.add(intent.targetWasAbsent ? 1 : 0 as Int64)
            checksum.add(intent.byteDiff)
        }
    }

    func historyChecksum(_ profile: Int64, _ step: HistoryRow) -> Int64 {
        RowChecksum.of { checksum in
            checksum.add(profile)
            checksum.add(step.mark.number)
            checksum.add(step.mark.bytes)
            checksum.add(step.time.milliseconds)
            checksum.add(UInt64(step.origin.rawValue))
            checksum.add(step.writer.bytes)
            checksum.add(step.changes)
        }
    }

    func noteChecksum(_ key: [UInt8], _ value: [UInt8]) -> Int64 {
        RowChecksum.of { checksum in
            checksum.add(key)
            checksum.add(value)
        }
    }
}

extension RowChecksum {
    fileprivate mutating func add(_ byteDiff: ByteDiff) {
        add(Int64(byteDiff.prefix))
        add(Int64(byteDiff.suffix))
        add(byteDiff.middle)
    }
}
