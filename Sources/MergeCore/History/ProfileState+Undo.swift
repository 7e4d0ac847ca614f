import LosslessJSON

/// Taking a step of the history back.
extension ProfileState {
    /// Undoes a step: the places it changed show again what they showed before, on every device and as a new operation.
    /// Only places that still show the step's values are taken back, unless `force` is true, so that later progress
    /// stays.
    ///
    /// - Throws: ``EpochError`` when the entry does not hold all changes, see ``HistoryEntry/more``.
    public mutating func undo(
        _ entry: HistoryEntry, force: Bool = false, _ context: WriteContext
    ) throws(EpochError) -> WriteResult {
        guard entry.more == 0 else {
            let count = entry.changes.count
            throw EpochError(
                "it changed \(count + entry.more) places, of which \(count) are remembered, so it cannot be taken back")
        }
        let visible = force ? entry.changes : stillVisible(of: entry)
        guard !visible.isEmpty else { return WriteResult() }
        var reader = PlaceReader(self)
        let opposites = visible.map { self.opposite(of: $0, shown: reader.value(at: $0.path)) }
        let others = zip(visible, opposites).filter { $0.1 == nil }.map { change, _ in
            (change.path, restored(change, shown: reader.value(at: change.path)))
        }
        var written = others.isEmpty ? WriteResult() : try restore(values: others, context)
        var parts: [DocumentPath: [UInt8]] = [:]
        for (change, opposite) in zip(visible, opposites) {
            guard let rule = opposite?.rule, rule.merge == .counter, let amount = change.amount(by: rule) else {
                continue
            }
            parts[change.path] = undoPart(of: change, rule, adding: amount.negated)
        }
        written.add(write(opposites.compactMap(\.self), context, countingIn: parts))
        written.atoms += undo(entry.orders, force: force, context)
        return written
    }

    /// The ordinary write that takes a change back; `nil` where only an epoch can. What another device played meanwhile
    /// stays with such a write: the amounts of a counter add up, the members of a set are apart, the later value wins. An
    /// epoch would put it aside. It is needed where a value only grows, and where something came or went as a whole.
    private func opposite(of change: HistoryEntry.Change, shown: JSONValue?) -> LeafChange? {
        let rule = rules.rule(for: change.path)
        guard let old = change.old, let new = change.new, let shown, !change.path.endsInElement || rule.isWhole else {
            return nil
        }
        // An empty list is a value of its rule; any other empty container may be one around other places.
        if rule.merge != .set, [old, new, shown].contains(where: \.isEmptyContainer) { return nil }
        func write(_ value: JSONValue) -> LeafChange {
            LeafChange(path: change.path, rule: rule, change: .value(old: shown, new: value))
        }
        switch rule.merge {
        case .latest: return write(old)
        case .counter:
            guard let amount = change.amount(by: rule), case .number(let now)? = Ordinal(shown, by: rule) else {
                return nil
            }
            if Ordinal(new, by: rule) == .number(now) { return write(old) }
            guard let moved = try? now.subtracting(amount) else { return nil }
            return JSONNumber(text: moved.text).map { write(.number($0)) }
        case .set:
            guard case .array = shown, let elements = change.elements, rule.reading == nil else { return nil }
            return LeafChange(
                path: change.path, rule: rule, change: .elements(added: elements.lost, removed: elements.gained))
        default: return nil
        }
    }

    /// The value with which an epoch begins a place, to take a step back there: the one from before the step. A list also
    /// keeps the elements that came since, behind the others, and lacks what went since.
    private func restored(_ change: HistoryEntry.Change, shown: JSONValue?) -> JSONValue? {
        guard rules.rule(for: change.path).takesElements, case .array(let elements)? = shown,
            case .array(let before)? = change.old, let (gained, lost) = change.elements
        else { return change.old }
        let (held, gone, known) = (Set(elements), Set(lost), Set(before).union(gained))
        let former = before.filter { held.contains($0) || gone.contains($0) }
        return .array(former + elements.filter { !known.contains($0) })
    }

    /// The changes of a step whose places still show the step's values. A list does so while it shows anything of what the
    /// step brought, or lacks anything of what it took away, whatever came since.
    public func stillVisible(of entry: HistoryEntry) -> [HistoryEntry.Change] {
        var reader = PlaceReader(self)
        var visible: [HistoryEntry.Change] = []
        for change in entry.changes {
            let shown = reader.value(at: change.path)
            if rules.rule(for: change.path).takesElements, case .array(let elements)? = shown,
                let (gained, lost) = change.elements
            {
                let held = Set(elements)
                if gained.contains(where: held.contains) || lost.contains(where: { !held.contains($0) }) {
                    visible.append(change)
                }
            } else if shown == change.new {
                visible.append(change)
            }
        }
        return visible
    }
}

extension HistoryEntry.Change {
    /// The elements that a step brought to a list and took away from it; `nil` where it was no list before or after.
    fileprivate var elements: (gained: [JSONValue], lost: [JSONValue])? {
        guard case .array(let before)? = old, case .array(let after)? = new else { return nil }
        let (former, present) = (Set(before), Set(after))
        return (after.filter { !former.contains($0) }, before.filter { !present.contains($0) })
    }

    /// The amount by which a step moved a counter, below zero where it took something off; `nil` where the place showed no
    /// number before or after the step.
    fileprivate func amount(by rule: MergeRule) -> ExactDecimal? {
        guard let old, let new else { return nil }
        return rule.amount(from: old, to: new)
    }
}
