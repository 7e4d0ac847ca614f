import LosslessJSON

/// Carries the values of an element to its other name, part by part: each replica's amounts of a counter, and its values of
/// a choice, under that replica; what was taken back of a step, under that step. A part only ever grows, so it counts once,
/// however many devices write it there again, and whatever each of them has heard of.
extension WriteBatch {
    /// Writes all that is known of a place at its other name.
    ///
    /// - Parameters:
    ///   - former: What the place was called before.
    ///   - known: The state that knows it by that name; `nil` for the one that is written to.
    ///   - isLate: Whether a write that the other name still has came after the element was called by it. Then it is play
    ///     that nobody has counted yet, and not left over from that time.
    /// - Returns: False where the rule of the place keeps no parts. Then its value is to be written.
    mutating func carry(
        _ change: LeafChange, from former: DocumentPath, in known: ProfileState? = nil,
        isLate: (Dot) -> Bool = { _ in false }
    ) -> Bool {
        guard let kind = change.rule.kind, case .value(_, let new?) = change.change,
            case let known = known ?? state, case let parts = known.liveParts(former, kind), !parts.isEmpty
        else { return false }
        switch kind.base {
        case .counter:
            guard case .number(let amount)? = Ordinal(new, by: change.rule),
                let carried = carried(parts, from: former, in: known, to: change.path, kind, isLate)
            else { return false }
            noteReturn(change.path, isNew: true)
            hint(change.path, kind, new, amount)
            for (sub, content) in carried.amounts { put(AtomKey(change.path, kind, sub: sub), content) }
            if let start = carried.correctedStart { putCorrected(change.path, kind, start: start) }
        case .choice, .furthest:
            noteReturn(change.path, isNew: true)
            for (sub, atom) in parts { put(slot: KeyedAtom(AtomKey(former, kind, sub: sub), atom), at: change.path) }
        case .latest:
            guard case .register(var stamp, let value?) = parts[0].atom.content, value == new else { return false }
            if let left = state.live(AtomKey(change.path, kind)), case .register(let last, let former) = left.content,
                former != new
            {
                if isLate(left.dot), stamp < last { return true }
                stamp = max(stamp, last.successor)
            }
            noteReturn(change.path, isNew: true)
            put(AtomKey(change.path, kind), .register(stamp, value))
        default: return false
        }
        return true
    }

    /// The parts of a counter at its other name, and its start apart from them where that has to be corrected; `nil` if a
    /// counter cannot hold them. O(parts log parts).
    ///
    /// Of an earlier time in which another element had this name, more may be left there than what goes along. It cannot be
    /// made less, so it is taken off the start (``putCorrected(_:_:start:)``). But play of a device that had not heard of the
    /// rules yet counts. A start is corrected by nothing as well, since another device that knows less corrects it by more.
    private func carried(
        _ parts: [(sub: [UInt8], atom: Atom)], from former: DocumentPath, in known: ProfileState,
        to path: DocumentPath, _ kind: AtomKind, _ isLate: (Dot) -> Bool
    ) -> (amounts: [(sub: [UInt8], content: AtomContent)], correctedStart: ExactDecimal?)? {
        let left = state.liveParts(path, kind)
        let here = Dictionary(uniqueKeysWithValues: parts.map { ($0.sub, $0.atom.content) })
        var all = Dictionary(uniqueKeysWithValues: left.map { ($0.sub, $0.atom.content) })
        for (sub, content) in here { all[sub] = all[sub]?.raised(to: content) ?? content }
        // An element of which play came late is known by its start, which is the same.
        let hasStart = left.contains { $0.sub.isEmpty && $0.atom.content == here[[]] }
        let isSame = left.allSatisfy { all[$0.sub] == here[$0.sub] || hasStart && isLate($0.atom.dot) }
        var correctedStart: ExactDecimal?
        do {
            if left.isEmpty ? known.isCorrected(former, kind) : !(isSame && hasStart) {
                var start = known.start(former, kind)
                all[[]] = nil
                let late = hasStart ? Set(left.filter { isLate($0.atom.dot) }.map(\.sub)) : []
                for (sub, content) in all where !late.contains(sub) {
                    start = try start.adding(here[sub]?.net ?? .zero).subtracting(content.net)
                }
                guard start.isCountable else { return nil }
                correctedStart = start
            }
        } catch {
            return nil
        }
        return (all.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { ($0.key, $0.value) }, correctedStart)
    }

    /// Writes what this device wrote at a place, and those who changed the rules had not seen, at its other name.
    ///
    /// - Parameters:
    ///   - before: The state before the rules came.
    ///   - own: The replicas as which this device ever wrote.
    ///   - seen: What the writer of the rules had seen; `nil` where they did not take the place of the former ones at once.
    ///     Then nobody knows what of these amounts is counted already.
    /// - Returns: False where the value is to be written as in other places.
    mutating func carry(
        _ change: LeafChange, from former: DocumentPath, before: ProfileState, own: Set<ReplicaID>,
        seen: [ReplicaID: UInt64]?
    ) -> Bool {
        guard let kind = change.rule.kind, before.rules.rule(for: former).kind == kind,
            case .value(_, let new?) = change.change
        else { return false }
        switch kind.base {
        case .counter:
            // A start that came in together with the rules may belong to another element, which another device put at this
            // position. So the amounts that were known before are taken.
            if state.liveParts(change.path, kind).isEmpty { return carry(change, from: former, in: before) }
            // Else the element may have been adopted with the sum as its start, by an older Hearth or under rules between.
            let count = contents.count
            var isCounted = false
            var parts: [[UInt8]: AtomContent] = [:]
            if let seen, wasCarried(from: former, to: change.path, kind),
                !former.hasPositions(unlike: change.path)
                    || isCarried(former, kind, to: change.path, besides: own, seen: seen)
                        && !hasChangedHands(former, kind, unlike: change.path, in: before, seen: seen)
            {
                (parts, isCounted) = raised(change.path, kind, from: former, before: before, own: own, seen: seen)
                for (sub, content) in parts.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
                    put(AtomKey(change.path, kind, sub: sub), content)
                }
            }
            if !isCounted { keepLarger(change.path, kind, change.rule, new, with: parts) }
            // Where the element was removed, it is there again with what this device has of it, and so all that counted counts.
            if contents.count == count, state.isRemoved(change.path, kind) {
                let own = AtomKey(change.path, kind, sub: context.replica.bytes)
                put(own, state.live(own)?.content ?? .tally(earned: .zero, spent: .zero))
            }
            return true
        case .choice, .furthest:
            for replica in own.sorted() {
                let key = AtomKey(former, kind, sub: replica.bytes)
                if let atom = before.live(key) { put(slot: KeyedAtom(key, atom), at: change.path) }
            }
            return true
        case .latest:
            guard let atom = before.live(AtomKey(former, kind)), own.contains(atom.dot.replica),
                case .register(let stamp, let value?) = atom.content, value == new
            else { return false }
            noteReturn(change.path, isNew: true)
            put(AtomKey(change.path, kind), .register(stamp, value))
            return true
        default: return false
        }
    }

    /// Whether the parts of a counter at its other name went along from the former one: one of them was written for another
    /// replica, or the start is the same or was corrected.
    private func wasCarried(from former: DocumentPath, to path: DocumentPath, _ kind: AtomKind) -> Bool {
        if state.isCorrected(path, kind) { return true }
        let start = state.live(AtomKey(path, kind))?.content
        if start != nil, start == state.live(AtomKey(former, kind))?.content { return true }
        return state.liveParts(path, kind).contains { $0.atom.counter(part: $0.sub) != $0.atom.dot.replica }
    }

    /// This device's amounts of a counter at another name, raised to what they are.
    ///
    /// - Returns: The amounts that differ; `isCounted` is false where they may count less than was played: as much is left
    ///   there from an earlier time, and the writer of the rules took that off.
    private func raised(
        _ path: DocumentPath, _ kind: AtomKind, from former: DocumentPath, before: ProfileState, own: Set<ReplicaID>,
        seen: [ReplicaID: UInt64]
    ) -> (parts: [[UInt8]: AtomContent], isCounted: Bool) {
        let isCorrected = state.isCorrected(path, kind) && state.start(path, kind) != state.start(former, kind)
        var (parts, isCounted) = ([[UInt8]: AtomContent](), true)
        // A start that this device found, and that they had not seen.
        if !state.isCorrected(path, kind), let start = before.live(AtomKey(former, kind)),
            own.contains(start.dot.replica),
            start.dot.sequence > seen[start.dot.replica, default: 0], case .baseline(let amount) = start.content,
            amount > state.start(path, kind)
        {
            parts[[]] = start.content
        }
        // The part of an undo is the same on every device that took the step back. So this device carries it also where
        // another one wrote it.
        let undone = before.liveParts(former, kind).map(\.sub).filter(UndoPart.isName)
        for sub in own.sorted().map(\.bytes) + undone {
            let key = AtomKey(path, kind, sub: sub)
            let (known, left) = (state.live(key)?.content, before.live(key))
            guard var amounts = before.live(AtomKey(former, kind, sub: sub))?.content ?? left?.content.nothing
            else { continue }
            if let left, amounts.raised(to: left.content) != amounts || isCorrected {
                if left.dot.sequence > seen[left.dot.replica, default: 0] {
                    // Nobody took off what is left: it went along to this name already, or the player was told.
                    amounts = amounts.onTop(of: left.content) ?? amounts
                } else if left.content != left.content.nothing {
                    isCounted = false
                }
            }
            let content = known?.raised(to: amounts) ?? amounts
            if content != known { parts[key.sub] = content }
        }
        return (parts, isCounted)
    }

    /// Whether all that the writer of the rules had seen of a counter, besides this device's own amounts, is at its other
    /// name. Else the writer had another element at that position.
    private func isCarried(
        _ former: DocumentPath, _ kind: AtomKind, to path: DocumentPath, besides own: Set<ReplicaID>,
        seen: [ReplicaID: UInt64]
    ) -> Bool {
        let there = Dictionary(uniqueKeysWithValues: state.liveParts(path, kind).map { ($0.sub, $0.atom.content) })
        let here = state.liveParts(former, kind)
        guard here.first(where: { $0.sub.isEmpty })?.atom.content == there[[]] else { return false }
        return here.allSatisfy { sub, atom in
            guard !sub.isEmpty, !own.contains(atom.counter(part: sub)),
                atom.dot.sequence <= seen[atom.dot.replica, default: 0]
            else { return true }
            return there[sub].map { $0.raised(to: atom.content) == $0 } ?? ((try? atom.content.net)?.isZero == true)
        }
    }

    /// Whether another element may have come to a position than the one that the writer of the rules knew there: the member by
    /// which elements are told apart now was written there since. Then what counts at the position is of both of them.
    ///
    /// A member that was written with the start of the counter began there together with it, in a new element. And what a change
    /// of rules adopted goes along with the amounts.
    func hasChangedHands(
        _ former: DocumentPath, _ kind: AtomKind, unlike path: DocumentPath, in before: ProfileState,
        under rules: RuleSet? = nil, seen: [ReplicaID: UInt64]
    ) -> Bool {
        guard let member = former.keyMember(unlike: path, under: rules ?? state.rules) else { return false }
        let start = before.live(AtomKey(former, kind))?.dot
        return before.rules.rule(for: member).kind.map { before.liveParts(member, $0) }?.contains { _, atom in
            if case .register(let stamp, _) = atom.content, !stamp.isLive { return false }
            return atom.dot != start && atom.dot.sequence > seen[atom.dot.replica, default: 0]
        } ?? false
    }

    /// Notes that what a document holds of a counter is not written, since it may be counted already, where that is another
    /// amount than what is counted.
    mutating func tellUncounted(_ path: DocumentPath, _ kind: AtomKind, _ rule: MergeRule, _ value: JSONValue) {
        guard case .number(let amount)? = Ordinal(value, by: rule) else { return }
        if amount != state.counterTotal(path, kind) { overridden.insert(path) }
    }

    /// Whether another value stays where a document's is written: a game wrote it since the rules changed.
    func isBeaten(_ change: LeafChange) -> Bool {
        guard case .value(_, let new?) = change.change,
            case .register(let stamp, let value?)? = state.live(AtomKey(change.path, .latest))?.content
        else { return false }
        return value != new && stamp > .adopted(context.fileTime)
    }

    private mutating func put(slot: KeyedAtom, at path: DocumentPath) {
        put(AtomKey(path, slot.key.kind, sub: slot.key.sub), slot.contentWithOrigin)
    }
}

extension DocumentPath {
    /// Of a place in an element that has a position here, and a key in another path: the member that is the key, at the
    /// position.
    func keyMember(unlike path: DocumentPath, under rules: RuleSet) -> DocumentPath? {
        let array = shared(with: path)
        guard let parents = array.steps, let step = steps?.dropFirst(parents.count).first, case .index = step,
            case .keyed(let name) = parents.reduce(RuleMatcher(rules), { $0.stepping($1) }).arrayShape
        else { return nil }
        return array.appending(step).appending(.member(name))
    }

    /// Whether an element around the place has a position here, and another name in another path.
    fileprivate func hasPositions(unlike other: DocumentPath) -> Bool {
        zip(steps ?? [], other.steps ?? []).contains { step, otherStep in
            if case .index = step { step != otherStep } else { false }
        }
    }
}

extension AtomContent {
    /// An amount of a counter with all of another one that is in it or beyond it.
    fileprivate func raised(to other: AtomContent) -> AtomContent {
        switch (self, other) {
        case (.tally(let earned, let spent), .tally(let otherEarned, let otherSpent)):
            .tally(earned: max(earned, otherEarned), spent: max(spent, otherSpent))
        case (.baseline(let amount), .baseline(let other)): .baseline(max(amount, other))
        default: self
        }
    }

    /// A replica's amounts on top of others that are left of it, with those taken off; `nil` if a counter cannot hold them.
    fileprivate func onTop(of left: AtomContent) -> AtomContent? {
        guard case .tally(let earned, let spent) = self, case .tally(let leftEarned, let leftSpent) = left,
            let all = try? leftEarned.addingCountably(leftSpent), let more = try? earned.addingCountably(all),
            let less = try? spent.addingCountably(all)
        else { return nil }
        return .tally(earned: more, spent: less)
    }

    /// No amounts, where these are a replica's.
    fileprivate var nothing: AtomContent? {
        if case .tally = self { .tally(earned: .zero, spent: .zero) } else { nil }
    }
}
