import LosslessJSON

/// Compaction: an epoch over the whole profile that holds the profile's own values. Tombstones, and what former epochs
/// left behind, can then be dropped. To be made only when every device has acknowledged; nothing is ever dropped
/// because time has passed.
extension ProfileState {
    /// Begins a compaction. Every value that counts is written again as it is; counters keep what each replica earned
    /// and spent.
    public mutating func compact(_ context: WriteContext) throws(EpochError) -> WriteResult {
        let (epoch, key) = try announce(
            .compaction, .everything, scope: nil, stamp: .live(milliseconds: context.now), origin: context.replica,
            context)
        let kept = (0..<table.recordCount).compactMap { number in
            isHidden(number) ? nil : keyedAtom(at: number).map(asItStands)
        }.filter { !$0.key.path.isReserved && !$0.atom.content.isTombstone && !isGone($0) }
        let ordered = Set(kept.compactMap(\.key.orderOfElement))
        let lasting = kept.filter { $0.key.kind != .order || ordered.contains($0.key) }
        let contents = lasting.sorted { $0.key < $1.key }.map { ($0.key, $0.contentWithOrigin) } + afresh + emptied
        return WriteResult(atoms: write([(key, .epoch(epoch))] + contents, as: context.replica))
    }

    /// Whether an atom was removed with a container, or is such a removal. The parts of a counter go or stay together,
    /// because its value is the sum of all of them.
    private func isGone(_ atom: KeyedAtom) -> Bool {
        if atom.key.kind == .removal { return true }
        if atom.key.kind.base == .counter { return isRemoved(atom.key.path, atom.key.kind) }
        return visible(atom.key) == nil
    }

    /// Explicit empty values for containers that are empty but not removed. Needed because the atoms that were removed
    /// from them are about to be dropped.
    private var emptied: [(AtomKey, AtomContent)] {
        ViewNode(self).emptied(at: .root).map { path, value in
            (AtomKey(path, .latest), .register(Stamp(rawValue: 0), value))
        }
    }

    /// Explicit start values (0, false, an empty array) for places that were reset and not written since. Needed
    /// because the atoms that tell such a place apart from one that nobody knows are about to be dropped.
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

    /// Writes again, in the epoch of a compaction, what the compaction's writer had not seen.
    ///
    /// - Parameters:
    ///   - overridden: The atoms that a join put aside.
    ///   - context: Who writes, and when.
    /// - Returns: The atoms that were written, and those that stay aside for another reason: a reset or a restore.
    ///   Positions of elements are not among these, since nobody would miss them.
    public mutating func carryOverCompacted(
        _ overridden: [KeyedAtom], _ context: WriteContext
    ) -> (written: [KeyedAtom], left: [KeyedAtom]) {
        let left = overridden.filter { $0.key.kind != .order && !isOnlyCompacted($0) }
        return (carryOver(overridden.filter(isOnlyCompacted), context), left)
    }

    /// Writes atoms again in the epoch in force, whoever wrote them. The contents are the same wherever that is done,
    /// so that every device may do it.
    public mutating func carryOver(_ atoms: [KeyedAtom], _ context: WriteContext) -> [KeyedAtom] {
        let own = Dot(replica: context.replica, sequence: vector.sequence(of: context.replica) &+ 1)
        let removed = atoms.filter { $0.key.kind == .removal }
        let kept = atoms.filter { atom in
            // An atom that a removal covers comes along when that removal is carried over too: counters have spent.
            if removals.isEmpty || removed.contains(where: { $0.covers(atom) }) { return true }
            return !upcasts(of: atom).allSatisfy(wasRemoved)
        }
        func isAlone(_ removal: KeyedAtom) -> Bool {
            !kept.contains { $0.key.kind.keepsAlive && $0.isBeside(removal) } && !holds(beside: removal, own)
        }
        let contents = kept.map { atom in
            // An element that was edited concurrently with its removal is back. The membership is written as present,
            // because the removal does not go into the new epoch.
            if atom.key.kind == .element,
                removed.contains(where: { $0.key.path == atom.key.path && $0.covers(atom) && !isAlone($0) })
            {
                return (atom.key, atom.asMember.atom.content)
            }
            return (atom.key, carried(atom, with: isAlone(atom) ? own : nil))
        }
        return write(contents.sorted { $0.0 < $1.0 }, as: context.replica)
    }

    /// Whether the replica of `own` has an earlier write in the container of a removal that the removal does not cover.
    private func holds(beside atom: KeyedAtom, _ own: Dot) -> Bool {
        guard case .removal(let removal) = atom.atom.content, let path = upcasts(of: atom).first?.key.path,
            removal.seen[own.replica, default: 0] &+ 1 < own.sequence
        else { return false }
        return (0..<table.recordCount).contains { number in
            guard table[number].sequence > 0, table[number].kind.keepsAlive, case let dot = self.dot(at: number),
                dot.replica == own.replica, !removal.seen.covers(dot)
            else { return false }
            return DocumentPath(encoded: Array(table.keyBytes(table.placeNumber(of: number)))).isAtOrBelow(path)
        }
    }

    /// Whether a removal hides an atom.
    private func wasRemoved(_ atom: KeyedAtom) -> Bool {
        removals.hiding(atom.key.path).contains { $0.covers(atom.atom.dot) }
    }

    /// The content with which an atom is carried over into the epoch in force. A removal that covers all that a
    /// compaction had seen covers what the compaction wrote again as well, so it takes in the compaction's dots. It
    /// also takes in `own`, the write that carries it over, where that write holds nothing else of the container.
    private func carried(_ atom: KeyedAtom, with own: Dot?) -> AtomContent {
        guard case .removal(var removal) = atom.atom.content else { return atom.contentWithOrigin }
        for known in epochRegistry.known where known.id.kind == .compaction && removal.seen.covers(known.epoch.seen) {
            for dot in known.dots + (own.map { [$0] } ?? []) { removal.seen.join([dot.replica: dot.sequence]) }
        }
        return .removal(removal)
    }

    /// Drops the atoms of lower epochs that a compaction had seen. Returns their keys.
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
            guard
                epochRegistry.known.contains(where: {
                    $0.id.kind == .compaction && epochRegistry.isBelow(epoch, $0.number) && $0.epoch.hasSeen(dot)
                })
            else { continue }
            let key = table.key(number)
            dropped.append(AtomKey(key.path.of(upcasters.own), key.kind, sub: key.sub))
            drop(number)
        }
        if !removals.isEmpty { reloadRemovals() }
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
    /// The key of the position of the element whose membership this key is; `nil` for other kinds.
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

extension KeyedAtom {
    /// Whether this atom is a removal that covers another atom.
    fileprivate func covers(_ other: KeyedAtom) -> Bool {
        guard case .removal(let removal) = atom.content else { return false }
        return other.key.path.isAtOrBelow(key.path) && removal.seen.covers(other.atom.dot)
    }

    /// Whether this atom lies in the container of a removal that does not cover it.
    fileprivate func isBeside(_ removal: KeyedAtom) -> Bool {
        key.path.isAtOrBelow(removal.key.path) && !removal.covers(self)
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
