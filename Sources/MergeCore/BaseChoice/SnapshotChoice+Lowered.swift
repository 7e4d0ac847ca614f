import LosslessJSON

/// Which snapshots the game can have read though its save lowered grow-only leaves of them.
extension SnapshotChoice {
    /// The snapshots that the game can have read: those that hold no more of a grow-only leaf than the save, and those
    /// for which every other place speaks. All snapshots where none is of the first sort.
    static func possible(_ snapshots: [Int], _ diffs: [DocumentDiff]) -> [Int] {
        let diffs = snapshots.map { diffs[$0] }
        let holding = diffs.indices.filter { !diffs[$0].rulesSnapshotOut }
        guard !holding.isEmpty, holding.count < snapshots.count else { return snapshots }
        return diffs.indices.filter { index in
            !diffs[index].rulesSnapshotOut || speaksOtherwise(for: index, diffs, holding)
        }.map { snapshots[$0] }
    }

    /// Whether a snapshot that was ruled out may be the base all the same: more places speak for it than for the chosen
    /// one, or more of what the save holds, or as much of that as speaks for the chosen one at all. The game may have
    /// read that snapshot, and lowered or removed a place or two.
    static func isContested(_ chosen: Int, _ snapshots: [Int], _ diffs: [DocumentDiff]) -> Bool {
        guard snapshots.count > 1, let index = snapshots.firstIndex(of: chosen) else { return false }
        let votes = BaseVotes(snapshots.map { diffs[$0] })
        return snapshots.indices.contains { other in
            votes[other].count > votes[index].count
                || votes[other].presence > max(votes[index].presence, BaseVotes.nearer)
                || other != index && votes[other].presence >= max(votes[index].count, BaseVotes.equal)
                || diffs[snapshots[other]].rulesSnapshotOut
                    && holdsMore(of: diffs[snapshots[other]], than: diffs[chosen])
        }
    }

    /// The evidence for a snapshot that alone is left, where the others are ruled out by what the save lowered. Where a
    /// later one is ruled out by a single place, and nothing else that the save holds speaks for this snapshot but a
    /// number that is near, the game may also have read the later one, and lowered that place.
    static func evidenceWhereAlone(
        _ chosen: Int, _ seen: [Int], _ diffs: [DocumentDiff]
    ) -> BaseChoice.Evidence {
        if isContested(chosen, seen, diffs) { return .othersRuledOut }
        if restsOnAbsence(chosen, seen, diffs) { return .lacking }
        let later = seen.filter { $0 > chosen && diffs[$0].rulesSnapshotOut }
        guard let index = seen.firstIndex(of: chosen), chosen != seen.last,
            later.contains(where: { diffs[$0].lostThings == 1 })
        else { return .othersRuledOut }
        let lowered = Set(later.flatMap { diffs[$0].lostItems.map(\.path) })
        let votes = BaseVotes(seen.map { diffs[$0] }, except: lowered)
        return votes[index].presence < BaseVotes.equal ? .onePlaceLowered : .othersRuledOut
    }

    /// Whether one place alone, which the save lowered, rules out another snapshot, and nothing else that the save holds
    /// speaks for the chosen one against that but numbers that are near.
    static func restsOnOnePlace(_ chosen: Int, against other: Int, _ diffs: [DocumentDiff]) -> Bool {
        guard diffs[other].lostThings == 1 else { return false }
        let lowered = Set(diffs[other].lostItems.map(\.path))
        return BaseVotes([diffs[chosen], diffs[other]], except: lowered)[0].presence < BaseVotes.equal
    }

    /// Whether the save has a number of a record just as a snapshot has it, and short of another one's: lower, or higher where
    /// the rule is `min`.
    static func holdsItsNumber(of snapshot: Int, loweredIn other: Int, _ diffs: [DocumentDiff]) -> Bool {
        let changed = Set(diffs[snapshot].changes.map(\.path))
        return diffs[other].changes.contains { change in
            guard change.lostPlace, case .value(_, .number?) = change.change else { return false }
            return !changed.contains(change.path)
        }
    }

    /// Whether the chosen snapshot is left only for lacking, as the save does, what the others hold, and nothing that
    /// the save holds speaks for it. The game may have read one of the others, and removed what is lacking.
    private static func restsOnAbsence(_ chosen: Int, _ snapshots: [Int], _ diffs: [DocumentDiff]) -> Bool {
        guard snapshots.count > 1, let index = snapshots.firstIndex(of: chosen) else { return false }
        let votes = BaseVotes(snapshots.map { diffs[$0] })
        return votes[index].restOnAbsence && votes[index].presence == 0
    }

    /// Whether the save holds, with whatever values, more of what only the ruled-out snapshot holds than speaks for the
    /// chosen one. What the save and the chosen snapshot both lack does not speak for that snapshot: the game may have
    /// removed it.
    private static func holdsMore(of ruledOut: DocumentDiff, than chosen: DocumentDiff) -> Bool {
        func held(_ diff: DocumentDiff, not other: DocumentDiff) -> Int {
            other.newPlaces.count { $0.nearest(in: diff.newPlaces) == nil }
        }
        let shared = held(ruledOut, not: chosen)
        guard shared > 0 else { return false }
        let votes = BaseVotes([chosen, ruledOut], except: Set(ruledOut.lostItems.map(\.path)))
        return votes[1].count + shared * BaseVotes.equal
            > votes[0].presence + held(chosen, not: ruledOut) * BaseVotes.equal
    }

    /// Whether the other places speak for a snapshot, though the save would have lowered or removed some places of it.
    /// Against each other snapshot, their votes must be as many as these places, more than a number that is near and no
    /// gain, and hardly any may be for that other one. (Of three snapshots, a place in which two are the same says nothing
    /// between these.) A number that is hardly nearer to that other one does not speak against the snapshot. Where the save
    /// agrees with another snapshot about such a place, the save comes from that one.
    private static func speaksOtherwise(for index: Int, _ diffs: [DocumentDiff], _ holding: [Int]) -> Bool {
        let lost = diffs[index].lostItems
        let paths = Set(lost.map(\.path))
        let gains = diffs[index].changes.contains(where: \.isGain)
        return holding.allSatisfy { other in
            guard lost.isSubset(of: diffs[other].changedItems) else { return false }
            let unclear = diffs[other].numbersHardlyNearer(than: diffs[index], isOlder: other < index)
            let votes = BaseVotes([index, other].sorted().map { diffs[$0] }, except: paths.union(unclear))
            let (count, against) = index < other ? (votes[0].count, votes[1].count) : (votes[1].count, votes[0].count)
            return count >= lost.count && count > 4 * against && (count >= BaseVotes.equal || gains)
        }
    }

    static func evidenceThoughLowered(
        for winner: Int, of possible: [Int], _ diffs: [DocumentDiff]
    ) -> BaseChoice.Evidence {
        let votes = BaseVotes(
            possible.map { diffs[$0] }, except: Set(diffs[possible[winner]].lostItems.map(\.path)))
        let rivals = possible.indices.filter { $0 != winner }.map { votes[$0].count }.max() ?? 0
        // Against so little the lowered place counts as a value in which the snapshot and the save differ.
        let lowered = votes[winner].restOnLittle ? BaseVotes.equal : 0
        return .nearer(votes: votes[winner].count, against: max(rivals, lowered))
    }

    /// The newest snapshot since a reset, a restore or an undo, where all that is left are snapshots from before it, or
    /// saves that were not accepted. It must have been ruled out for a grow-only leaf, and nothing that the save holds
    /// may speak more for one of the others; else `nil`. Measured against the others, all that was played would be put
    /// aside, or what was not accepted would be taken off what there is.
    static func inForceThoughLowered(
        _ possible: [Int], _ seen: [Int], _ diffs: [DocumentDiff], _ sightings: BaseChoice.Sightings
    ) -> Int? {
        let formers = sightings.outdated.union(sightings.notAccepted)
        guard possible.allSatisfy(formers.contains), let newest = seen.last(where: { !formers.contains($0) })
        else { return nil }
        let votes = BaseVotes(
            (possible + [newest]).map { diffs[$0] }, except: Set(diffs[newest].lostItems.map(\.path)))
        // A game that goes on from a save that was not accepted still lacks what that save lacked.
        let rivals = possible.indices.map { index in
            sightings.outdated.contains(possible[index]) ? votes[index].presence : votes[index].count
        }
        return votes[possible.count].count >= rivals.max() ?? 0 ? newest : nil
    }

    /// The newest snapshot, if a purse cannot decide which of the possible snapshots was read. It must have been ruled
    /// out for a grow-only leaf, and the purse alone must be nearest to it, or all that the save holds must speak for
    /// it; else `nil`. A question about the others would offer the player two amounts, and neither would be the one in
    /// the save. `older` is the snapshot for which the purse speaks nearly as well.
    static func nearerThoughLowered(
        than possible: [Int], _ seen: [Int], _ diffs: [DocumentDiff]
    ) -> (index: Int, older: Int?)? {
        guard let newest = seen.last, newest > possible[possible.count - 1] else { return nil }
        let snapshots = possible + [newest]
        let votes = BaseVotes(snapshots.map { diffs[$0] }, except: Set(diffs[newest].lostItems.map(\.path)))
        let (here, others) = (possible.count, possible.indices.map { votes[$0].presence }.max() ?? 0)
        guard votes.winners == [here] || votes[here].presence > others else { return nil }
        return (newest, votes.rivalOfPurse(here, outdated: []).map { snapshots[$0] })
    }
}
