package import LosslessJSON

/// Recognises a game that was set back, by a restore, a reset or an undo, and plays the same stretch again.
///
/// On its way it comes by the same values, such as the same day or the same number of saves, so that by its content its save
/// fits best what was taken back. But a game that had read that would have gone beyond it, in the numbers that have grown
/// with every save so far: those tell the two apart.
package struct PlayedAgain {
    /// The places of numbers that have grown from each snapshot to the next.
    private let steady: Set<DocumentPath>
    private let rules: RuleSet

    /// The number of snapshots that it takes to see that a number grows with every save.
    private static let enough = 3
    /// The number of such places that must speak against a snapshot: a purse that has only grown so far may be spent.
    private static let places = 2

    /// - Parameters:
    ///   - snapshots: The contents of the file up to what was taken back, the oldest first.
    ///   - rules: The rules in force.
    /// - Complexity: O(differences between the snapshots).
    package init(_ snapshots: [JSONDocument], rules: RuleSet) {
        self.rules = rules
        guard snapshots.count >= Self.enough else {
            steady = []
            return
        }
        var steady: Set<DocumentPath>?
        for (former, next) in zip(snapshots, snapshots.dropFirst()) {
            let grown = DocumentDiff(from: former, to: next, rules: rules).changes.filter {
                BaseVotes.gap($0).map { !$0.isNegative && !$0.isZero } ?? false
            }
            let places = Set(grown.map(\.path))
            steady = steady?.intersection(places) ?? places
            if steady?.isEmpty == true { break }
        }
        self.steady = steady ?? []
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
