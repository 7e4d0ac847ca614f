import LosslessJSON

/// A batch of atom contents made from the changes of a document. The state it is made against does not change
/// meanwhile.
struct WriteBatch {
    let state: ProfileState
    let context: WriteContext
    private(set) var contents: [(AtomKey, AtomContent)] = []
    private(set) var unreadable: [UnreadableLeaf] = []
    /// Places whose change belongs to an epoch that has ended since the game read its snapshot. Such a change is no
    /// operation.
    private(set) var overridden = Set<DocumentPath>()
    /// The causal lengths that this batch has set so far. Later changes of the batch count on from them.
    private var lengths: [AtomKey: UInt64] = [:]
    /// The removals that this batch has written so far, by container.
    var removals: [DocumentPath: Removal] = [:]
    /// The arrays by position that this batch has cut off.
    var cut = Set<DocumentPath>()
    /// Whether removed containers were there again in the game's snapshot, for those that were looked up already.
    var returned: [DocumentPath: Bool] = [:]
    /// Registers that this batch has replaced by tombstones, since something else hid them.
    var buried = Set<DocumentPath>()
    /// The container that vanished last, while the changes of its leaves follow. `isContainer` is false for a keyed
    /// element.
    private var vanished: (path: DocumentPath, isContainer: Bool)?
    /// The stamp of registers while a document is adopted; `nil` at other times.
    private var adoptionStamp: Stamp?
    /// Whether the game's snapshot covers every declared epoch.
    private let knowsEveryEpoch: Bool

    init(state: ProfileState, context: WriteContext) {
        self.state = state
        self.context = context
        knowsEveryEpoch = state.epochRegistry.areAllSeen(by: context.base)
    }

    /// Adds a content to the batch. If a key has several, the last one counts.
    mutating func put(_ key: AtomKey, _ content: AtomContent) {
        // Only memberships are read again before the batch is written.
        if case .membership(let length, _) = content { lengths[key] = length }
        contents.append((key, content))
    }

    /// Ends the batch and returns its results. It lets go of the state, so that the state can change without a copy.
    consuming func finish() -> (contents: [(AtomKey, AtomContent)], [UnreadableLeaf], Set<DocumentPath>) {
        (contents, unreadable, overridden)
    }

    /// Contents that came too late, at places of which nothing is known, each with the epoch that its writer had read.
    /// They are written all the same, hidden from the start. Otherwise a projection would leave the value in the file
    /// for ever, since it leaves places alone that a state does not know.
    private(set) var late: [(AtomKey, AtomContent, EpochID?)] = []

    // MARK: Edits

    mutating func add(_ change: LeafChange) {
        if case .order = change.change, !isInForce(change.path) { return }
        guard isInForce(change.path) else {
            overridden.insert(change.path)
            let (count, former) = (contents.count, removals)
            apply(change)
            // A change that came too late removes nothing.
            removals = former
            for (key, content) in contents[count...]
            where key.kind != .removal && state.atom(key) == nil && !isInForce(key.path) {
                late.append((key, content, state.epochRegistry.inForce(key.path, seen: context.base)))
            }
            contents.removeSubrange(count...)
            return
        }
        apply(change)
    }

    /// Adds a change of a save that its game took to another version. A counter's difference is added to its start.
    mutating func addMigrated(_ change: LeafChange) {
        if change.rule.merge == .counter, isInForce(change.path) { start(change) } else { add(change) }
    }

    private mutating func apply(_ change: LeafChange) {
        if goesAlong(change) { return }
        if change.isNew { noteReturn(change.path) }
        switch change.change {
        case .value(let old, let new): value(change.path, change.rule, old, new)
        case .elements(let added, let removed):
            if change.rule.merge == .union {
                for element in added { insert(element, change.path, change.rule.kind ?? .union) }
            } else {
                let register = AtomKey(change.path, .latest)
                if !added.isEmpty, case .register(_, nil)? = state.live(register)?.content {
                    put(register, .register(adoptionStamp ?? stamp(change.path), .array([])))
                }
                for element in added {
                    setMembership(true, element, AtomKey(change.path, .set, sub: element.canonicalBytes))
                }
                for element in removed {
                    setMembership(false, element, AtomKey(change.path, .set, sub: element.canonicalBytes))
                }
                if added.isEmpty { removeBeyondLimit(change.path, change.rule, removed) }
            }
        case .elementAppeared(let key):
            let membership = AtomKey(change.path, .element)
            // An element that comes back holds what the game wrote, not what a former element of that key held.
            if case .membership(let length, _)? = state.live(membership)?.content, length % 2 == 0,
                state.membership(change.path)?.present == false
            {
                removeForGood(change.path)
            }
            setMembership(true, key, membership)
        case .elementVanished(let key):
            setMembership(false, key, AtomKey(change.path, .element))
            if mayOutrunEdits(change.path) { remove(change.path) }
            vanished = (change.path, false)
        case .elementTouched(let key): touch(key, AtomKey(change.path, .element))
        case .containerVanished where change.rule.takesElements:
            let register = AtomKey(change.path, .latest)
            // Only a register can tell that a set is gone and not just empty.
            var isTold = change.rule.merge == .set
            if case .register(_, .some)? = state.live(register)?.content { isTold = true }
            if isTold { put(register, .register(stamp(change.path), nil)) }
        case .order(let before, let after): arrange(change.path, from: before, to: after)
        case .containerVanished:
            vanished = (change.path, true)
            remove(change.path)
            keepNeeded(before: change.path)
        }
    }

    /// Whether a change belongs to a container that vanished before it, and needs no operation of its own. A counter
    /// inside spends nothing, so that it is complete if the container comes back. If something else takes the
    /// container's place, its content is gone for good.
    private mutating func goesAlong(_ change: LeafChange) -> Bool {
        guard let (path, isContainer) = vanished, change.path.isAtOrBelow(path) else {
            vanished = nil
            return false
        }
        guard change.appears else { return true }
        vanished = nil
        if isContainer { removeForGood(path) }
        return false
    }

    private mutating func value(_ path: DocumentPath, _ rule: MergeRule, _ old: JSONValue?, _ new: JSONValue?) {
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

    /// Writes a value that says nothing under the rule into a register. Where something counts already the value would
    /// never show, so it is not written there. A set is an exception, since all its elements may be gone. The 0 that
    /// bits show after a reset is in no atom, so a tombstone has to tell that it goes.
    private mutating func tell(_ path: DocumentPath, _ rule: MergeRule, _ new: JSONValue?) {
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

    /// Notes in a register how a game writes an amount, where the amount alone does not tell. That is so for a number
    /// below zero, for a number where `as: number` expects strings, and for another spelling (`100.0`). The register
    /// shows only as that spelling.
    private mutating func hint(_ path: DocumentPath, _ kind: AtomKind, _ new: JSONValue?, _ amount: ExactDecimal) {
        guard let new else { return }
        let isBuried = buried.contains(path) || standing(AtomKey(path, .latest)) == nil
        let known = isBuried ? nil : state.counterHint(path, kind)
        var isNumber = false
        if !isBuried, case .register(_, .number?)? = state.live(AtomKey(path, .latest))?.content { isNumber = true }
        var writesNumber = false
        if kind.reading == .number, case .number = new { writesNumber = true }
        // As the plain spelling is not, or as an older hint would spell this amount.
        var isSpelled = new.numberText.map { $0 != amount.text } ?? false
        if known == amount, case .register(_, let former?)? = state.visible(AtomKey(path, .latest))?.content {
            isSpelled = former.numberText != new.numberText
        }
        guard
            amount.isNegative
                ? known?.isNegative != true || isSpelled
                : (writesNumber && !isNumber || isSpelled) && known?.isNegative != true
        else { return }
        put(AtomKey(path, .latest), .register(adoptionStamp ?? stamp(path), new))
    }

    private mutating func register(_ path: DocumentPath, _ new: JSONValue?) {
        if new == nil {
            var isThere = state.showsAfresh(path)
            if case .register(_, .some)? = state.live(AtomKey(path, .latest))?.content { isThere = true }
            guard isThere else { return }
            buryHidden(above: path)
        }
        put(AtomKey(path, .latest), .register(stamp(path), new))
    }

    private mutating func extremum(_ path: DocumentPath, _ rule: MergeRule, _ new: JSONValue?) {
        guard let new, let kind = rule.kind, !rule.none.contains(new) else { return }
        guard let ordinal = Ordinal(new, by: rule) else {
            return refuse(path, "\(rule.merge.rawValue) cannot read this value")
        }
        if case .extremum(let current)? = standing(AtomKey(path, kind))?.content,
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
        if case .flag(let known)? = standing(AtomKey(path, .flag))?.content, known || !truth { return }
        put(AtomKey(path, .flag), .flag(truth))
    }

    /// Counts the difference between two amounts. A counter that comes back starts from nothing, see
    /// ``startAnew(_:_:_:)``.
    private mutating func count(_ path: DocumentPath, _ rule: MergeRule, _ old: JSONValue?, _ new: JSONValue?) {
        guard let kind = rule.kind else { return }
        func amount(_ value: JSONValue?) -> ExactDecimal? {
            guard let value else { return .zero }
            guard case .number(let number)? = Ordinal(value, by: rule) else { return nil }
            return number
        }
        guard let after = amount(new) else { return refuse(path, "counter takes a number") }
        // An old value that is no number says nothing about what was earned, so the difference is taken from the known
        // total.
        let total = state.counterTotal(path, kind)
        let isOverspent = total.map { state.isOverspent(path, kind, $0) } ?? false
        let shown = isOverspent ? .zero : total
        guard var before = amount(old) ?? shown else {
            if new == nil { return }
            guard after.isCountable else { return refuse(path, "counter takes a number of at most 1,000 digits") }
            hint(path, kind, new, after)
            return put(AtomKey(path, kind), .baseline(after))
        }
        // The file shows 0 for an overspent counter. A number below zero that a game writes then is taken as it was
        // written.
        if isOverspent, after.isNegative, before.isZero, let total { before = total }
        let comesBack = old == nil && isGone(path, kind)
        if comesBack, let total { before = startAnew(path, kind, total) }
        if new == nil { remove(path) }
        do {
            let difference = try after.subtracting(before)
            hint(path, kind, new, after)
            if difference.isZero {
                // A counter that appears with 0 is written, so that the other devices show it too.
                if old == nil, new != nil, shown == nil { put(AtomKey(path, kind), .baseline(.zero)) }
                if comesBack, new != nil { try tally(path, kind, .zero) }
            } else {
                try tally(path, kind, difference)
            }
        } catch {
            refuse(path, "the counter would need more than 1,000 digits")
        }
    }

    /// Adds to a counter the amount that a person stated: earned or, below zero, spent. No game wrote that number
    /// there.
    mutating func settle(_ path: DocumentPath, _ rule: MergeRule, _ amount: ExactDecimal) {
        guard let kind = rule.kind else { return }
        guard isInForce(path) else {
            overridden.insert(path)
            return
        }
        if amount.isZero { return }
        do {
            try tally(path, kind, amount)
        } catch {
            refuse(path, "the counter would need more than 1,000 digits")
        }
    }

    /// Adds a difference to this replica's tally, as earned or as spent.
    private mutating func tally(
        _ path: DocumentPath, _ kind: AtomKind, _ difference: ExactDecimal
    ) throws(ExactDecimal.Overflow) {
        let key = AtomKey(path, kind, sub: context.replica.bytes)
        var (earned, spent) = (ExactDecimal.zero, ExactDecimal.zero)
        if case .tally(let e, let s)? = state.live(key)?.content { (earned, spent) = (e, s) }
        if difference.isNegative {
            spent = try spent.adding(difference.magnitude)
        } else {
            earned = try earned.adding(difference)
        }
        put(key, .tally(earned: earned, spent: spent))
    }

    /// Brings a removed counter to 0 before it counts anew, by a start that is smaller by its total. A device that
    /// concurrently adds the counter again writes the same start. So the amounts of both count, and the old amount is
    /// taken off once.
    ///
    /// - Returns: The amount that the counter holds now. It is the old total where the start is not known to be gone:
    ///   then only the difference can be counted.
    private mutating func startAnew(_ path: DocumentPath, _ kind: AtomKind, _ total: ExactDecimal) -> ExactDecimal {
        let key = AtomKey(path, kind)
        var start = ExactDecimal.zero
        if let atom = state.live(key) {
            guard isGone(path, atom), case .baseline(let amount) = atom.content else { return total }
            start = amount
        }
        guard !total.isZero, let less = try? start.subtracting(total) else { return total }
        put(key, .baseline(less))
        return .zero
    }

    mutating func insert(_ element: JSONValue, _ path: DocumentPath, _ kind: AtomKind) {
        let key = AtomKey(path, kind, sub: element.canonicalBytes)
        if standing(key) == nil { put(key, .member(element)) }
    }

    /// Removes the elements of a set that its `limit` keeps out of the file, where a save removes all that the file
    /// shows: its game cleared the list. Where the save removes only a few, the next elements show instead.
    private mutating func removeBeyondLimit(_ path: DocumentPath, _ rule: MergeRule, _ removed: [JSONValue]) {
        guard rule.limit != nil, let kind = rule.kind, case .elements(let shown)? = state.shown(path, rule),
            shown.allSatisfy(removed.contains)
        else { return }
        for (sub, atom) in state.visibleParts(path, kind) {
            guard case .membership(let length, let element) = atom.content, length % 2 == 1, !shown.contains(element)
            else { continue }
            setMembership(false, element, AtomKey(path, kind, sub: sub))
        }
    }

    private mutating func setMembership(_ present: Bool, _ element: JSONValue, _ key: AtomKey) {
        var length: UInt64 = 0
        if let pending = lengths[key] {
            length = pending  // a former element's member, buried in this batch
        } else if let atom = state.live(key), case .membership(let known, _) = atom.content {
            length = known
            if known % 2 == 1, known < .max, isGone(key.path, atom) { length += 1 }
            // A removal counts only for what its base snapshot showed: an addition that the snapshot had not seen
            // stays.
            if !present, !context.base.covers(atom.dot), atom.dot.replica != context.replica { return }
        }
        // An element with an even length that was brought back keeps an even length: it is removed once more.
        let isBack = !present && length % 2 == 0 && key.kind == .element && state.membership(key.path)?.present == true
        guard (length % 2 == 1) != present || isBack, length < (isBack ? .max - 1 : .max) else { return }
        if !present { buryHidden(above: key.path) }
        put(key, .membership(length: length + (isBack ? 2 : 1), element))
    }

    /// Whether a keyed element may have been edited since it was added. Then its causal length alone does not tell a
    /// removal that had read an edit from one that had not. The first removal of an element that nobody edited is
    /// shorter than every edit. But where this device added the element itself, another device may have added one of
    /// the same key concurrently.
    private func mayOutrunEdits(_ path: DocumentPath) -> Bool {
        guard let atom = state.live(AtomKey(path, .element)), case .membership(let length, _) = atom.content else {
            return false
        }
        return length > 1 || atom.dot.replica == context.replica
    }

    /// Raises a membership by two (still present), so that it wins over a removal that did not see this edit. If the
    /// element is known to be removed by now, the edit brings it back.
    mutating func touch(_ element: JSONValue, _ key: AtomKey) {
        guard case .membership(let length, _)? = state.live(key)?.content, length < .max - 2 else { return }
        put(key, .membership(length: length % 2 == 1 ? length + 2 : length + 1, element))
    }

    /// The stamp of a new write: max(min(now, file time), the stamp that the base snapshot held there + 1).
    func stamp(_ path: DocumentPath) -> Stamp {
        let stamp = Stamp.live(milliseconds: min(context.now, context.fileTime))
        guard let atom = state.live(AtomKey(path, .latest)), case .register(let former, _) = atom.content,
            context.base.covers(atom.dot) || atom.dot.replica == context.replica
        else { return stamp }
        return max(stamp, former.successor)
    }

    /// Whether the value at a place, which the writer had read or wrote itself, has the last stamp there is.
    func isFrozen(_ path: DocumentPath) -> Bool {
        guard let atom = state.live(AtomKey(path, .latest)), case .register(let stamp, _) = atom.content else {
            return false
        }
        return stamp.successor == stamp && (context.base.covers(atom.dot) || atom.dot.replica == context.replica)
    }

    mutating func refuse(_ path: DocumentPath, _ reason: String) {
        unreadable.append(UnreadableLeaf(path: path, reason: reason))
    }

    // MARK: Adoption

    /// Counts all of a counter that was seen being earned from nothing, in addition to what is known.
    mutating func earn(_ change: LeafChange) {
        guard case .value(_, let new?) = change.change else { return }
        count(change.path, change.rule, nil, new)
    }

    /// Takes up a value of a document as a start: in the epoch in force, whatever its writer had read.
    mutating func adopt(_ change: LeafChange) {
        adoptionStamp = .adopted(milliseconds: context.fileTime)
        defer { adoptionStamp = nil }
        switch change.change {
        case .value(_, let new?) where change.rule.merge == .counter && !change.rule.reads(new):
            tell(change.path, change.rule, new)
            refuse(change.path, "counter takes a number of at most 1,000 digits")
        case .value(_, let new?) where change.rule.merge == .latest:
            var stamp = Stamp.adopted(milliseconds: context.fileTime)
            noteReturn(change.path)
            // A removed value must not win over the adopted one.
            let key = AtomKey(change.path, .latest)
            if state.visible(key) == nil || standing(key) == nil, let former = state.live(key),
                case .register(let last, .some) = former.content
            {
                stamp = max(stamp, last.successor)
            }
            put(key, .register(stamp, new))
        case .value(_, let new?) where change.rule.merge == .counter:
            guard let kind = change.rule.kind else { return }
            guard case .number(let amount)? = Ordinal(new, by: change.rule), amount.isCountable else {
                return refuse(change.path, "counter takes a number of at most 1,000 digits")
            }
            noteReturn(change.path)
            hint(change.path, kind, new, amount)
            if isGone(change.path, kind) { return count(change.path, change.rule, nil, new) }
            put(AtomKey(change.path, kind), .baseline(amount))
        case .value(_, let new?) where change.rule.merge == .choice || change.rule.merge == .furthest:
            guard let kind = change.rule.kind else { return }
            let key = AtomKey(change.path, kind, sub: context.replica.bytes)
            var stamp = Stamp.adopted(milliseconds: context.fileTime)
            if case .candidate(let last, _, _)? = state.live(key)?.content { stamp = max(stamp, last.successor) }
            put(key, .candidate(stamp, new, replaced: [:]))
        case .order(_, let after):
            let stamp = Stamp.adopted(milliseconds: context.fileTime)
            arrange(change.path, from: [], to: after) { _ in stamp }
        default: apply(change)
        }
    }

    // MARK: Epochs

    /// Whether the snapshot that a game had read covers the epoch in force at a place.
    private func isInForce(_ path: DocumentPath) -> Bool {
        if knowsEveryEpoch || path.isReserved { return true }
        return state.epochRegistry.isCurrent(path, seen: context.base)
    }
}

extension LeafChange {
    /// Whether the change leaves something at its place, be it new or changed.
    fileprivate var appears: Bool {
        switch change {
        case .value(_, .some), .elementAppeared, .elementTouched: true
        case .elements(let added, _): !added.isEmpty
        default: false
        }
    }

    /// Whether the change puts something where the game's snapshot held nothing.
    fileprivate var isNew: Bool {
        if case .value(.some, _) = change { return false }
        if case .elementTouched = change { return false }
        return appears
    }
}

extension ExactDecimal {
    /// Whether arithmetic with this number stays within the limit of digits for counters.
    var isCountable: Bool { (try? adding(ExactDecimal(1))) != nil }
}

extension JSONValue {
    /// The text of a number, or of a string that may hold one.
    var numberText: String? {
        switch self {
        case .number(let number): number.text
        case .string(let text): text.string
        default: nil
        }
    }
}
