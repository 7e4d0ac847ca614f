import LosslessJSON

/// Compaction: an epoch over the whole profile that holds its own values, so that tombstones and what former epochs
/// left behind can go. To be made only when every device has acked; nothing is ever dropped because time has passed.
extension ProfileState {
    /// Begins it. Every value that counts is written again as it is; counters keep what each replica earned and spent.
    public mutating func compact(_ context: WriteContext) throws(EpochError) -> WriteResult {
        let (epoch, key) = try announce(
            .compaction, .everything, scope: nil, stamp: .live(milliseconds: context.now), origin: context.replica,
            context)
        let kept = (0..<table.recordCount).compactMap { number in
            isHidden(number) ? nil : keyedAtom(at: number)
        }.filter { !$0.key.path.isReserved && !$0.atom.content.isTombstone }
        let contents = kept.sorted { $0.key < $1.key }.map { ($0.key, $0.contentWithOrigin) }
        return WriteResult(atoms: write([(key, .epoch(epoch))] + contents, as: context.replica))
    }

    /// Writes again, in a compaction's epoch, what its writer had not seen, whoever wrote it. The contents are the same
    /// wherever that is done, so that it may be done twice.
    ///
    /// - Parameter overridden: What a join put aside.
    /// - Returns: What was written, and what stays aside for another reason: a reset or a restore.
    public mutating func carryOver(
        _ overridden: [KeyedAtom], _ context: WriteContext
    ) -> (written: [KeyedAtom], left: [KeyedAtom]) {
        var contents: [(AtomKey, AtomContent)] = []
        var left: [KeyedAtom] = []
        for atom in overridden {
            if isOnlyCompacted(atom) { contents.append((atom.key, atom.contentWithOrigin)) } else { left.append(atom) }
        }
        return (write(contents.sorted { $0.0 < $1.0 }, as: context.replica), left)
    }

    /// Takes out what lies below a compaction that had seen it. Returns the keys that went.
    public mutating func dropCompacted() -> [AtomKey] {
        var dropped: [AtomKey] = []
        for number in 0..<table.recordCount where table[number].sequence > 0 && isHidden(number) {
            let (epoch, dot) = (table[number].epoch, dot(at: number))
            guard epochRegistry.known.contains(where: {
                $0.id.kind == .compaction && epochRegistry.isBelow(epoch, $0.number) && $0.epoch.hasSeen(dot)
            }) else { continue }
            dropped.append(table.key(number))
            drop(number)
        }
        return dropped.sorted()
    }

    /// Whether nothing but compactions began at an atom's place since it was written.
    private func isOnlyCompacted(_ atom: KeyedAtom) -> Bool {
        epochRegistry.known.allSatisfy { known in
            if let epoch = atom.atom.epoch, known.id <= epoch { return true }
            return known.id.kind == .compaction || !known.epoch.cover.covers(atom.key.path)
        }
    }
}

extension AtomContent {
    fileprivate var isTombstone: Bool {
        switch self {
        case .register(_, nil): true
        case .membership(let length, _): length % 2 == 0
        default: false
        }
    }
}
