import LosslessJSON

/// Starts of counters that a change of rules corrected: by what it adds to the amounts of all replicas, or takes off.
///
/// Amounts cannot be made less, so what is left at a place from an earlier time is taken off the start. Such a start is
/// written in an epoch above that of the former one (``EpochID/corrected(above:)``), much as that of a counter which is removed
/// and added again. So it takes the former one's place also where it is less. Devices that correct one counter concurrently
/// write in the same epoch. Of their starts the larger one stays, so a correction never counts twice, and in doubt the larger
/// sum stays.
extension ProfileState {
    /// Whether the start of a counter was corrected, or is that of a counter which was removed and added again.
    func isCorrected(_ path: DocumentPath, _ kind: AtomKind) -> Bool {
        live(AtomKey(path, kind)).map { $0.epoch != nil && epochRegistry.declared($0.epoch) == nil } ?? false
    }

    /// Whether a change of rules corrected the start of a counter.
    func isCorrectedByRules(_ path: DocumentPath, _ kind: AtomKind) -> Bool {
        guard isCorrected(path, kind), let epoch = live(AtomKey(path, kind))?.epoch else { return false }
        return epoch.isCorrected(above: declared(below: epoch))
    }

    /// The epoch of a start that a change of rules corrects.
    func correctedEpoch(of key: AtomKey) -> EpochID? {
        let newest = newestEpoch(of: key) ?? .zero
        return newest.corrected(above: declared(below: newest))
    }

    /// The epoch of a counter's start that is written anew above another one.
    func renewedEpoch(after epoch: EpochID?) -> EpochID {
        let next = EpochID(after: epoch)
        return next.isCorrected(above: declared(below: next)) ? EpochID(after: next) : next
    }

    /// The declared epoch that another one is steps above; `nil` for epoch 0.
    private func declared(below epoch: EpochID) -> EpochID? {
        epochRegistry.known.first { epoch.isStep(above: $0.id) }?.id
    }

    /// The start of a counter; 0 where it has none.
    func start(_ path: DocumentPath, _ kind: AtomKind) -> ExactDecimal {
        guard case .baseline(let amount)? = live(AtomKey(path, kind))?.content else { return .zero }
        return amount
    }

    /// The amounts that replicas spent of a counter, ordered by replica; one entry for each replica that spent.
    func spendings(_ path: DocumentPath, _ kind: AtomKind) -> [Shortfall.Spending] {
        var amounts: [ReplicaID: ExactDecimal] = [:]
        for (sub, atom) in liveParts(path, kind) {
            guard case .tally(_, let spent) = atom.content, !spent.isZero,
                case let amount = UndoPart.isName(sub) ? (try? atom.content.net)?.negated ?? spent : spent,
                amount > .zero
            else { continue }
            let replica = atom.counter(part: sub)
            amounts[replica] = (try? amounts[replica, default: .zero].adding(amount)) ?? amount
        }
        return amounts.sorted { $0.key < $1.key }.map { Shortfall.Spending(replica: $0.key, amount: $0.value) }
    }
}

extension WriteBatch {
    /// Corrects a counter, so that its total is the amount of a document.
    mutating func correct(_ path: DocumentPath, _ rule: MergeRule, _ new: JSONValue, from total: ExactDecimal) {
        guard let kind = rule.kind, case .number(let amount)? = Ordinal(new, by: rule) else {
            return refuse(path, "counter takes a number of at most 1,000 digits")
        }
        // The document shows 0 for an overspent counter.
        let shown = state.isOverspent(path, kind, total) && !amount.isNegative ? .zero : total
        do {
            let difference = try amount.subtracting(shown)
            hint(path, kind, new, amount)
            if difference.isZero { return }
            putCorrected(path, kind, start: try state.start(path, kind).addingCountably(difference))
        } catch {
            refuse(path, "the counter would need more than 1,000 digits")
        }
    }

    /// Writes the start of a counter in an epoch above that of the former one.
    mutating func putCorrected(_ path: DocumentPath, _ kind: AtomKind, start: ExactDecimal) {
        let key = AtomKey(path, kind)
        put(key, .baseline(start))
        raised.insert(key)
    }

    /// Takes up what a document holds of a counter of which it cannot be told what counts already: of the document's amount
    /// and of what counts, the larger sum stays. The player is told where they differ, or differed before this batch.
    ///
    /// - Parameter parts: Amounts of this batch that are not in the state yet.
    mutating func keepLarger(
        _ path: DocumentPath, _ kind: AtomKind, _ rule: MergeRule, _ value: JSONValue,
        with parts: [[UInt8]: AtomContent] = [:]
    ) {
        guard case .number(let amount)? = Ordinal(value, by: rule) else { return }
        var all = Dictionary(state.liveParts(path, kind).map { ($0.sub, $0.atom.content) }) { $1 }
        all.merge(parts) { $1 }
        guard let total = try? all.values.reduce(ExactDecimal.zero, { try $0.adding($1.net) }) else { return }
        // Some of the play may not be known here, so the player is told wherever the sums differ. A sum that is the same by
        // chance is told as well, if it is not yet the one that shows.
        if amount != total || amount != state.counterTotal(path, kind) { overridden.insert(path) }
        guard total < amount, let more = try? amount.subtracting(total),
            let start = try? (all[[]]?.net ?? .zero).addingCountably(more)
        else { return }
        put(AtomKey(path, kind), .baseline(start))
    }
}

extension Atom {
    /// The replica to which a part of a counter belongs: the one that it names, as another one may have carried it to its
    /// place; else, for a start and for what was taken back, the writer.
    func counter(part sub: [UInt8]) -> ReplicaID { ReplicaID(bytes: sub) ?? dot.replica }
}

extension AtomContent {
    /// The part of a counter's total that stands in this atom: earned less spent, or the start.
    var net: ExactDecimal {
        get throws(ExactDecimal.Overflow) {
            switch self {
            case .tally(let earned, let spent): try earned.subtracting(spent)
            case .baseline(let amount): amount
            default: .zero
            }
        }
    }
}
