import LosslessJSON

/// What one place shows.
enum ShownLeaf: Equatable {
    /// A value, and the stamp of the write where its rule has one.
    case value(JSONValue, Stamp?)
    /// Elements of a set in the order of the household, or in the rule's.
    case elements([JSONValue])
    /// A counter. What a file shows is never below zero, unless that file holds a negative number already.
    case amount(ExactDecimal, JSONValueForm)
    /// Values written apart, the newest first: a file keeps its own where it is among them.
    case open([JSONValue], Stamp)
    /// Removed.
    case absent(Stamp?)

    /// Whether an amount is written as a number or as a string.
    enum JSONValueForm { case number, string }

    var isAbsent: Bool { if case .absent = self { true } else { false } }

    /// The value to write where nothing stands yet.
    var json: JSONValue? {
        switch self {
        case .value(let value, _): value
        case .elements(let elements): .array(elements)
        case .amount(let amount, let form): Self.json(amount.isNegative ? .zero : amount, form)
        case .open(let candidates, _): candidates.first
        case .absent: JSONValue?.none
        }
    }

    static func json(_ amount: ExactDecimal, _ form: JSONValueForm) -> JSONValue {
        switch form {
        case .number: .number(JSONNumber(text: amount.text)!)
        case .string: .string(JSONString(amount.text))
        }
    }
}

extension ProfileState {
    /// What a place shows under the rule in force; `nil` where nothing is known or the kind is another rule's.
    func shown(_ path: DocumentPath, _ rule: MergeRule) -> ShownLeaf? {
        guard let kind = rule.kind else { return nil }
        if let epoch = hiddenBy(path, kind) ?? hiddenContainer(path, kind) {
            guard let container = emptyContainer(path) else {
                return Self.afresh(rule, kind, epochRegistry.newest(path)?.id ?? epoch)
            }
            // What was put aside must leave the files that still hold it.
            if rule.takesElements, kind.reading == nil, container.json == .array([]) { return .elements([]) }
            return container
        }
        switch kind.base {
        case .latest:
            guard case .register(let stamp, let value)? = live(AtomKey(path, .latest))?.content else { return nil }
            return value.map { .value($0, stamp) } ?? .absent(stamp)
        case .max, .min:
            guard case .extremum(let value)? = live(AtomKey(path, kind))?.content, Ordinal(value, of: kind) != nil
            else { return emptyContainer(path) }
            return .value(kind.spelled(value), nil)
        case .flag:
            guard case .flag(let truth)? = live(AtomKey(path, kind))?.content else { return emptyContainer(path) }
            return .value(.bool(truth), nil)
        case .counter:
            guard let total = counterTotal(path, kind) else { return emptyContainer(path) }
            return .amount(total, counterForm(kind))
        case .choice, .furthest: return candidate(path, rule, kind) ?? emptyContainer(path)
        case .union, .set:
            let all = liveParts(path, kind)
            guard !all.isEmpty else { return emptyContainer(path) }
            if kind.reading == .bits {
                return .value(.number(JSONNumber(text: BitField(subs: all.map(\.sub)).text)!), nil)
            }
            let present = all.compactMap { part in Self.element(part.atom).map { (name: part.sub, value: $0) } }
            let elements = rule.sort == nil
                ? ArrayOrder(self, path).sorted(present, by: \.name).map(\.value) : present.map(\.value)
            // That an empty array stands there is told by a register alone, like any empty container.
            return elements.isEmpty ? emptyContainer(path) ?? .absent(nil) : .elements(rule.arranged(elements))
        default: return nil
        }
    }

    /// What a place shows that was reset and not written since: nothing earned, nothing unlocked; what has no such
    /// value goes, so that the game's own default counts. A restore or an undo puts back what was, so there it goes.
    private static func afresh(_ rule: MergeRule, _ kind: AtomKind, _ epoch: EpochID) -> ShownLeaf {
        guard epoch.kind == .reset else { return .absent(nil) }
        switch kind.base {
        case .counter: return .amount(.zero, kind.reading == .number ? .string : .number)
        case .flag: return .value(.bool(false), nil)
        case .union, .set: return kind.reading == .bits ? .value(.number(JSONNumber(0)), nil) : .elements([])
        default: return .absent(nil)
        }
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

    /// Whether a keyed element is a member of its array, and its key.
    func membership(_ path: DocumentPath) -> (present: Bool, key: JSONValue)? {
        guard let atom = atom(AtomKey(path, .element)), case .membership(let length, let key) = atom.content else {
            return nil
        }
        // One that a reset put aside is no member.
        return (length % 2 == 1 && hiddenBy(path, .element) == nil, key)
    }

    /// An empty container is told by a register whatever the rule of the place.
    private func emptyContainer(_ path: DocumentPath) -> ShownLeaf? {
        guard case .register(let stamp, let value)? = live(AtomKey(path, .latest))?.content else { return nil }
        guard let value else { return .absent(stamp) }
        return value.isEmptyContainer ? .value(value, stamp) : nil
    }

    /// Why an empty container does not count where it is all that was ever written at a place of another kind.
    private func hiddenContainer(_ path: DocumentPath, _ kind: AtomKind) -> EpochID? {
        guard kind != .latest, let epoch = hiddenBy(path, .latest), liveParts(path, kind).isEmpty,
            case .register(_, let value?)? = atom(AtomKey(path, .latest))?.content, value.isEmptyContainer
        else { return nil }
        return epoch
    }

    private func counterForm(_ kind: AtomKind) -> ShownLeaf.JSONValueForm {
        kind.reading == .number ? .string : .number
    }

    private static func element(_ atom: Atom) -> JSONValue? {
        switch atom.content {
        case .member(let value): value
        // Spelled out, because `nil` in a condition's branch would be the JSON value null.
        case .membership(let length, let value): length % 2 == 1 ? value : JSONValue?.none
        default: JSONValue?.none
        }
    }
}
