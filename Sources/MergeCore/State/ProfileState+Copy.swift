package import LosslessJSON

extension ProfileState {
    /// Merges a document from elsewhere into what is known. Nothing gets less or goes away, and a choice that was made
    /// here stays. Otherwise like ``adopt(_:_:)``.
    ///
    /// - Parameter mayBeCounted: Whether the document is a plain copy, so that its amounts may be counted here already.
    ///   Then a counter is raised to the larger of both totals and no further. A known `latest` value stays, because it
    ///   is not known which value is later.
    package mutating func adopt(
        foreign document: JSONDocument, mayBeCounted: Bool, _ context: WriteContext
    ) -> WriteResult {
        let diff = DocumentDiff(from: nil, to: document, rules: rules)
        var batch = WriteBatch(state: self, context: context)
        for change in diff.writes {
            guard case .value(_, let value?) = change.change, let kind = change.rule.kind else {
                batch.adopt(change)
                continue
            }
            switch change.rule.merge {
            case .counter where mayBeCounted: raise(change, value, kind, &batch)
            case .latest where mayBeCounted && (value.isEmptyContainer || isKnown(change.path, .latest)): continue
            case .choice where !candidates(change.path, kind).isEmpty: continue
            case .furthest where !getsFurther(change, value, context): continue
            default: batch.adopt(change)
            }
        }
        let atoms = write(batch.contents, as: context.replica)
        return WriteResult(atoms: atoms, unreadable: diff.unreadable + batch.unreadable)
    }

    /// Merges a file that may be a copy: it is not known which of its amounts are counted already. This device may have
    /// had the profile before and lost its record, or a person may have copied the file by hand. A counter is raised to
    /// the larger of both totals and no further, so that nothing counts twice. Otherwise like ``adopt(_:_:)``.
    package mutating func adopt(copy document: JSONDocument, _ context: WriteContext) -> WriteResult {
        let diff = DocumentDiff(from: nil, to: document, rules: rules)
        var batch = WriteBatch(state: self, context: context)
        for change in diff.writes {
            if case .value(_, let value?) = change.change, change.rule.merge == .counter, let kind = change.rule.kind {
                raise(change, value, kind, &batch)
            } else {
                batch.adopt(change)
            }
        }
        let atoms = write(batch.contents, as: context.replica)
        return WriteResult(atoms: atoms, unreadable: diff.unreadable + batch.unreadable)
    }

    /// Merges a file that began empty while the library watched. The content of its counters was earned on this device,
    /// from nothing, so all of it is added to what is known. Otherwise like ``adopt(_:_:)``.
    ///
    /// Call once in the life of such a file, and never for a copy of it.
    package mutating func adopt(earned document: JSONDocument, _ context: WriteContext) -> WriteResult {
        let diff = DocumentDiff(from: nil, to: document, rules: rules)
        var batch = WriteBatch(state: self, context: context)
        for change in diff.changes {
            // Earned amounts are never below zero: a number below zero means something else, and is read as a start.
            if change.rule.merge == .counter, case .value(_, let value?) = change.change,
                case .number(let amount)? = Ordinal(value, by: change.rule), !amount.isNegative
            {
                batch.earn(change)
            } else {
                batch.adopt(change)
            }
        }
        let atoms = write(batch.contents, as: context.replica)
        return WriteResult(atoms: atoms, unreadable: diff.unreadable + batch.unreadable)
    }

    private func isKnown(_ path: DocumentPath, _ kind: AtomKind) -> Bool {
        guard case .register(_, .some)? = visible(AtomKey(path, kind))?.content else { return false }
        return true
    }

    /// Raises a counter to a total, if that is more than the counter has.
    private func raise(_ change: LeafChange, _ value: JSONValue, _ kind: AtomKind, _ batch: inout WriteBatch) {
        guard case .number(let amount)? = Ordinal(value, by: change.rule), let total = counterTotal(change.path, kind)
        else { return batch.adopt(change) }
        // A file shows no number below zero for an overspent counter, so a 0 in it may mean a debt.
        guard total < amount, !(total.isNegative && amount.isZero) else { return }
        var start = ExactDecimal.zero
        if case .baseline(let known)? = live(AtomKey(change.path, kind))?.content { start = known }
        do {
            batch.put(AtomKey(change.path, kind), .baseline(try start.addingCountably(amount.subtracting(total))))
        } catch {
            batch.refuse(change.path, "the counter would need more than 1,000 digits")
        }
    }

    /// Whether a candidate from elsewhere got further than all known ones. A device has one candidate only, and a worse
    /// one must not replace a better one.
    private func getsFurther(_ change: LeafChange, _ value: JSONValue, _ context: WriteContext) -> Bool {
        guard let kind = change.rule.kind else { return false }
        let known = candidates(change.path, kind)
        let new = Candidate(
            value: value,
            stamp: .adopted(context.fileTime),
            dot: Dot(replica: context.replica, sequence: .max)
        )
        return Candidate.furthest(known + [new], change.rule) == new
    }
}
