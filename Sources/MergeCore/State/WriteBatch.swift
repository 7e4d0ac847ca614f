import LosslessJSON

/// Turns changes of a document into atom contents, against a state that is not changed meanwhile.
struct WriteBatch {
    let state: ProfileState
    let context: WriteContext
    private(set) var contents: [(AtomKey, AtomContent)] = []
    private(set) var unreadable: [UnreadableLeaf] = []
    /// Places whose change belongs to an epoch that has ended since the game read its image: it is no operation.
    private(set) var overridden = Set<DocumentPath>()
    /// The causal lengths this batch has set so far.
    private var lengths: [AtomKey: UInt64] = [:]
    /// What this batch says of removed containers so far.
    var removals: [DocumentPath: Removal] = [:]
    /// Arrays by position that this batch has cut off.
    var cut = Set<DocumentPath>()
    /// Whether removed containers were there again in the game's image, as far as that was looked up.
    var returned: [DocumentPath: Bool] = [:]
    /// Registers this batch has taken out, since another thing hid them.
    var buried = Set<DocumentPath>()
    /// The container whose leaves the next changes are, and whether it is no keyed element.
    private var vanished: (path: DocumentPath, isContainer: Bool)?
    /// What registers are written with while a document is adopted.
    private var adoptionStamp: Stamp?
    /// Whether the game's image stands for every epoch there is.
    private let knowsEveryEpoch: Bool

    init(state: ProfileState, context: WriteContext) {
        self.state = state
        self.context = context
        knowsEveryEpoch = state.epochRegistry.areAllSeen(by: context.base)
    }

    /// The last content of a key counts.
    mutating func put(_ key: AtomKey, _ content: AtomContent) {
        // Only memberships are read back before the batch is written.
        if case .membership(let length, _) = content { lengths[key] = length }
        contents.append((key, content))
    }

    /// What came of it; lets go of the state, so that this can change in place.
    consuming func finish() -> (contents: [(AtomKey, AtomContent)], [UnreadableLeaf], Set<DocumentPath>) {
        (contents, unreadable, overridden)
    }

    /// What came too late at places of which nothing is known, with the epoch its writer had read. It is written all
    /// the same, put aside from the start: what a state does not know a projection would leave in the file for ever.
    private(set) var late: [(AtomKey, AtomContent, EpochID?)] = []

    // MARK: Edits

    mutating func add(_ change: LeafChange) {
        if case .order = change.change, !isInForce(change.path) { return }
        guard isInForce(change.path) else {
            overridden.insert(change.path)
            let (count, former) = (contents.count, removals)
            apply(change)
            // What is put aside removes nothing.
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

    /// The same for a save that its game took to another version.
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
            // That a set is gone, and not empty, is told by a register alone.
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

    /// Whether a change is told by that of a container that vanished before it. No counter in it spends anything, so
    /// that it is whole where the container comes back. Where something else takes the container's place, what was in
    /// it is gone for good.
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
            // Only an array that is empty, or no array at all, arrives here.
            if let new, !new.isEmptyContainer { refuse(path, "\(rule.merge.rawValue) takes an array") }
        }
    }

    /// Tells what says nothing under the rule by a register. Where something counts already it would never show, but at
    /// a set, whose elements may all have gone. No atom tells the 0 that bits show after a reset; a
    /// tombstone tells that it goes.
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

    /// Where the amount alone does not say how a game writes it, a register does: that it is below zero, a number
    /// where `as: number` expects strings, or spelled otherwise (`100.0`). It shows nowhere but as that spelling.
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

    /// A counter that comes back starts from nothing, see ``startAnew(_:_:_:)``.
    private mutating func count(_ path: DocumentPath, _ rule: MergeRule, _ old: JSONValue?, _ new: JSONValue?) {
        guard let kind = rule.kind else { return }
        func amount(_ value: JSONValue?) -> ExactDecimal? {
            guard let value else { return .zero }
            guard case .number(let number)? = Ordinal(value, by: rule) else { return nil }
            return number
        }
        guard let after = amount(new) else { return refuse(path, "counter takes a number") }
        // An image that held no number there says nothing about what was earned: count from what is known.
        let total = state.counterTotal(path, kind)
        let isOverspent = total.map { state.isOverspent(path, kind, $0) } ?? false
        let shown = isOverspent ? .zero : total
        guard var before = amount(old) ?? shown else {
            if new == nil { return }
            guard after.isCountable else { return refuse(path, "counter takes a number of at most 1,000 digits") }
            hint(path, kind, new, after)
            return put(AtomKey(path, kind), .baseline(after))
        }
        // The file shows 0 for what was overspent; what a game writes below that stands as it was written.
        if isOverspent, after.isNegative, before.isZero, let total { before = total }
        let comesBack = old == nil && isGone(path, kind)
        if comesBack, let total { before = startAnew(path, kind, total) }
        if new == nil { remove(path) }
        do {
            let difference = try after.subtracting(before)
            hint(path, kind, new, after)
            if difference.isZero {
                // A counter that appears with nothing in it is worth telling: the others show it as well.
                if old == nil, new != nil, shown == nil { put(AtomKey(path, kind), .baseline(.zero)) }
                if comesBack, new != nil { try tally(path, kind, .zero) }
            } else {
                try tally(path, kind, difference)
            }
        } catch {
            refuse(path, "the counter would need more than 1,000 digits")
        }
    }

    /// Adds to a counter what a person said was earned or, below zero, spent. No game wrote it as its number there.
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

    /// Counts a difference as earned or spent by this replica.
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

    /// What was removed comes to 0 before it counts anew, by a start that is less by its total. Whoever else adds it
    /// again apart writes the same start, so that what both write counts, and the old amount is taken off once.
    ///
    /// - Returns: What it holds now. That is its total where its start is not known to be gone: then only the
    ///   difference can be told.
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

    /// A set with a limit holds more elements than its file shows. They are removed as well where a save removes all that
    /// the file shows, since its game cleared the list; where it removes a few, the next ones come up.
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
            // A removal speaks only of what its base image showed: an addition it had not seen stays.
            if !present, !context.base.covers(atom.dot), atom.dot.replica != context.replica { return }
        }
        // One that is even and brought back all the same stays even: it is removed once more.
        let isBack = !present && length % 2 == 0 && key.kind == .element && state.membership(key.path)?.present == true
        guard (length % 2 == 1) != present || isBack, length < (isBack ? .max - 1 : .max) else { return }
        if !present { buryHidden(above: key.path) }
        put(key, .membership(length: length + (isBack ? 2 : 1), element))
    }

    /// Whether a keyed element was edited since it is there: then its length alone does not tell a removal that had not
    /// read an edit from one that had. The first removal of an element that nobody edited is shorter than every edit; but
    /// where this device added the element itself, another one may have added one of that key apart.
    private func mayOutrunEdits(_ path: DocumentPath) -> Bool {
        guard let atom = state.live(AtomKey(path, .element)), case .membership(let length, _) = atom.content else {
            return false
        }
        return length > 1 || atom.dot.replica == context.replica
    }

    /// Raises a membership by two (still present), so that it wins over a removal that did not see this edit. Where
    /// the element is known to be removed meanwhile, the edit brings it back.
    mutating func touch(_ element: JSONValue, _ key: AtomKey) {
        guard case .membership(let length, _)? = state.live(key)?.content, length < .max - 2 else { return }
        put(key, .membership(length: length % 2 == 1 ? length + 2 : length + 1, element))
    }

    /// max(min(now, file time), what the base image held there + 1).
    func stamp(_ path: DocumentPath) -> Stamp {
        let stamp = Stamp.live(milliseconds: min(context.now, context.fileTime))
        guard let atom = state.live(AtomKey(path, .latest)), case .register(let former, _) = atom.content,
            context.base.covers(atom.dot) || atom.dot.replica == context.replica
        else { return stamp }
        return max(stamp, former.successor)
    }

    mutating func refuse(_ path: DocumentPath, _ reason: String) {
        unreadable.append(UnreadableLeaf(path: path, reason: reason))
    }

    // MARK: Adoption

    /// What a counter holds that was seen being earned from nothing: all of it counts, beside what is known.
    mutating func earn(_ change: LeafChange) {
        guard case .value(_, let new?) = change.change else { return }
        count(change.path, change.rule, nil, new)
    }

    /// What a document holds as a start: in the epoch in force, whatever its writer had read.
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
            // What was removed stands in the way of nothing.
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

    /// Whether the image a game had read stands for the epoch in force at a place.
    private func isInForce(_ path: DocumentPath) -> Bool {
        if knowsEveryEpoch || path.isReserved { return true }
        return state.epochRegistry.isCurrent(path, seen: context.base)
    }
}

extension LeafChange {
    /// Whether there is something now, be it new or another one than before.
    fileprivate var appears: Bool {
        switch change {
        case .value(_, .some), .elementAppeared, .elementTouched: true
        case .elements(let added, _): !added.isEmpty
        default: false
        }
    }

    /// Whether there is something where the game's image held nothing.
    fileprivate var isNew: Bool {
        if case .value(.some, _) = change { return false }
        if case .elementTouched = change { return false }
        return appears
    }
}

extension ExactDecimal {
    /// Whether arithmetic with this number stays within the bound of counters.
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
