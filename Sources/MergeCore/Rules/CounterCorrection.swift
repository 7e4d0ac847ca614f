import LosslessJSON

/// Corrections of counters: what a change of rules adds to the amounts of all replicas, or takes off.
///
/// A correction is one part of the counter, the same for all devices, and not an amount of the device that makes it. So where
/// several devices change the rules concurrently, and each has to add or take off the same, it counts once. It also shows that
/// the counter was counted under other rules or another name before.
extension [UInt8] {
    /// The sub of a counter's correction. No replica has this id.
    static let correction = ReplicaID(high: .max, low: .max).bytes
}

extension ProfileState {
    /// Whether a change of rules corrected a counter or carried its amounts there, if only by nothing.
    func isCorrected(_ path: DocumentPath, _ kind: AtomKind) -> Bool {
        live(AtomKey(path, kind, sub: .correction)) != nil
    }

    /// What a counter's correction adds to its amounts; nothing where there is none.
    func correction(_ path: DocumentPath, _ kind: AtomKind) -> ExactDecimal {
        live(AtomKey(path, kind, sub: .correction))?.content.net ?? .zero
    }

    /// What each replica spent of a counter, ordered by replica; a correction is nobody's.
    func spendings(_ path: DocumentPath, _ kind: AtomKind) -> [Shortfall.Spending] {
        liveParts(path, kind).compactMap { sub, atom in
            guard sub != .correction, case .tally(_, let spent) = atom.content, !spent.isZero else { return nil }
            return Shortfall.Spending(replica: ReplicaID(bytes: sub) ?? atom.dot.replica, amount: spent)
        }
    }
}

extension WriteBatch {
    /// Corrects a counter to the amount of a document.
    mutating func correct(_ path: DocumentPath, _ rule: MergeRule, _ new: JSONValue, from total: ExactDecimal) {
        guard let kind = rule.kind, case .number(let amount)? = Ordinal(new, by: rule) else {
            return refuse(path, "counter takes a number of at most 1,000 digits")
        }
        // The document shows 0 for an overspent counter.
        let shown = state.isOverspent(path, kind, total) && !amount.isNegative ? .zero : total
        let key = AtomKey(path, kind, sub: .correction)
        do {
            let difference = try amount.subtracting(shown)
            hint(path, kind, new, amount)
            if !difference.isZero { put(key, try AtomContent.tally(adding: difference, to: state.live(key)?.content)) }
        } catch {
            refuse(path, "the counter would need more than 1,000 digits")
        }
    }
}
