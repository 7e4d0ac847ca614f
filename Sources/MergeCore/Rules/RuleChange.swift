package import LosslessJSON

/// The difference between the former rules of a profile and the new ones. New rules can give a place another kind of
/// atom, or take an array apart in another way.
struct RuleChange {
    let former: RuleSet
    let current: RuleSet

    private struct Place: Hashable {
        let path: DocumentPath
        let kind: AtomKind?
        let isElement: Bool

        init(_ change: LeafChange) {
            path = change.path
            kind = change.rule.kind
            if case .elementAppeared = change.change { isElement = true } else { isElement = false }
        }
    }

    /// The values of a document at places that the former rules knew under another kind, or did not know as leaves.
    func moved(_ document: JSONDocument) -> [LeafChange] {
        let before = DocumentDiff(from: nil, to: document, rules: former)
        let after = DocumentDiff(from: nil, to: document, rules: current)
        let (known, ordered) = (Set(before.changes.map(Place.init)), Set(before.orders.map(\.path)))
        return after.changes.filter { !known.contains(Place($0)) } + after.orders.filter { !ordered.contains($0.path) }
    }

    /// Whether atoms of a place show under the current rules but did not under the former ones. Such atoms are left
    /// over from a time before the former rules.
    /// In an element that was each machine's own they are not: it is shared again as a whole, also where the device that
    /// changes the rules has removed its own.
    func isLeftOver(_ path: DocumentPath, _ kind: AtomKind) -> Bool {
        let key = AtomKey(path, kind)
        return current.shows(key) && !former.shows(key) && !former.keepsElement(around: path)
    }
}

extension RuleSet {
    /// Whether a place is in an element in which these rules sync nothing, so that each machine has its own.
    fileprivate func keepsElement(around path: DocumentPath) -> Bool {
        var matcher = RuleMatcher(self)
        for step in path.steps ?? [] {
            matcher = matcher.stepping(step)
            if case .element = step, matcher.isLocalThroughout { return true }
        }
        return false
    }

    fileprivate func arrayShape(at path: DocumentPath) -> RuleMatcher.ArrayShape {
        (path.steps ?? []).reduce(RuleMatcher(self)) { $0.stepping($1) }.arrayShape
    }

    /// Whether atoms under a key have the kind that these rules show at the key's place.
    func shows(_ key: AtomKey) -> Bool {
        guard !key.path.isReserved, let steps = key.path.steps else { return false }
        var matcher = RuleMatcher(self)
        for step in steps {
            guard matcher.allows(step) else { return false }
            matcher = matcher.stepping(step)
        }
        return [.element, .order, .removal].contains(key.kind) || matcher.rule.kind == key.kind
    }
}

extension ProfileState {
    /// An array whose elements are told apart by another member than under the former rules, and in which a document would
    /// have elements twice: this state shows some that it does not hold, since nothing says that they are the same; or in
    /// which an element would be taken for another one, which had its name before. `nil` where there is none.
    /// O(document + state).
    package func arrayOfOthers(beside document: JSONDocument, since former: RuleSet) -> DocumentPath? {
        let others = RuleChange(former: former, current: rules).formerPlaces(in: document).filter { path, former in
            guard case .element(let id)? = path.steps?.last, case .element(let other)? = former.steps?.last else {
                return false
            }
            return id != other
        }
        if let element = others.keys.min() { return element.parent }
        guard let shown = Projection.document(of: self) else { return nil }
        for change in DocumentDiff(from: document, to: shown, rules: rules).changes {
            guard case .elementAppeared = change.change, let array = change.path.parent,
                case .keyed(let key) = rules.arrayShape(at: array),
                case .keyed(let other) = former.arrayShape(at: array), key != other
            else { continue }
            return array
        }
        return nil
    }
}

extension WriteBatch {
    /// Makes the document of the device that changes the rules the starting point under the new rules. Atoms left over
    /// from an earlier time under the same kinds neither count again nor come back.
    mutating func rebase(_ document: JSONDocument, _ change: RuleChange) {
        let moved = change.moved(document)
        let formerPlaces = change.formerPlaces(in: document)
        var late: ((DocumentPath) -> (Dot) -> Bool)?
        // Where a game put other elements at positions, one element's amounts are in parts of several: its sum is a start.
        let shifted = Set(
            formerPlaces.filter { now, then in
                guard let kind = change.current.rule(for: now).kind, kind.base == .counter,
                    state.live(AtomKey(then, kind)) != nil
                else { return false }
                return hasChangedHands(then, kind, unlike: now, in: state, under: change.current, seen: [:])
            }.map { $0.key.shared(with: $0.value) })
        var kept = Set<AtomKey>()
        for leaf in moved {
            let former = formerPlaces[leaf.path].flatMap {
                change.former.rule(for: $0).kind == leaf.rule.kind
                    && !(leaf.rule.merge == .counter && shifted.contains(leaf.path.shared(with: $0))) ? $0 : nil
            }
            if former != nil, late == nil { late = state.lateWrites(change) }
            let isCarried = former.map { carry(leaf, from: $0, isLate: late!(leaf.path.shared(with: $0))) }
            if isCarried != true { rebase(leaf) }
            switch leaf.change {
            case .elementAppeared: kept.insert(AtomKey(leaf.path, .element))
            case .elements(let added, _):
                for element in added { kept.insert(AtomKey(leaf.path, .set, sub: element.canonicalBytes)) }
            case .order: continue
            default: kept.insert(AtomKey(leaf.path, .latest))
            }
        }
        let places = state.places.filter {
            [.latest, .set, .element].contains($0.kind) && change.isLeftOver($0.path, $0.kind)
        }
        for place in places.sorted(by: { $0.path < $1.path }) {
            for (sub, atom) in state.liveParts(place.path, place.kind) {
                let key = AtomKey(place.path, place.kind, sub: sub)
                guard !kept.contains(key) else { continue }
                switch atom.content {
                case .register(let stamp, .some): put(key, .register(stamp.successor, nil))
                case .membership(let length, let element) where length % 2 == 1:
                    put(key, .membership(after: length, adding: 1, element))
                case .membership(let length, let element)
                where key.kind == .element && state.membership(key.path)?.present == true:
                    put(key, .membership(after: length, adding: 2, element))
                default: continue
                }
            }
        }
    }

    private mutating func rebase(_ leaf: LeafChange) {
        switch (leaf.change, leaf.rule.merge) {
        case (.value(_, let new?), .latest):
            guard case .register(let stamp, let value)? = state.live(AtomKey(leaf.path, .latest))?.content else {
                return adopt(leaf)
            }
            if value != new { put(AtomKey(leaf.path, .latest), .register(stamp.successor, new)) }
        case (.value(_, let new?), .counter):
            guard let kind = leaf.rule.kind, let total = state.counterTotal(leaf.path, kind) else { return adopt(leaf) }
            correct(leaf.path, leaf.rule, new, from: total)
        case (.value(_, let new?), .choice), (.value(_, let new?), .furthest):
            guard let kind = leaf.rule.kind, case let known = state.candidates(leaf.path, kind), !known.isEmpty else {
                return adopt(leaf)
            }
            put(candidate: new, in: leaf.path, kind, replacing: known)
        default: adopt(leaf)
        }
    }
}
