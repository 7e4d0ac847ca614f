import LosslessJSON

/// Writing counters: what was earned and spent since the game read its snapshot.
extension WriteBatch {
    /// Counts the difference between two amounts. A counter that comes back starts from nothing, see
    /// ``startAnew(_:_:_:)``.
    mutating func count(_ path: DocumentPath, _ rule: MergeRule, _ old: JSONValue?, _ new: JSONValue?) {
        guard let kind = rule.kind else { return }
        func amount(_ value: JSONValue?) -> ExactDecimal? {
            guard let value else { return .zero }
            guard case .number(let number)? = Ordinal(value, by: rule) else { return nil }
            return number
        }
        guard let after = amount(new) else { return refuse(path, "counter takes a number of at most 1,000 digits") }
        // An old value that is no number does not show what was earned, so the difference is taken from the known
        // total. Where nothing was counted yet, a null that the game had read is nothing, as a missing value is.
        let total = state.counterTotal(path, kind)
        let isOverspent = total.map { state.isOverspent(path, kind, $0) } ?? false
        let shown = isOverspent ? .zero : total
        let beginsAtNull = shown == nil && old == .null && isNull(path)
        guard var before = amount(old) ?? shown ?? (beginsAtNull ? .zero : nil) else {
            if new == nil { return }
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
                if old == nil || beginsAtNull, new != nil, shown == nil { put(AtomKey(path, kind), .baseline(.zero)) }
                if comesBack, new != nil { try tally(path, kind, .zero) }
            } else {
                try tally(path, kind, difference)
            }
        } catch {
            refuse(path, "the counter would need more than 1,000 digits")
        }
    }

    /// Whether a place shows a null that a game wrote.
    private func isNull(_ path: DocumentPath) -> Bool {
        guard let atom = state.visible(AtomKey(path, .latest)), case .register(_, .null?) = atom.content else {
            return false
        }
        return !isGone(path, atom)
    }

    /// Adds to a counter the amount that a person stated: earned or, below zero, spent. The new total is not a number
    /// that a game wrote, unless it equals the saved one.
    mutating func settle(_ path: DocumentPath, _ rule: MergeRule, _ amount: ExactDecimal, saved: JSONValue?) {
        guard let kind = rule.kind else { return }
        guard isInForce(path) else {
            overridden.insert(path)
            return
        }
        if let saved, case .number(let number)? = Ordinal(saved, by: rule),
            let total = state.counterTotal(path, kind), (try? total.adding(amount)) == number
        {
            hint(path, kind, saved, number)
        }
        if amount.isZero { return }
        do {
            try tally(path, kind, amount)
        } catch {
            refuse(path, "the counter would need more than 1,000 digits")
        }
    }

    /// Adds a difference to this replica's tally, or to another part that is given for the place, as earned or as spent.
    mutating func tally(
        _ path: DocumentPath, _ kind: AtomKind, _ difference: ExactDecimal
    ) throws(ExactDecimal.Overflow) {
        let key = AtomKey(path, kind, sub: parts[path] ?? context.replica.bytes)
        put(key, try AtomContent.tally(adding: difference, to: state.live(key)?.content))
    }

    /// Brings a removed counter to 0 before it counts again, by a start that is smaller by its total. A device that
    /// concurrently adds the counter again writes the same start. So the amounts of both count, and the old amount is
    /// subtracted once.
    ///
    /// - Returns: The amount that the counter holds now. It is the old total if the start is not known to be gone: then
    ///   only the difference can be counted.
    mutating func startAnew(_ path: DocumentPath, _ kind: AtomKind, _ total: ExactDecimal) -> ExactDecimal {
        let key = AtomKey(path, kind)
        var start = ExactDecimal.zero
        if let atom = state.live(key) {
            guard isGone(path, atom), case .baseline(let amount) = atom.content else { return total }
            start = amount
        }
        guard !total.isZero, let less = try? start.subtracting(total), less.isCountable else { return total }
        put(key, .baseline(less))
        return .zero
    }

    /// Counts all of a counter that was earned from nothing while the library watched, in addition to what is known.
    mutating func earn(_ change: LeafChange) {
        guard case .value(_, let new?) = change.change else { return }
        count(change.path, change.rule, nil, new)
    }

    /// Notes in a register how a game writes an amount, if the amount alone does not show it. That is so for a number
    /// below zero, for a number where `as: number` expects strings, and for another spelling (`100.0`). The register
    /// only gives that spelling.
    mutating func hint(_ path: DocumentPath, _ kind: AtomKind, _ new: JSONValue?, _ amount: ExactDecimal) {
        guard let new else { return }
        let isBuried = buried.contains(path) || current(AtomKey(path, .latest)) == nil
        let known = isBuried ? nil : state.counterHint(path, kind)
        var isNumber = false
        if !isBuried, case .register(_, .number?)? = state.live(AtomKey(path, .latest))?.content { isNumber = true }
        var writesNumber = false
        if kind.reading == .number, case .number = new { writesNumber = true }
        // True if the plain spelling is another one, or if an older hint would spell this amount.
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
}

extension AtomContent {
    /// A tally with a difference more: as earned or, below zero, as spent. Where there is none yet, it begins with nothing.
    static func tally(
        adding difference: ExactDecimal, to known: AtomContent?
    ) throws(ExactDecimal.Overflow) -> AtomContent {
        var (earned, spent) = (ExactDecimal.zero, ExactDecimal.zero)
        if case .tally(let e, let s)? = known { (earned, spent) = (e, s) }
        if difference.isNegative {
            spent = try spent.addingCountably(difference.magnitude)
        } else {
            earned = try earned.addingCountably(difference)
        }
        return .tally(earned: earned, spent: spent)
    }
}

extension ExactDecimal {
    /// Whether arithmetic with this number stays within the limit of digits for counters. Only such amounts can be stored.
    var isCountable: Bool { (try? adding(ExactDecimal(1))) != nil }

    /// The sum, if a counter can hold it.
    func addingCountably(_ other: ExactDecimal) throws(Overflow) -> ExactDecimal {
        let sum = try adding(other)
        _ = try sum.adding(ExactDecimal(1))
        return sum
    }
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
