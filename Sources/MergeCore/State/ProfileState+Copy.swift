package import LosslessJSON

extension ProfileState {
    /// Takes up a document from elsewhere, beside what is known. Nothing goes down or away, and what was chosen here
    /// stays chosen. Otherwise like ``adopt(_:_:)``.
    ///
    /// - Parameter mayBeCounted: The document is a plain copy, of which nobody knows what it has counted already. Then
    ///   a counter comes to the larger of both totals and no further, for what the copy holds may be the very amounts
    ///   that are counted here; and a value that is known stays, for nobody knows which came later.
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

    /// Takes up a file of which nobody knows what it has counted already: this device may have had the profile before
    /// and lost its record, or the file may have been carried over by hand. A counter comes to the larger of both
    /// totals and no further, so that nothing counts twice. Otherwise like ``adopt(_:_:)``.
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

    /// Takes up a file that began empty under the eyes of the library: what its counters hold was earned on this device,
    /// from nothing, so all of it counts beside what is known. Otherwise like ``adopt(_:_:)``.
    ///
    /// To be called once in the life of such a file, and never for a copy of it.
    package mutating func adopt(earned document: JSONDocument, _ context: WriteContext) -> WriteResult {
        let diff = DocumentDiff(from: nil, to: document, rules: rules)
        var batch = WriteBatch(state: self, context: context)
        for change in diff.changes {
            // Nobody earns less than nothing: such a number means something else, and is taken as it is.
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

    /// Brings a counter to a total, where that is more than it has.
    private func raise(_ change: LeafChange, _ value: JSONValue, _ kind: AtomKind, _ batch: inout WriteBatch) {
        guard case .number(let amount)? = Ordinal(value, by: change.rule), let total = counterTotal(change.path, kind)
        else { return batch.adopt(change) }
        // A file shows no less than zero, so a zero may stand for a debt.
        guard total < amount, !(total.isNegative && amount.isZero) else { return }
        var start = ExactDecimal.zero
        if case .baseline(let known)? = live(AtomKey(change.path, kind))?.content { start = known }
        do {
            batch.put(AtomKey(change.path, kind), .baseline(try start.adding(amount.subtracting(total))))
        } catch {
            batch.refuse(change.path, "the counter would need more than 1,000 digits")
        }
    }

    /// Whether a side from elsewhere got further than all that are known: a device has one candidate, which must not
    /// give way to a lesser one.
    private func getsFurther(_ change: LeafChange, _ value: JSONValue, _ context: WriteContext) -> Bool {
        guard let kind = change.rule.kind else { return false }
        let known = candidates(change.path, kind)
        let new = Candidate(
            value: value,
            stamp: .adopted(milliseconds: context.fileTime),
            dot: Dot(replica: context.replica, sequence: .max)
        )
        return Candidate.furthest(known + [new], change.rule) == new
    }
}
