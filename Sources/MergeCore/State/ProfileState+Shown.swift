import LosslessJSON

/// What a place shows: the value that counts there by its rule.
extension ProfileState {
    /// The places of the document at which atoms under some keys show, in order: those of this state's version of the save,
    /// where the atoms are of another one. A key under which Hearth notes something is of no place.
    package func places(of keys: some Sequence<AtomKey>) -> [DocumentPath] {
        Set(upcasters.shown(Array(keys)).map(\.path)).filter { !$0.isReserved }.sorted()
    }

    /// The content that a place shows under the rule in force; `nil` if nothing is known, or only atoms of another
    /// rule's kind.
    func shown(_ path: DocumentPath, _ rule: MergeRule) -> ShownLeaf? {
        guard let kind = rule.kind else { return nil }
        // The game removed this place together with its container, so files that still have it must drop it.
        let isRemoved = isRemoved(path, kind)
        if isRemoved, visible(AtomKey(path, .latest)) == nil { return .absent(nil) }
        if !isRemoved, self.isRemoved(path, .latest), !holdsAtoms(path, kind) { return .absent(nil) }
        if let epoch = hiddenBy(path, kind) ?? hiddenRegister(path, rule, kind) {
            guard let container = told(path, rule) else {
                let newest = epochRegistry.newest(path)
                if let newest, isInElement(path, thatBeganWith: newest) { return .absent(nil) }
                let start = Self.afresh(rule, kind, newest?.id ?? epoch)
                if start.isAbsent || wasNoValueOfItsRule(path, rule, kind) { return .absent(nil) }
                return wasTakenAway(path, kind) || wasEmptied(path, kind) ? .absent(nil) : start
            }
            // A value that was put aside must go from the files that still have it.
            if rule.takesElements, kind.reading == nil, container.json == .array([]) { return .elements([]) }
            return container
        }
        // No value after a reset here: only files that still have the place would show it.
        if wasRemovedBefore(path, kind) { return .absent(nil) }
        if kind == .latest {
            guard case .register(let stamp, let value)? = live(AtomKey(path, .latest))?.content else { return nil }
            return value.map { .value($0, stamp) } ?? .absent(stamp)
        }
        if let leaf = counted(path, rule, kind) { return leaf }
        if let leaf = told(path, rule) { return leaf }
        if isRemoved { return .absent(nil) }
        // A set whose elements were all removed, by several removals.
        guard rule.takesElements, !liveParts(path, kind).isEmpty else { return nil }
        return visibleParts(path, kind).isEmpty ? .absent(nil) : .elements([])
    }

    /// The value that counts at a place under a rule other than `latest`; `nil` where none counts.
    func counted(_ path: DocumentPath, _ rule: MergeRule, _ kind: AtomKind) -> ShownLeaf? {
        switch kind.base {
        case .max, .min:
            guard case .extremum(let value)? = visible(AtomKey(path, kind))?.content, Ordinal(value, of: kind) != nil
            else { return nil }
            return .value(kind.spelled(value), nil)
        case .flag:
            guard case .flag(let truth)? = visible(AtomKey(path, kind))?.content else { return nil }
            return .value(.bool(truth), nil)
        case .counter:
            guard !isRemoved(path, kind), let total = counterTotal(path, kind) else { return nil }
            let amount = isOverspent(path, kind, total) ? .zero : total
            return .amount(amount, counterForm(path, kind, amount))
        case .choice, .furthest: return candidate(path, rule, kind)
        case .union, .set:
            let all = visibleParts(path, kind)
            guard !all.isEmpty else { return nil }
            if kind.reading == .bits {
                return .value(.number(JSONNumber(text: BitField(subs: all.map(\.sub)).text)!), nil)
            }
            let present = all.compactMap { part in Self.element(part.atom).map { (name: part.sub, value: $0) } }
            let elements =
                rule.sort == nil
                ? ArrayOrder(self, path).sorted(present, by: \.name).map(\.value) : present.map(\.value)
            return elements.isEmpty ? nil : .elements(rule.arranged(elements))
        default: return nil
        }
    }

    /// Whether a place is inside an array element that an epoch covers. If such an element is there again, a game made
    /// a new one, and a place without a value in it does not exist.
    private func isInElement(_ path: DocumentPath, thatBeganWith epoch: EpochRegistry.Known) -> Bool {
        var place = path.parent
        while let here = place {
            if case .element? = here.steps?.last, epoch.covers(here) { return true }
            place = here.parent
        }
        return false
    }

    /// What a place shows after a reset with no write since: a counter 0, a flag false, a set nothing. A place of
    /// another kind shows no value, so that the game's own default counts. A restore, an undo, or a reset to what a
    /// game saved puts a document there; then a place that is not in that document shows no value either.
    private static func afresh(_ rule: MergeRule, _ kind: AtomKind, _ epoch: EpochID) -> ShownLeaf {
        guard epoch.isFromNothing else { return .absent(nil) }
        switch kind.base {
        case .counter: return .amount(.zero, kind.reading == .number ? .string : .number)
        case .flag: return .value(.bool(false), nil)
        case .union, .set: return kind.reading == .bits ? .value(.number(JSONNumber(0)), nil) : .elements([])
        default: return .absent(nil)
        }
    }

    /// Whether a place shows a value after a reset that no atom holds, such as 0. If a game removes that value, only a
    /// tombstone can record that.
    func showsAfresh(_ path: DocumentPath) -> Bool {
        if epochRegistry.known.isEmpty { return false }
        let rule = rules.rule(for: path)
        guard rule.merge != .latest, let kind = rule.kind,
            hiddenBy(path, kind) != nil || hiddenRegister(path, rule, kind) != nil
        else { return false }
        return shown(path, rule)?.isAbsent == false
    }

    private func candidate(_ path: DocumentPath, _ rule: MergeRule, _ kind: AtomKind) -> ShownLeaf? {
        let all = candidates(path, kind)
        guard let newest = all.first else { return nil }
        let values = all.compactMap(\.value)
        guard !values.isEmpty else { return .absent(newest.stamp) }
        if kind == .choice { return .open(values, newest.stamp) }
        guard let best = Candidate.furthest(all, rule), let value = best.value else { return nil }
        return .value(value, best.stamp)
    }

    /// baseline + Σ earned − Σ spent; `nil` where nothing is known or the sum would need more than 1,000 digits.
    func counterTotal(_ path: DocumentPath, _ kind: AtomKind) -> ExactDecimal? {
        let all = liveParts(path, kind)
        guard !all.isEmpty else { return nil }
        var total = ExactDecimal.zero
        do {
            for (_, atom) in all {
                switch atom.content {
                case .baseline(let amount): total = try total.adding(amount)
                case .tally(let earned, let spent): total = try total.adding(earned).subtracting(spent)
                default: continue
                }
            }
        } catch {
            return nil
        }
        return total
    }

    /// Whether a counter is below zero only because devices spent concurrently: each had enough, but together they
    /// spent too much. Then files show 0. A number below zero that a game wrote itself (-1 for "endless", a debt) is
    /// shown as it was written. If only one game spends, the number is its own; in other cases a register or the start
    /// shows that the number is meant.
    func isOverspent(_ path: DocumentPath, _ kind: AtomKind, _ total: ExactDecimal) -> Bool {
        guard total.isNegative, counterHint(path, kind)?.isNegative != true else { return false }
        let spenders = spendings(path, kind).count
        // A corrected start takes amounts off that several devices may have counted on. Of other starts one below zero is what
        // a game wrote.
        if isCorrectedByRules(path, kind) { return spenders > 0 && !isIncomplete }
        // And a start of a counter that was removed and added again subtracts its former amount.
        return spenders > 1 && (isCorrected(path, kind) || !start(path, kind).isNegative)
    }

    /// The number that a game wrote at a counter's place, if a register keeps one (see ``WriteBatch``).
    func counterHint(_ path: DocumentPath, _ kind: AtomKind) -> ExactDecimal? {
        guard case .register(_, let value?)? = visible(AtomKey(path, .latest))?.content,
            case .number(let number)? = Ordinal(value, as: kind.reading)
        else { return nil }
        return number
    }

    /// Whether a keyed element is a member of its array, and its key; `nil` where the element is not known.
    func membership(_ path: DocumentPath) -> (present: Bool, key: JSONValue)? {
        guard let atom = atom(AtomKey(path, .element)), case .membership(let length, let key) = atom.content else {
            return nil
        }
        let isMember = length % 2 == 1 || isBroughtBack(path, atom.dot)
        // An element that a reset hides, or a removal, is no member.
        return (isMember && hiddenBy(path, .element) == nil && !isRemoved(path, .element), key)
    }

    /// Whether a place is in a keyed element that is known but not a member of its array. O(depth).
    func isInAbsentElement(_ path: DocumentPath) -> Bool {
        guard path.namesElement else { return false }
        return sequence(first: path, next: \.parent).dropFirst().contains { around in
            around.endsInElement && membership(around)?.present == false
        }
    }

    /// Whether there was a concurrent write in a keyed element that a game removed. An even causal length means that
    /// the element is gone, and the length grows with every edit of the removing game. The removal atom beside it names
    /// the writes that the game had read.
    private func isBroughtBack(_ path: DocumentPath, _ removal: Dot) -> Bool {
        guard let entry = removals[path], entry.isRevived else { return false }
        return entry.seen.covers(removal) && !entry.final.covers(removal)
    }

    /// An atom as it has to be written again. The membership of an element that was brought back becomes odd (present),
    /// since the removal atom beside it does not name the new write.
    func asWrittenAgain(_ atom: KeyedAtom) -> KeyedAtom {
        atom.key.kind == .element && membership(atom.key.path)?.present == true ? atom.asMember : atom
    }

    /// The value of the register at a place under another rule than `latest`. The register holds a value that does not
    /// count under the rule (an empty container, a value of `none`, a bit field 0, or a value that the rule cannot
    /// read). It shows as long as nothing counts at the place.
    private func told(_ path: DocumentPath, _ rule: MergeRule) -> ShownLeaf? {
        guard case .register(let stamp, let value)? = visible(AtomKey(path, .latest))?.content else { return nil }
        guard let value else { return .absent(stamp) }
        return rule.isToldByRegister(value) ? .value(value, stamp) : nil
    }

    /// How a counter's amount is written. Under `as: number` it is a string, unless a register says that the game
    /// writes a number; a register that holds the same amount gives its spelling.
    private func counterForm(
        _ path: DocumentPath, _ kind: AtomKind, _ amount: ExactDecimal
    ) -> ShownLeaf.JSONValueForm {
        if case .register(_, let value?)? = visible(AtomKey(path, .latest))?.content, value.numberText != amount.text,
            case .number(let number)? = Ordinal(value, as: kind.reading), number == amount
        {
            return .spelled(value)
        }
        guard kind.reading == .number else { return .number }
        guard case .register(_, .number?)? = live(AtomKey(path, .latest))?.content else { return .string }
        return .number
    }

    static func element(_ atom: Atom) -> JSONValue? {
        switch atom.content {
        case .member(let value): value
        // Spelled out, because `nil` in a condition's branch would be the JSON value null.
        case .membership(let length, let value): length % 2 == 1 ? value : JSONValue?.none
        default: JSONValue?.none
        }
    }
}

extension KeyedAtom {
    /// This atom where it says that an element is there. Where it says that one was removed (its causal length is even),
    /// the atom that brings the element back.
    var asMember: KeyedAtom {
        guard case .membership(let length, let id) = atom.content, length % 2 == 0, length < .max else { return self }
        return KeyedAtom(key, Atom(.membership(length: length + 1, id), atom.dot, epoch: atom.epoch))
    }
}
