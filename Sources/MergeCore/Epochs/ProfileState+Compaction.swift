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
        let ordered = Set(kept.compactMap(\.key.orderOfElement))
        let lasting = kept.filter { $0.key.kind != .order || ordered.contains($0.key) }
        let contents = lasting.sorted { $0.key < $1.key }.map { ($0.key, $0.contentWithOrigin) } + afresh
        return WriteResult(atoms: write([(key, .epoch(epoch))] + contents, as: context.replica))
    }

    /// What shows as nothing earned because it was reset and not written since, said in so many words: what tells it
    /// apart from a place that nobody knows is about to go.
    private var afresh: [(AtomKey, AtomContent)] {
        var contents: [(AtomKey, AtomContent)] = []
        for (path, kind) in places where hiddenBy(path, kind) != nil {
            let rule = rules.rule(for: path)
            guard rule.kind == kind, let shown = shown(path, rule) else { continue }
            switch shown {
            case .amount(let amount, _): contents.append((AtomKey(path, kind), .baseline(amount)))
            case .value(.bool(let truth), _) where kind.base == .flag:
                contents.append((AtomKey(path, kind), .flag(truth)))
            case .elements(let elements) where elements.isEmpty:
                contents.append((AtomKey(path, .latest), .register(Stamp(rawValue: 0), .array([]))))
            default: continue
            }
        }
        return contents.sorted { $0.0 < $1.0 }
    }

    /// Writes again, in a compaction's epoch, what its writer had not seen.
    ///
    /// - Parameters:
    ///   - overridden: What a join put aside.
    ///   - context: Who writes, and when.
    /// - Returns: What was written, and what stays aside for another reason: a reset or a restore. Where elements stood
    ///   is nothing that anybody would miss, so it is not among that.
    public mutating func carryOverCompacted(
        _ overridden: [KeyedAtom], _ context: WriteContext
    ) -> (written: [KeyedAtom], left: [KeyedAtom]) {
        let left = overridden.filter { $0.key.kind != .order && !isOnlyCompacted($0) }
        return (carryOver(overridden.filter(isOnlyCompacted), context), left)
    }

    /// Writes atoms again in the epoch in force, whoever wrote them. The contents are the same wherever that is done,
    /// so that every device may do it.
    public mutating func carryOver(_ atoms: [KeyedAtom], _ context: WriteContext) -> [KeyedAtom] {
        write(atoms.sorted { $0.key < $1.key }.map { ($0.key, $0.contentWithOrigin) }, as: context.replica)
    }

    /// Takes out what lies below a compaction that had seen it. Returns the keys that went.
    public mutating func dropCompacted() -> [AtomKey] {
        var dropped: [AtomKey] = []
        if keepsWritten {
            // A compaction covers everything, so whatever is below it is hidden wherever it shows.
            let known = epochRegistry.known.filter { $0.id.kind == .compaction }
            return dropWritten { atom in
                guard !atom.key.path.version.place.isReserved else { return false }
                return known.contains { known in
                    (atom.atom.epoch.map { $0 < known.id } ?? true) && known.epoch.hasSeen(atom.atom.dot)
                }
            }.sorted()
        }
        for number in 0..<table.recordCount where table[number].sequence > 0 && isHidden(number) {
            let (epoch, dot) = (table[number].epoch, dot(at: number))
            guard epochRegistry.known.contains(where: {
                $0.id.kind == .compaction && epochRegistry.isBelow(epoch, $0.number) && $0.epoch.hasSeen(dot)
            }) else { continue }
            let key = table.key(number)
            dropped.append(AtomKey(key.path.of(lifts.own), key.kind, sub: key.sub))
            drop(number)
        }
        return dropped.sorted()
    }

    /// Whether nothing but compactions began at an atom's place since it was written.
    private func isOnlyCompacted(_ atom: KeyedAtom) -> Bool {
        epochRegistry.known.allSatisfy { known in
            if let epoch = atom.atom.epoch, known.id <= epoch { return true }
            return known.id.kind == .compaction || !known.covers(atom.key.path)
        }
    }
}

extension AtomKey {
    /// The key under which the position of the element is, where this one says that there is one.
    fileprivate var orderOfElement: AtomKey? {
        switch kind {
        case .union, .set: return AtomKey(path, .order, sub: ArrayOrder.sub(sub))
        case .element:
            guard case .element(let id)? = path.steps?.last, let array = path.parent else { return nil }
            return AtomKey(array, .order, sub: ArrayOrder.sub(id))
        default: return nil
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
