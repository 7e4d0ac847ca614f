import LosslessJSON

extension BaseChoice {
    /// The places that lose something if a guess is wrong: measured against the snapshot that is next best, a counter
    /// would rise further, or fall less, or what another machine wrote would not be overwritten. What another machine
    /// wrote in between is overwritten only if the guess is a newer snapshot than that one.
    ///
    /// Snapshots that no process has opened, and those from before a reset, are not looked at.
    ///
    /// - Complexity: O(changes) for the votes of all snapshots, and for the comparison with each that is next best.
    static func losses(
        by base: Int, _ diffs: [DocumentDiff], _ sightings: Sightings, from first: Int
    ) -> Set<DocumentPath> {
        let others = diffs.indices.filter { index in
            index != base && (index >= first || base < first) && !sightings.unread.contains(index)
                && !sightings.outdated.contains(index) && !diffs[index].hasChanges(of: diffs[base])
        }
        let votes = BaseVotes((others + [base]).map { diffs[$0] })
        guard let most = others.indices.map({ votes[$0].count }).max() else { return [] }
        return others.indices.reduce(into: []) { places, index in
            guard votes[index].count == most else { return }
            let other = diffs[others[index]]
            places.formUnion(diffs[base].lowerAmounts(than: other))
            if others[index] < base { places.formUnion(diffs[base].overwritten(beside: other)) }
        }
    }
}

extension DocumentDiff {
    /// The counters that rise less, or fall further, than by another difference to the same save.
    fileprivate func lowerAmounts(than other: DocumentDiff) -> [DocumentPath] {
        let (own, others) = (raises, other.raises)
        return Set(own.keys).union(others.keys).filter { path in
            (own[path] ?? .zero) < (others[path] ?? .zero)
        }
    }

    /// What was earned at each counter that the save holds or, below zero, spent. A counter that appeared began at zero.
    private var raises: [DocumentPath: ExactDecimal] {
        var result: [DocumentPath: ExactDecimal] = [:]
        for change in changes where change.rule.merge == .counter {
            if case .value(nil, let new?) = change.change, case .number(let amount)? = Ordinal(new, by: change.rule) {
                result[change.path] = amount
            } else {
                result[change.path] = BaseVotes.gap(change)
            }
        }
        return result
    }

    /// The places of the snapshot that the save has otherwise or lacks, and has as in an older snapshot: the values there
    /// came from elsewhere since. Places that only grow keep them, and counters are added up.
    ///
    /// - Parameter other: The difference from the older snapshot.
    fileprivate func overwritten(beside other: DocumentDiff) -> Set<DocumentPath> {
        let gone = topmostGone
        let (before, goneBefore) = (other.changedItems, other.topmostGone)
        var places = gone.subtracting(goneBefore)
        for change in changes where change.path.nearest(in: gone) == nil {
            switch change.change {
            case .value(.some, _) where !change.rule.isGrowOnly && change.rule.merge != .counter:
                if !before.contains(Item(path: change.path)) { places.insert(change.path) }
            case .elements(_, let removed) where change.rule.merge == .set:
                if !removed.allSatisfy({ before.contains(Item(path: change.path, element: $0)) }) {
                    places.insert(change.path)
                }
            default: continue
            }
        }
        return places
    }
}
