import LosslessJSON

/// Reading a document as a start, such as the first file of a profile.
extension WriteBatch {
    /// Reads a value of a document as a start: in the epoch in force, whatever its writer had read.
    mutating func adopt(_ change: LeafChange) {
        adoptionStamp = .adopted(context.fileTime)
        defer { adoptionStamp = nil }
        switch change.change {
        case .value(_, let new?) where change.rule.merge == .counter && !change.rule.reads(new):
            tell(change.path, change.rule, new)
            refuse(change.path, "counter takes a number of at most 1,000 digits")
        case .value(_, let new?) where change.rule.merge == .latest:
            var stamp = Stamp.adopted(context.fileTime)
            noteReturn(change.path, isNew: true)
            // A removed value must not win over the adopted one.
            let key = AtomKey(change.path, .latest)
            if state.visible(key) == nil || current(key) == nil, let former = state.live(key),
                case .register(let last, .some) = former.content
            {
                stamp = max(stamp, last.successor)
            }
            put(key, .register(stamp, new))
        case .value(_, let new?) where change.rule.merge == .counter:
            guard let kind = change.rule.kind else { return }
            guard case .number(let amount)? = Ordinal(new, by: change.rule) else {
                return refuse(change.path, "counter takes a number of at most 1,000 digits")
            }
            noteReturn(change.path, isNew: true)
            hint(change.path, kind, new, amount)
            if isGone(change.path, kind) { return count(change.path, change.rule, nil, new) }
            put(AtomKey(change.path, kind), .baseline(amount))
        case .value(_, let new?) where change.rule.merge == .choice || change.rule.merge == .furthest:
            guard let kind = change.rule.kind else { return }
            let key = AtomKey(change.path, kind, sub: context.replica.bytes)
            var stamp = Stamp.adopted(context.fileTime)
            if case .candidate(let last, _, _)? = state.live(key)?.content { stamp = max(stamp, last.successor) }
            put(key, .candidate(stamp, new, replaced: [:]))
        case .order(_, let after):
            let stamp = Stamp.adopted(context.fileTime)
            arrange(change.path, from: [], to: after) { _ in stamp }
        default: apply(change)
        }
    }

    /// Adopts what a document shows that was written under other rules.
    ///
    /// Two things are left out, because the document may hold them already. A counter of which amounts were known while the
    /// document was written: as the start of the counter, they would count twice. The player is told of it. Of one whose
    /// start was corrected the larger sum stays. And elements of a set that were removed without a word to this device: under
    /// the other rules nobody could tell them from new ones. Elements with a key come back, since what they hold may have been
    /// played since.
    ///
    /// - Parameters:
    ///   - seen: What was known of the profile while the document was written.
    ///   - isOfProfiles: Whether two profiles become one. Then what counts already in a corrected counter says nothing of
    ///     the document's amount.
    mutating func adoptUnderOtherRules(_ change: LeafChange, seen: VersionVector, isOfProfiles: Bool) {
        guard let kind = change.rule.kind else { return adopt(change) }
        if change.rule.merge == .counter, case .value(_, let value?) = change.change {
            if state.liveParts(change.path, kind).contains(where: { seen.covers($0.atom.dot) }) {
                return tellUncounted(change.path, kind, change.rule, value)
            }
            if !isOfProfiles, state.isCorrectedByRules(change.path, kind) {
                return keepLarger(change.path, kind, change.rule, value)
            }
        }
        guard case .elements(let added, let removed) = change.change else { return adopt(change) }
        let rest = added.filter { element in
            guard let atom = state.live(AtomKey(change.path, kind, sub: element.canonicalBytes)),
                case .membership(let length, _) = atom.content
            else { return true }
            return length % 2 == 1 || seen.covers(atom.dot)
        }
        adopt(LeafChange(path: change.path, rule: change.rule, change: .elements(added: rest, removed: removed)))
    }
}
