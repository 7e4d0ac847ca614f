public import LosslessJSON

/// An open amount: what a save added to a counter, if it is not known whether its game had read the newer or the older
/// of two snapshots.
public struct OpenAmount: Hashable, Sendable {
    /// The counter's place.
    public let path: DocumentPath
    /// The rule of the counter.
    public let rule: MergeRule
    /// The amount that was earned (or, below zero, spent), had the game read the newer snapshot.
    public let ifRead: ExactDecimal
    /// The amount that was earned (or, below zero, spent), had the game read the older snapshot.
    public let ifUnread: ExactDecimal

    /// Amounts that the caller has worked out.
    public init(path: DocumentPath, rule: MergeRule, ifRead: ExactDecimal, ifUnread: ExactDecimal) {
        (self.path, self.rule, self.ifRead, self.ifUnread) = (path, rule, ifRead, ifUnread)
    }
}

extension BaseChoice {
    /// The amounts that a person has to decide, in order of their paths; none where ``purse`` is `nil`.
    public var openAmounts: [OpenAmount] {
        guard let purse else { return [] }
        let (newer, older) = (diff.amounts, purse.olderDiff.amounts)
        return Set(newer.keys).union(older.keys).sorted().compactMap { path in
            let (read, unread) = (newer[path]?.amount ?? .zero, older[path]?.amount ?? .zero)
            guard read != unread, let rule = newer[path]?.rule ?? older[path]?.rule else { return nil }
            return OpenAmount(path: path, rule: rule, ifRead: read, ifUnread: unread)
        }
    }

    /// The changes without those of open amounts and those in ``choicesOfOlder``, orders included; all changes if no
    /// amount is open.
    public var settledChanges: [LeafChange] {
        let open = Set(openAmounts.map(\.path))
        guard !open.isEmpty else { return diff.writes }
        let choices = Set(choicesOfOlder.map(\.path))
        return diff.writes.filter { !open.contains($0.path) && !choices.contains($0.path) }
    }

    /// The choices whose value the save changed or left out while an amount is open. They are written as by a game that
    /// had read the older snapshot of ``purse``: a value that another device chose since then stays beside the one in
    /// the save, until a person decides. Empty if no amount is open.
    ///
    /// A choice that went with the container around it is not among them: the container's removal covers it.
    public var choicesOfOlder: [LeafChange] {
        guard !openAmounts.isEmpty else { return [] }
        let gone = diff.topmostGone
        return diff.writes.filter { change in
            guard change.rule.merge == .choice, case .value(.some, _) = change.change else { return false }
            return change.path.nearest(in: gone) == nil
        }
    }
}

extension DocumentDiff {
    /// The amount that was added to each counter that both documents hold, and the rule there.
    fileprivate var amounts: [DocumentPath: (amount: ExactDecimal, rule: MergeRule)] {
        var result: [DocumentPath: (amount: ExactDecimal, rule: MergeRule)] = [:]
        for change in changes where change.rule.merge == .counter {
            guard case .value(let old?, let new?) = change.change,
                case .number(let before)? = Ordinal(old, by: change.rule),
                case .number(let after)? = Ordinal(new, by: change.rule),
                let amount = try? after.subtracting(before)
            else { continue }
            result[change.path] = (amount, change.rule)
        }
        return result
    }
}

extension ProfileState {
    /// Writes amounts that a person has decided, as earned or spent. A counter that was removed since stays removed.
    ///
    /// - Parameters:
    ///   - amounts: The amount by which each counter rises, or falls if it is below zero.
    ///   - save: The save that left them open. If a counter gets the amount in it, the counter is spelled as in the
    ///     save.
    ///   - context: Who writes, and what the save had read. If the place was reset since, nothing is written.
    /// - Complexity: O(size of the save).
    public mutating func settle(
        _ amounts: [(path: DocumentPath, rule: MergeRule, amount: ExactDecimal)], of save: JSONDocument?,
        _ context: WriteContext
    ) -> WriteResult {
        var saved: [DocumentPath: JSONValue] = [:]
        if let save {
            for change in DocumentDiff(from: nil, to: save, rules: rules).changes {
                if case .value(_, let value?) = change.change { saved[change.path] = value }
            }
        }
        var batch = WriteBatch(state: self, context: context)
        for place in amounts where showsAmount(place.path, place.rule) {
            batch.settle(place.path, place.rule, place.amount, saved: saved[place.path])
        }
        let (contents, unreadable, overridden) = batch.finish()
        return WriteResult(
            atoms: write(contents, as: context.replica), unreadable: unreadable, overridden: overridden)
    }

    /// Whether a counter exists and was not removed.
    public func showsAmount(_ path: DocumentPath, _ rule: MergeRule) -> Bool {
        if case .amount? = shown(path, rule) { true } else { false }
    }
}
