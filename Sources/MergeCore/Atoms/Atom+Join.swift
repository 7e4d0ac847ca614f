import LosslessJSON

extension Atom {
    /// The join of two atoms of one key. The result is always one of the two.
    ///
    /// A total order decides: first the epoch, then the rule's own order, then the dot, then the bytes. So the join is
    /// commutative, associative and idempotent. O(size of the values).
    public func joined(with other: Atom, kind: AtomKind) -> Atom {
        AtomView(self).precedes(AtomView(other), kind) ? other : self
    }
}

/// A view of an atom that reads the content where it lies, without a copy.
struct AtomView {
    let content: ArraySlice<UInt8>
    let form: AtomForm
    let dot: Dot
    let epoch: EpochID?

    init(_ atom: Atom) { self.init(content: atom.encoded[...], form: atom.form, dot: atom.dot, epoch: atom.epoch) }

    init(content: ArraySlice<UInt8>, form: AtomForm, dot: Dot, epoch: EpochID?) {
        self.content = content
        self.form = form
        self.dot = dot
        self.epoch = epoch
    }

    /// Whether the element of a membership is present: its causal length, the first 8 bytes, is odd.
    var isMember: Bool { content.count >= 8 && content[content.startIndex + 7] % 2 == 1 }

    /// Whether this atom comes before the other one in the total order that every join follows.
    func precedes(_ other: AtomView, _ kind: AtomKind) -> Bool {
        if epoch != other.epoch {
            guard let epoch else { return true }
            guard let theirs = other.epoch else { return false }
            return epoch < theirs
        }
        switch weigh(other, kind) {
        case .below: return true
        case .above: return false
        case .same: break
        }
        if dot != other.dot { return dot < other.dot }
        return content.lexicographicallyPrecedes(other.content)
    }

    /// Whether this atom wins by the rule's own order, whatever epoch the two were written in.
    func outweighs(_ other: AtomView, _ kind: AtomKind) -> Bool { weigh(other, kind) == .above }

    fileprivate enum Order {
        case below, same, above

        init<T: Comparable>(_ a: T, _ b: T) { self = a < b ? .below : a == b ? .same : .above }
    }

    private func weigh(_ other: AtomView, _ kind: AtomKind) -> Order {
        guard form == other.form else { return Order(form.rawValue, other.form.rawValue) }
        if kind == .rules, content != other.content {
            let order = Order(RulesOrder.generation(of: content), RulesOrder.generation(of: other.content))
            if order != .same { return order }
        }
        switch form {
        // Stamp, causal length, number of the removal: the first bytes, most significant first.
        case .register, .membership, .candidate, .position, .removal: return Order(leadingInteger, other.leadingInteger)
        case .flag: return Order(content.first ?? 0, other.content.first ?? 0)
        case .member, .epoch, .opaque: return .same
        case .extremum:
            if kind.reading == nil || kind.reading == .number, let order = plainNumbers(other) {
                return kind.base == .min ? order.reversed : order
            }
            return extrema(other, kind)
        case .tally, .baseline: return amounts(other)
        }
    }

    /// The first 8 bytes as a number, the most significant byte first; of fewer bytes all.
    var leadingInteger: UInt64 {
        guard content.count >= 8 else { return content.reduce(0) { $0 << 8 | UInt64($1) } }
        return content.withUnsafeBytes { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) }
    }

    /// The order of two whole numbers without sign or exponent: by length, then by digits. `nil` when either is no such
    /// number.
    private func plainNumbers(_ other: AtomView) -> Order? {
        guard Self.isPlain(content), Self.isPlain(other.content) else { return nil }
        if content.count != other.content.count { return Order(content.count, other.content.count) }
        return content.elementsEqual(other.content)
            ? .same : content.lexicographicallyPrecedes(other.content) ? .below : .above
    }

    private static func isPlain(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first, first != UInt8(ascii: "0") || text.count == 1 else { return false }
        return text.allSatisfy { UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "9") }
    }

    private func extrema(_ other: AtomView, _ kind: AtomKind) -> Order {
        func read(_ view: AtomView) -> Ordinal? {
            guard case .extremum(let value)? = AtomContent(view.content, .extremum) else { return nil }
            return Ordinal(value, of: kind)
        }
        let (first, second) = (read(self), read(other))
        guard let first, let second else {
            return first == nil && second == nil ? .same : first == nil ? .below : .above
        }
        guard first.isComparable(with: second) else { return Order(first, second) }
        return kind.base == .min ? Order(second, first) : Order(first, second)
    }

    private func amounts(_ other: AtomView) -> Order {
        switch (AtomContent(content, form), AtomContent(other.content, form)) {
        case (.tally(let earned, let spent)?, .tally(let otherEarned, let otherSpent)?):
            // A tally has one writer, or its writers turn it in one order (``UndoPart``), and both parts only grow. The
            // earned part decides the order, the spent part breaks ties.
            let order = Order(earned, otherEarned)
            return order == .same ? Order(spent, otherSpent) : order
        case (.baseline(let x)?, .baseline(let y)?): return Order(x, y)
        default: return .same
        }
    }
}

extension AtomView.Order {
    fileprivate var reversed: Self {
        switch self {
        case .below: .above
        case .same: .same
        case .above: .below
        }
    }
}
