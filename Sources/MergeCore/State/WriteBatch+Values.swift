import LosslessJSON

/// What is written for a value at a place, by the rule of the place.
extension WriteBatch {
    mutating func value(_ path: DocumentPath, _ rule: MergeRule, _ old: JSONValue?, _ new: JSONValue?) {
        tell(path, rule, new)
        switch rule.merge {
        case .local: return
        case .latest:
            if let old, !old.isEmptyContainer, new?.isEmptyContainer ?? true { buryHidden(below: path) }
            register(path, new)
        case .max, .min: extremum(path, rule, new)
        case .flag: flag(path, new)
        case .counter: count(path, rule, old, new)
        case .choice, .furthest: candidate(path, rule, old, new)
        case .union where rule.reading == .bits: bits(path, rule, new)
        case .union, .set:
            // Only an empty array, or a value that is no array, arrives here.
            if let new, !new.isEmptyContainer { refuse(path, "\(rule.merge.rawValue) takes an array") }
        }
    }

    /// Writes a value that does not count under the rule into a register. If another value counts at the place already,
    /// the value would never show, so it is not written. A set is an exception, because all its elements may be gone.
    /// After a reset, bits show a 0 that is in no atom, so a tombstone has to record its removal.
    mutating func tell(_ path: DocumentPath, _ rule: MergeRule, _ new: JSONValue?) {
        guard rule.merge != .latest, rule.merge != .local, !rule.isWhole, let kind = rule.kind else { return }
        guard let new else {
            var isThere = rule.reading == .bits && state.showsAfresh(path)
            if case .register(_, .some)? = state.live(AtomKey(path, .latest))?.content { isThere = true }
            if isThere {
                put(AtomKey(path, .latest), .register(stamp(path), nil))
            }
            return
        }
        guard rule.isToldByRegister(new),
            rule.merge == .set || state.counted(path, rule, kind) == nil || isGone(path, kind)
        else { return }
        put(AtomKey(path, .latest), .register(adoptionStamp ?? stamp(path), new))
    }

    private mutating func register(_ path: DocumentPath, _ new: JSONValue?) {
        if new == nil {
            var isThere = state.showsAfresh(path) || isEmptiedSet(path)
            if case .register(_, .some)? = state.live(AtomKey(path, .latest))?.content { isThere = true }
            guard isThere else { return }
            buryHidden(above: path)
        }
        put(AtomKey(path, .latest), .register(stamp(path), new))
    }

    /// Whether a set may show as empty because its elements were removed one by one, as by several devices. Such a set
    /// has no register. To remove the set itself, a register without a value must be written.
    private func isEmptiedSet(_ path: DocumentPath) -> Bool {
        let rule = state.rules.rule(for: path)
        guard rule.merge == .set, let kind = rule.kind else { return false }
        return !state.liveParts(path, kind).isEmpty
    }

    private mutating func extremum(_ path: DocumentPath, _ rule: MergeRule, _ new: JSONValue?) {
        guard let new, let kind = rule.kind, !rule.none.contains(new) else { return }
        guard let ordinal = Ordinal(new, by: rule) else {
            return refuse(path, "\(rule.merge.rawValue) cannot read this value")
        }
        if case .extremum(let current)? = current(AtomKey(path, kind))?.content,
            let known = Ordinal(current, of: kind)
        {
            guard ordinal.isComparable(with: known) else {
                return refuse(path, "\(rule.merge.rawValue) cannot compare this value with the one before")
            }
            guard rule.merge == .max ? known < ordinal : ordinal < known else { return }
        }
        put(AtomKey(path, kind), .extremum(ordinal.held(new, as: kind)))
    }

    private mutating func flag(_ path: DocumentPath, _ new: JSONValue?) {
        guard let new else { return }
        guard case .bool(let truth) = new else { return refuse(path, "flag takes true or false") }
        if case .flag(let known)? = current(AtomKey(path, .flag))?.content, known || !truth { return }
        put(AtomKey(path, .flag), .flag(truth))
    }
}
