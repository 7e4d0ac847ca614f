import LosslessJSON

extension Atom {
    /// The join of two atoms of one key: it picks one of them, never makes a third.
    ///
    /// A total order (the rule's own, then the dot, then the bytes) decides, hence commutative, associative and
    /// idempotent. O(size of the values).
    public func joined(with other: Atom, kind: AtomKind) -> Atom {
        if self == other { return self }
        return Self.precedes(self, other, kind) ? other : self
    }

    private static func precedes(_ a: Atom, _ b: Atom, _ kind: AtomKind) -> Bool {
        switch order(a.content, b.content, kind) {
        case .below: return true
        case .above: return false
        case .same: break
        }
        if a.dot != b.dot { return a.dot < b.dot }
        return a.content.encoded.lexicographicallyPrecedes(b.content.encoded)
    }

    private enum Order {
        case below, same, above

        init<T: Comparable>(_ a: T, _ b: T) { self = a < b ? .below : a == b ? .same : .above }
    }

    private static func order(_ a: AtomContent, _ b: AtomContent, _ kind: AtomKind) -> Order {
        switch (a, b) {
        case (.register(let x, _), .register(let y, _)): return Order(x, y)
        case (.extremum(let x), .extremum(let y)):
            let (first, second) = (Ordinal(x, as: kind.reading), Ordinal(y, as: kind.reading))
            guard let first, let second else {
                return first == nil && second == nil ? .same : first == nil ? .below : .above
            }
            guard first.isComparable(with: second) else { return Order(first, second) }
            return kind.base == .min ? Order(second, first) : Order(first, second)
        case (.flag(let x), .flag(let y)): return Order(x ? 1 : 0, y ? 1 : 0)
        case (.tally(let earned, let spent), .tally(let otherEarned, let otherSpent)):
            // One writer, both parts only grow; the sum orders them, the parts break ties among forgeries.
            return earned != otherEarned ? Order(earned, otherEarned) : Order(spent, otherSpent)
        case (.baseline(let x), .baseline(let y)): return Order(x, y)
        case (.membership(let x, _), .membership(let y, _)): return Order(x, y)
        case (.member, .member), (.opaque, .opaque): return .same
        default: return Order(a.rank, b.rank)
        }
    }
}

extension AtomContent {
    /// Orders contents that do not belong under one kind (only a broken peer sends such).
    fileprivate var rank: Int {
        switch self {
        case .opaque: 0
        case .register: 1
        case .extremum: 2
        case .flag: 3
        case .tally: 4
        case .baseline: 5
        case .member: 6
        case .membership: 7
        }
    }
}
