package import LosslessJSON

/// Recognises a game that was set back, by a restore, a reset or an undo, and plays the same stretch again.
///
/// On its way it comes by the same values, such as the same day or the same number of saves, so that by its content its save
/// fits best what was taken back. But a game that had read that would have gone beyond it, in the numbers that have grown
/// with every save so far: those tell the two apart.
package struct PlayedAgain {
    /// The places of numbers that have grown with each of the last steps of play.
    private let steady: Set<DocumentPath>
    private let rules: RuleSet

    /// The number of steps of play that are looked at, and of those that it takes at least to see that a number grows with
    /// every save.
    private static let (most, enough) = (6, 2)
    /// The number of such places that must speak against a snapshot: a purse that has only grown so far may be spent.
    private static let places = 2

    /// - Parameters:
    ///   - steps: The steps of the history up to the one that took something back, the newest first. Those that are no play
    ///     are passed over.
    ///   - rules: The rules in force.
    /// - Complexity: O(changes of the steps).
    package init(after steps: some Sequence<HistoryEntry>, rules: RuleSet) {
        self.rules = rules
        let grown = steps.lazy.filter { $0.origin == .save || $0.origin == .merge }.prefix(Self.most).map { step in
            Set(step.changes.filter { Self.hasGrown($0, rules) }.map(\.path))
        }
        let all = Array(grown)
        steady = all.count < Self.enough ? [] : all.dropFirst().reduce(all[0]) { $0.intersection($1) }
    }

    private static func hasGrown(_ change: HistoryEntry.Change, _ rules: RuleSet) -> Bool {
        let leaf = LeafChange(
            path: change.path, rule: rules.rule(for: change.path), change: .value(old: change.old, new: change.new))
        return BaseVotes.gap(leaf).map { $0 > .zero } ?? false
    }

    /// Whether a save was played since the snapshot that took another one back, and does not come from that one: most of the
    /// numbers that grow with every save, and at least two, are not beyond it, and nothing else in the save is as it was
    /// there. A game that had it in memory would still hold that.
    ///
    /// It is never so where the save is what was taken back, nor where more was taken back than was left, as by a reset.
    package func isSeen(in save: JSONDocument, since newest: JSONDocument, takenBack: JSONDocument) -> Bool {
        guard steady.count >= Self.places else { return false }
        let from = DocumentDiff(from: takenBack, to: save, rules: rules)
        let back = DocumentDiff(from: newest, to: save, rules: rules)
        guard !from.changes.isEmpty, BaseVotes([from, back], except: steady)[0].withoutNearness == 0 else {
            return false
        }
        let (gaps, values) = (gaps(from), back.changes)
        var (beyond, within) = (0, 0)
        for change in values where steady.contains(change.path) {
            guard let played = BaseVotes.gap(change), case .value(_, let new?) = change.change,
                case .number(let now)? = Ordinal(new, by: change.rule), let left = try? now.subtracting(played),
                case let gap = gaps[change.path] ?? .zero, gap < played,
                let taken = try? played.subtracting(gap)
            else { continue }
            guard taken <= left else { return false }
            if gap > .zero { beyond += 1 } else { within += 1 }
        }
        return within >= Self.places && within > beyond
    }

    private func gaps(_ diff: DocumentDiff) -> [DocumentPath: ExactDecimal] {
        diff.changes.reduce(into: [:]) { gaps, change in
            if steady.contains(change.path) { gaps[change.path] = BaseVotes.gap(change) }
        }
    }
}

extension HistoryEntry {
    /// Whether the step took something back: a reset, a restore or an undo. An undo of another machine comes in like its
    /// play, but what it changes is as it was before an earlier step.
    ///
    /// - Parameter steps: The steps before it, the newest first.
    package func isWayBack(after steps: some Sequence<HistoryEntry>) -> Bool {
        guard !changes.isEmpty else { return false }
        switch origin {
        case .reset, .restore, .undo: return true
        case .save, .adopt, .decision, .rules: return false
        case .merge:
            var values = Dictionary(changes.map { ($0.path, (now: $0.new, before: $0.old)) }) { first, _ in first }
            for step in steps {
                for change in step.changes {
                    guard let value = values.removeValue(forKey: change.path) else { continue }
                    guard value.now == change.old, value.before == change.new else { return false }
                }
                if values.isEmpty { return true }
            }
            return false
        }
    }
}
