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
    /// numbers that grow with every save, and at least two, are not beyond it.
    package func isSeen(in save: JSONDocument, since newest: JSONDocument, takenBack: JSONDocument) -> Bool {
        guard steady.count >= Self.places else { return false }
        let (from, back) = (gaps(from: takenBack, to: save), gaps(from: newest, to: save))
        var (beyond, within) = (0, 0)
        for place in steady {
            let gap = from[place] ?? .zero
            guard gap < back[place] ?? .zero else { continue }
            if gap > .zero { beyond += 1 } else { within += 1 }
        }
        return within >= Self.places && within > beyond
    }

    private func gaps(from snapshot: JSONDocument, to save: JSONDocument) -> [DocumentPath: ExactDecimal] {
        DocumentDiff(from: snapshot, to: save, rules: rules).changes.reduce(into: [:]) { gaps, change in
            if steady.contains(change.path) { gaps[change.path] = BaseVotes.gap(change) }
        }
    }
}
