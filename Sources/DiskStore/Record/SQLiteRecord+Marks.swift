import MergeCore
import ProfileKeeping

/// The check values of the rows, one function for each table.
extension SQLiteRecord {
    /// The check value of an atom's row. Without an epoch it equals that of version 1 of the record, so old rows stay
    /// valid.
    func atomMark(_ profile: Int64, _ key: AtomKey, _ dot: Dot, _ content: [UInt8], epoch: [UInt8]?) -> Int64 {
        RowMark.of { mark in
            mark.add(profile)
            mark.add(key.path.encoded)
            mark.add(UInt64(key.kind.rawValue))
            mark.add(key.sub)
            mark.add(dot.replica.high)
            mark.add(dot.replica.low)
            mark.add(dot.sequence)
            mark.add(content)
            if let epoch { mark.add(epoch) }
        }
    }

    func replicaMark(_ number: Int64, _ replica: ReplicaID) -> Int64 {
        RowMark.of { mark in
            mark.add(number)
            mark.add(replica.bytes)
        }
    }

    func lineageMark(_ profile: Int64, _ row: LineageRow) -> Int64 {
        RowMark.of { mark in
            mark.add(profile)
            mark.add(row.number)
            mark.add(UInt64(row.kind.rawValue))
            mark.add(row.vector.blob)
            mark.add(row.splice)
        }
    }

    func intentMark(_ profile: Int64, _ intent: Intent) -> Int64 {
        RowMark.of { mark in
            mark.add(profile)
            mark.add(Array(intent.temporary.utf8))
            mark.add(intent.vector.blob)
            mark.add(intent.targetWasAbsent ? 1 : 0 as Int64)
            mark.add(intent.splice)
        }
    }

    func historyMark(_ profile: Int64, _ step: HistoryRow) -> Int64 {
        RowMark.of { mark in
            mark.add(profile)
            mark.add(step.mark.number)
            mark.add(step.mark.bytes)
            mark.add(step.time)
            mark.add(UInt64(step.origin.rawValue))
            mark.add(step.writer.bytes)
            mark.add(step.changes)
        }
    }

    func noteMark(_ key: [UInt8], _ value: [UInt8]) -> Int64 {
        RowMark.of { mark in
            mark.add(key)
            mark.add(value)
        }
    }
}

extension RowMark {
    fileprivate mutating func add(_ splice: Splice) {
        add(Int64(splice.prefix))
        add(Int64(splice.suffix))
        add(splice.middle)
    }
}
