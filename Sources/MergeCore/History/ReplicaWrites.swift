import LosslessJSON

/// The writes of one replica by place: the amounts that they added to counters, and the values and elements that they set.
struct ReplicaWrites {
    /// The sum of what the writes added to a counter, and the last of them.
    struct Amount {
        var moved: ExactDecimal
        var dot: Dot
    }

    /// The amounts of counters.
    private(set) var amounts: [DocumentPath: Amount] = [:]
    private var values: [DocumentPath: JSONValue?] = [:]
    private var elements: [DocumentPath: [(value: JSONValue, isIn: Bool)]] = [:]
    /// Places of writes that say where or whether something is, and not what it is.
    private var others = Set<DocumentPath>()
    private let rules: RuleSet

    /// Reads atoms.
    ///
    /// - Parameter before: The state without them.
    /// - Returns: `nil` where the writes are more than play, such as a reset.
    init?(_ atoms: [KeyedAtom], of replica: ReplicaID, before: ProfileState) {
        rules = before.rules
        for one in atoms {
            // Atoms of another version say something of other places.
            guard before.upcasters.isOwn(one.key.path) else { return nil }
            let (path, kind) = (one.key.path.version.place, one.key.kind)
            switch one.atom.content {
            case .tally(let earned, let spent):
                let former = before.live(AtomKey(path, kind, sub: one.key.sub))?.content
                guard one.key.sub == replica.bytes, rules.rule(for: path).kind == kind,
                    let total = try? earned.subtracting(spent),
                    let moved = try? total.subtracting((try former?.net) ?? .zero)
                else { return nil }
                amounts[path] = Amount(moved: moved, dot: one.atom.dot)
            case .baseline(let amount): values[path] = JSONNumber(text: amount.text).map(JSONValue.number)
            case .register(_, let value), .candidate(_, let value, _):
                if path.isReserved { return nil }
                values[path] = .some(value)
            case .extremum(let value): values[path] = kind.spelled(value)
            case .flag(let isSet): values[path] = .bool(isSet)
            case .member(let value) where kind.reading == nil: elements[path, default: []].append((value, true))
            case .membership(let length, let value) where kind.base == .set:
                elements[path, default: []].append((value, !length.isMultiple(of: 2)))
            case .member, .membership, .position, .removal: others.insert(path)
            case .epoch, .opaque: return nil
            }
        }
    }

    /// How much speaks for it that steps and these writes come from the same play, if they agree in everything; `nil` where
    /// they differ. See ``Evidence``.
    func weight(in steps: ComposedSteps) -> Int? {
        var weight = 0
        for (path, said) in amounts {
            guard let change = steps.amount(at: path)?.change, let new = change.new,
                rules.rule(for: path).amount(from: change.old, to: new) == said.moved
            else { return nil }
            weight += Evidence.weight(of: said.moved)
        }
        for (path, value) in values {
            guard steps.holds(path), steps.value(at: path) == value else { return nil }
            weight += Evidence.weight(of: value)
        }
        for (path, list) in elements {
            guard case .array(let shown)? = steps.value(at: path),
                list.allSatisfy({ shown.contains($0.value) == $0.isIn })
            else { return nil }
            weight += list.count
        }
        return steps.changes.allSatisfy { isSaid($0.key, ($0.value.old, $0.value.new)) } ? weight : nil
    }

    /// Whether the writes say something of a place that the steps changed.
    private func isSaid(_ path: DocumentPath, _ change: (old: JSONValue?, new: JSONValue?)) -> Bool {
        if change.old == change.new || amounts[path] != nil || values[path] != nil || elements[path] != nil {
            return true
        }
        // It came or went as a whole, and the writes are about what is in it or around it.
        return others.contains { $0.isAtOrBelow(path) || path.isAtOrBelow($0) }
            || amounts.keys.contains { $0.isAtOrBelow(path) } || values.keys.contains { $0.isAtOrBelow(path) }
    }
}
