public import LosslessJSON

/// The choice of the merge base of a save: the snapshot of the file that the game had in memory when it wrote the save.
///
/// A *snapshot* is a content that the file had: the game's last save, or a later projection of the state. Games hold
/// their state in memory and overwrite what was projected meanwhile, so the last snapshot is not always the base of a
/// save. One base is chosen for the whole document, and ``evidence`` says how sure the choice is. What counts, in this
/// order:
///
/// 1. The start of the writing process, where the shell knows it: the process read the snapshot that stood then, or a
///    later one.
/// 2. Of snapshots of equal content only the newest is a candidate: what a reset or an undo left behind has the same
///    content as what stood before it, and stands for more. The newest may have its arrays in another order, which the
///    game may not have read. Where the save has the order of an older one of these snapshots, it says nothing about
///    order.
/// 3. A snapshot that holds more of a grow-only leaf than the save does was not read by the game, with two exceptions.
///    Where all other places speak for that snapshot, the game lowered that leaf, see ``SaveMeaning``. And where a
///    *purse* (a counter, when it is the only place that votes) leaves it open between the other snapshots and is
///    nearest to the newest snapshot, the newest is not ruled out. One such leaf alone, with nothing beside it, makes a
///    guess.
/// 4. A snapshot that nobody has opened was read by nobody, where the shell watched that, see `BaseReads`.
/// 5. The places in which the remaining snapshots differ vote, see `BaseVotes`. Where hardly anything speaks for an
///    older snapshot, and the save only adds to the newest and has its arrays in the order of that one, the newest is
///    taken.
/// 6. Where votes tie, an open of the file after the swap to a snapshot. Indexers and backup tools open files too, so
///    an open never stands against votes. It makes votes stronger where the shell knows that hardly anybody else opens
///    this file.
/// 7. Where the tied snapshots differ only in what the save removed, the oldest of them: what another machine changed
///    there meanwhile comes back, and that is a guess.
/// 8. Else the newest snapshot that has as many votes as any other. A snapshot from before a reset, a restore or an
///    undo needs more than weak numbers: numbers that the later snapshots lack, and that are hardly nearer to its own
///    than to zero. With these alone it has no more votes than a later snapshot: the game may have begun the numbers
///    anew, and all it wrote would be put aside. Where also a flag or two speak for it, it is the base, and that is a
///    guess.
///
/// Known limits, where nothing but numbers tells the snapshots apart (neither 1 nor 3 nor 4 applies):
/// - Where a purse is all that speaks and both readings are near, nothing is guessed: ``purse`` holds both. Where one
///   reading is far from the other (see `BaseVotes`), or the newer snapshot is the nearer and both readings earned or
///   both spent, the nearer one counts, as a guess.
/// - A game that reloaded and spent exactly what came in, or nearly that, looks like one that never reloaded.
/// - A game that never reloaded and earned exactly what came in, or nearly that, looks like one that did.
/// - A second game on the same file whose base fell out of the snapshots, because the first one saved since, is
///   measured against that save.
public struct BaseChoice: Sendable {
    /// Observations of the processes around a file, made by the shell; none by default.
    public struct Sightings: Hashable, Sendable {
        /// Index of the newest candidate that was in the file when the writing process started; `nil` where the process
        /// or its start is not known. Where that snapshot is no candidate any more, the index of the next one that
        /// still is. A number beyond the candidates counts as the nearest.
        public var startedAfter: Int?
        /// Indexes of the candidates during whose time in the file some process opened it. The game's own save, the
        /// first candidate, needs no opening; its index says nothing.
        public var openedAfterSwap: Set<Int>
        /// Indexes of the candidates from before a reset, a restore or an undo that is in force by now. They lose ties.
        public var outdated: Set<Int>
        /// Indexes of the candidates that are saves about which a person was asked, and which were not accepted: the
        /// file shows another state since. When such a save is chosen for its content, the choice is a guess.
        public var notAccepted: Set<Int>
        /// Indexes of the candidates that no other process has opened, from before the swap to them until now. The
        /// first candidate's index says nothing.
        public var unread: Set<Int>
        /// Whether the program that writes this file is known. Then a save that this program may have made was not
        /// copied here from another machine.
        public var isWriterKnown: Bool
        /// Whether snapshots of this file mostly stay unopened, so that a process that opens one is likely to be its
        /// game.
        public var opensTell: Bool

        /// Observations; none where nothing is given.
        public init(
            startedAfter: Int? = nil, openedAfterSwap: Set<Int> = [], outdated: Set<Int> = [],
            notAccepted: Set<Int> = [], unread: Set<Int> = [], isWriterKnown: Bool = false, opensTell: Bool = false
        ) {
            self.startedAfter = startedAfter
            self.openedAfterSwap = openedAfterSwap
            self.outdated = outdated
            self.notAccepted = notAccepted
            self.unread = unread
            self.isWriterKnown = isWriterKnown
            self.opensTell = opensTell
        }
    }

    /// The second of two readings of a save, where a purse alone tells them apart: the game had read the older of two
    /// snapshots, or the newer.
    public struct Purse: Sendable {
        /// Index of the older snapshot.
        public let older: Int
        /// The difference from the older snapshot to the save: what the game changed, had it read that snapshot.
        public let olderDiff: DocumentDiff
    }

    /// The index of the base among the candidates. Where ``purse`` is set, this is the newer of its two snapshots.
    public let base: Int
    /// The evidence for that base.
    public let evidence: Evidence
    /// The difference from that base to the save: what the game changed.
    public let diff: DocumentDiff
    /// Whether the game may not have read the order of arrays in the base. The save has its arrays in the order of an
    /// older snapshot of equal content, and nothing tells that the newer order was read. Then ``diff`` says of the
    /// order only where new elements stand, and the file is to get the rest of the newer order again.
    public let isOrderUnread: Bool
    /// The other possible base, where one counter is the only place that votes and fits two snapshots about equally:
    /// nobody can tell what the player earned or spent. `nil` where there is one reading only.
    public let purse: Purse?

    /// Whether another reading of the save would have been as good.
    public var isUndecided: Bool { evidence == .undecided }

    /// Chooses the base of a save.
    ///
    /// - Parameters:
    ///   - candidates: The last snapshot the game wrote, then every later projection, in order. Not empty.
    ///   - save: What the game wrote.
    ///   - rules: The rules in force.
    ///   - sightings: What was seen of processes. It rules snapshots out, or settles a tie.
    ///   - startedOver: Places at which the save starts over. What it holds there tells nothing of what its game had
    ///     read, and is not in ``diff``.
    /// - Complexity: At most one diff a candidate, each proportional to what differs; the votes are linear in those.
    public init(
        among candidates: [JSONDocument],
        for save: JSONDocument,
        rules: RuleSet,
        sightings: Sightings = Sightings(),
        startedOver: PathSelector? = nil
    ) {
        precondition(!candidates.isEmpty, "a base is chosen among at least one snapshot")
        let first = max(0, min(sightings.startedAfter ?? 0, candidates.count - 1))
        let diffs = candidates.map { candidate in
            let diff = DocumentDiff(from: candidate, to: save, rules: rules)
            return startedOver.map(diff.without) ?? diff
        }
        let choice = Choice(diffs, from: first, sightings)
        base = choice.index
        let chosen = diffs[choice.index]
        let moved = chosen.moves
        let isOrderRead = moved.isEmpty || sightings.openedAfterSwap.contains(choice.index)
        // The game may have moved something itself: it comes from the order of which it is the smaller change.
        let older =
            isOrderRead
            ? nil
            : diffs[..<choice.index].dropFirst(first).last {
                guard chosen.changes.isEmpty || $0.hasChanges(of: chosen) else { return false }
                let own = $0.moves
                return own != moved && own.allSatisfy { path, count in count <= moved[path] ?? 0 }
            }
        isOrderUnread = older != nil
        diff = older.map(chosen.ordered) ?? chosen
        purse = choice.older.map { Purse(older: $0, olderDiff: diffs[$0]) }
        let isGuessOfOrder = isOrderUnread && choice.evidence.certainty != .guess
        let isNotAccepted = sightings.notAccepted.contains(choice.index) && choice.evidence.isOfContent
        evidence =
            candidates.count == 1
            ? .onlySnapshot
            : isGuessOfOrder ? .olderOrder : isNotAccepted ? .notAccepted : choice.evidence
    }
}

/// The choice among snapshots whose differences to the save are known.
private struct Choice {
    let index: Int
    let evidence: BaseChoice.Evidence
    /// The older snapshot, where a purse alone speaks for both it and the one chosen.
    var older: Int?

    /// - Parameter first: The snapshot that stood when the writing process started, where that is known.
    init(_ diffs: [DocumentDiff], from first: Int, _ sightings: BaseChoice.Sightings) {
        let groups = Self.equalSnapshots(diffs)
        guard groups.count > 1 else {
            self.init(index: diffs.count - 1, evidence: .snapshotsAgree)
            return
        }
        let reads = BaseReads(groups, sightings)
        let distinct = groups.map { $0[$0.count - 1] }
        var possible = Self.possible(distinct, diffs)
        // What nothing that was seen of processes rules out, whatever the save lowered.
        var seen = distinct.filter { !reads.isUnread($0) }
        let since = possible.filter { $0 >= first }
        if first > 0, !since.isEmpty, !reads.speak(against: since, of: possible) {
            guard since.count > 1 else {
                self.init(index: since[0], evidence: .processStart)
                return
            }
            possible = since
            seen = seen.filter { $0 >= first }
        }
        // Otherwise the save does not come from what that process had read: another process wrote it, or it comes from
        // an older copy. All snapshots count.
        if let newest = Self.inForceThoughLowered(possible, seen, diffs, sightings) {
            self.init(index: newest, evidence: .contested)
            return
        }
        guard possible.count > 1 else {
            if sightings.outdated.contains(possible[0]), seen.contains(where: { !sightings.outdated.contains($0) }) {
                self.init(index: possible[0], evidence: .outdated)
                return
            }
            let evidence = Self.evidenceWhereAlone(possible[0], seen, diffs)
            self.init(index: possible[0], evidence: evidence, amongst: seen, diffs)
            return
        }
        switch reads.left(of: possible, diffs) {
        case .all: break
        case .some(let read):
            guard read.count > 1 else {
                self.init(index: read[0], evidence: .unread)
                return
            }
            possible = read
        case .purse(let newer, let older):
            self.init(index: newer, evidence: .undecided, older: older)
            return
        }
        self.init(votingAmong: possible, seen: seen, diffs, outdated: sightings.outdated, reads)
    }

    private init(
        votingAmong possible: [Int], seen: [Int], _ diffs: [DocumentDiff], outdated: Set<Int>, _ reads: BaseReads
    ) {
        let votes = BaseVotes(possible.map { diffs[$0] })
        guard votes.snapshotsDiffer else {
            self.init(index: possible[possible.count - 1], evidence: .snapshotsAgree)
            return
        }
        let opened = reads.lastOpened(of: possible)
        let winners = votes.winners
        if winners.count == 1 || votes.agreeInKept(winners) {
            let winner = winners[winners.count - 1]
            if reads.opensTell, possible[winner] == opened {
                self.init(index: possible[winner], evidence: .reopened)
                return
            }
            let evidence = Self.evidence(for: winner, of: possible, votes, diffs)
            if evidence == .setBack, let newest = Self.newestInItsOrder(than: winner, possible, diffs),
                !reads.isUnread(newest), !outdated.contains(newest)
            {
                self.init(index: newest, evidence: .order)
                return
            }
            let old = Set(possible.indices.filter { outdated.contains(possible[$0]) })
            if old.contains(winner), votes.restOnNewNumbers(winner) || votes.presence(of: winner) == 0,
                let newest = possible.last(where: { !outdated.contains($0) })
            {
                // Measured against the older snapshot, all that the save holds would be put aside.
                self.init(index: newest, evidence: .undecided)
                return
            }
            if old.contains(winner), old.count < possible.count,
                votes.mayHaveBegunAnew(since: winner) || diffs[possible[winner]].rulesSnapshotOut
            {
                self.init(index: possible[winner], evidence: .outdated)
                return
            }
            if let rival = votes.rivalOfPurse(winner, outdated: old) {
                if let lowered = Self.nearerThoughLowered(than: possible, seen, diffs) {
                    self.init(index: lowered.index, evidence: .contested, older: lowered.older)
                    return
                }
                self.init(
                    index: possible[max(winner, rival)], evidence: evidence, older: possible[min(winner, rival)])
            } else if let unlike = Self.unlikeInRemoved(winners.filter { !old.contains($0) }, votes) {
                // Measured against the newest, what another machine changed in what the save removed would be removed
                // with it, though this game may never have seen it.
                let read = unlike.map { possible[$0] }.last(where: reads.wasOpened)
                self.init(index: read ?? possible[unlike[0]], evidence: read == nil ? .removed : .opened)
            } else if reads.isUnread(possible[winner]) {
                // The content contradicts what was seen. The save is most likely a copy of another device's file, and
                // yet that is a guess.
                self.init(index: possible[winner], evidence: .unopened)
            } else {
                self.init(index: possible[winner], evidence: evidence, amongst: seen, diffs)
            }
            return
        }
        // Of tied snapshots the newest is taken if it alone shares most values with the save. A value that a snapshot and
        // the save both lack counts less, because the game may have removed it.
        let presence = winners.map { votes.presence(of: $0) }
        if let most = presence.max(), let winner = winners.last, votes.presence(of: winner) == most,
            presence.filter({ $0 == most }).count == 1
        {
            self.init(index: possible[winner], evidence: .nearer(votes: votes.most, against: votes.most))
            return
        }
        if let index = winners.map({ possible[$0] }).last(where: reads.wasOpened) {
            self.init(index: index, evidence: reads.opensTell && index == opened ? .reopened : .opened)
        } else {
            let newest = winners.last { !outdated.contains(possible[$0]) } ?? winners[winners.count - 1]
            self.init(index: possible[newest], evidence: .undecided)
        }
    }

    /// The snapshots in force that have most votes, the oldest first, where they differ in what the save removed; `nil`
    /// where they do not.
    private static func unlikeInRemoved(_ winners: [Int], _ votes: BaseVotes) -> [Int]? {
        winners.count > 1 && !votes.agree(winners) ? winners : nil
    }

    /// The evidence that the votes give. A game that plays on comes back more easily to a value of an earlier snapshot
    /// than to one of the newest, and may add an element again that was removed: a choice by so little is a guess. A
    /// grow-only leaf that the save lowered, had its game read the snapshot, does not speak for that snapshot as well.
    private static func evidence(
        for winner: Int, of possible: [Int], _ votes: BaseVotes, _ diffs: [DocumentDiff]
    ) -> BaseChoice.Evidence {
        if votes.restOnAbsence(winner) { return .lacking }
        if diffs[possible[winner]].rulesSnapshotOut, possible.contains(where: { !diffs[$0].rulesSnapshotOut }) {
            return evidenceThoughLowered(for: winner, of: possible, diffs)
        }
        if votes.restOnNewNumbers(winner) { return .begunAnew }
        let nearer = BaseChoice.Evidence.nearer(votes: votes.most, against: votes.second)
        let isLast = winner == possible.count - 1
        return nearer.certainty > .guess && !isLast && votes.restOnLittle(winner) ? .setBack : nearer
    }

    /// The newest snapshot, where the save only adds to it and has its arrays in the same order, and not in the order of
    /// the older one that was chosen; else `nil`. A game that had read the older one would have come by that order by
    /// chance. Where it did, measured against the newest nothing is lost: an element that was removed elsewhere is back.
    private static func newestInItsOrder(than older: Int, _ possible: [Int], _ diffs: [DocumentDiff]) -> Int? {
        guard let newest = possible.last, newest != possible[older], diffs[newest].moves.isEmpty,
            !diffs[possible[older]].moves.isEmpty, diffs[newest].changes.allSatisfy(\.isAddition)
        else { return nil }
        return newest
    }

    private static func evidenceThoughLowered(
        for winner: Int, of possible: [Int], _ diffs: [DocumentDiff]
    ) -> BaseChoice.Evidence {
        let votes = BaseVotes(
            possible.map { diffs[$0] }, except: Set(diffs[possible[winner]].lostItems.map(\.path)))
        let rivals = possible.indices.filter { $0 != winner }.map(votes.count(of:)).max() ?? 0
        // Against so little the lowered place counts as a value in which the snapshot and the save differ.
        let lowered = votes.restOnLittle(winner) ? BaseVotes.equal : 0
        return .nearer(votes: votes.count(of: winner), against: max(rivals, lowered))
    }

    /// The newest snapshot since a reset, a restore or an undo, where all that is left are snapshots from before it, or
    /// saves that were not accepted. It must have been ruled out for a grow-only leaf, and nothing that the save holds
    /// may speak more for one of the others; else `nil`. Measured against the others, all that was played would be put
    /// aside, or what was not accepted would be taken off what there is.
    private static func inForceThoughLowered(
        _ possible: [Int], _ seen: [Int], _ diffs: [DocumentDiff], _ sightings: BaseChoice.Sightings
    ) -> Int? {
        let formers = sightings.outdated.union(sightings.notAccepted)
        guard possible.allSatisfy(formers.contains), let newest = seen.last(where: { !formers.contains($0) })
        else { return nil }
        let votes = BaseVotes(
            (possible + [newest]).map { diffs[$0] }, except: Set(diffs[newest].lostItems.map(\.path)))
        // A game that goes on from a save that was not accepted still lacks what that save lacked.
        let rivals = possible.indices.map { index in
            sightings.outdated.contains(possible[index]) ? votes.presence(of: index) : votes.count(of: index)
        }
        return votes.count(of: possible.count) >= rivals.max() ?? 0 ? newest : nil
    }

    /// The newest snapshot, where a purse leaves it open which of the possible snapshots was read. It must have been
    /// ruled out for a grow-only leaf, and the purse alone must be nearest to it, or all that the save holds must speak
    /// for it; else `nil`. Asking about the others would offer the player two amounts of which neither is the one in the
    /// save. `older` is the snapshot that the purse speaks for nearly as well.
    private static func nearerThoughLowered(
        than possible: [Int], _ seen: [Int], _ diffs: [DocumentDiff]
    ) -> (index: Int, older: Int?)? {
        guard let newest = seen.last, newest > possible[possible.count - 1] else { return nil }
        let snapshots = possible + [newest]
        let votes = BaseVotes(snapshots.map { diffs[$0] }, except: Set(diffs[newest].lostItems.map(\.path)))
        let (here, others) = (possible.count, possible.indices.map { votes.presence(of: $0) }.max() ?? 0)
        guard votes.winners == [here] || votes.presence(of: here) > others else { return nil }
        return (newest, votes.rivalOfPurse(here, outdated: []).map { snapshots[$0] })
    }

    private init(index: Int, evidence: BaseChoice.Evidence, older: Int? = nil) {
        (self.index, self.evidence, self.older) = (index, evidence, older)
    }

    /// Makes a choice that is no guess contested, where more places speak for a snapshot that was ruled out.
    private init(index: Int, evidence: BaseChoice.Evidence, amongst snapshots: [Int], _ diffs: [DocumentDiff]) {
        let isContested = evidence.certainty > .guess && Self.isContested(index, snapshots, diffs)
        self.init(index: index, evidence: isContested ? .contested : evidence)
    }

    /// Groups of snapshots of equal content: they differ from the save in the same way, and so not from each other.
    /// Each group ascends; the groups stand in the order of their newest snapshot.
    private static func equalSnapshots(_ diffs: [DocumentDiff]) -> [[Int]] {
        guard diffs.count > 1 else { return [[0]] }
        struct Content: Hashable {
            let changes: Set<LeafChange>
            let removed: [DocumentPath: Set<LeafChange>]
        }
        var groups: [Content: [Int]] = [:]
        for (index, diff) in diffs.enumerated() {
            let content = Content(changes: Set(diff.changes), removed: diff.removedContents)
            groups[content, default: []].append(index)
        }
        return groups.values.sorted { $0[$0.count - 1] < $1[$1.count - 1] }
    }

    /// The snapshots that the game can have read: those that hold no more of a grow-only leaf than the save, and those
    /// for which every other place speaks. All snapshots where none is of the first sort.
    private static func possible(_ snapshots: [Int], _ diffs: [DocumentDiff]) -> [Int] {
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
    private static func isContested(_ chosen: Int, _ snapshots: [Int], _ diffs: [DocumentDiff]) -> Bool {
        guard snapshots.count > 1, let index = snapshots.firstIndex(of: chosen) else { return false }
        let votes = BaseVotes(snapshots.map { diffs[$0] })
        return snapshots.indices.contains { other in
            votes.count(of: other) > votes.count(of: index)
                || votes.presence(of: other) > max(votes.presence(of: index), BaseVotes.nearer)
                || other != index && votes.presence(of: other) >= max(votes.count(of: index), BaseVotes.equal)
                || diffs[snapshots[other]].rulesSnapshotOut
                    && holdsMore(of: diffs[snapshots[other]], than: diffs[chosen])
        }
    }

    /// The evidence for a snapshot that alone is left, where the others are ruled out by what the save lowered. Where a
    /// later one is ruled out by a single place, and nothing else that the save holds speaks for this snapshot but a
    /// number that is near, the game may also have read the later one, and lowered that place.
    private static func evidenceWhereAlone(
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
        return votes.presence(of: index) < BaseVotes.equal ? .onePlaceLowered : .othersRuledOut
    }

    /// Whether the chosen snapshot is left only for lacking, as the save does, what the others hold, and nothing that
    /// the save holds speaks for it. The game may have read one of the others, and removed what is lacking.
    private static func restsOnAbsence(_ chosen: Int, _ snapshots: [Int], _ diffs: [DocumentDiff]) -> Bool {
        guard snapshots.count > 1, let index = snapshots.firstIndex(of: chosen) else { return false }
        let votes = BaseVotes(snapshots.map { diffs[$0] })
        return votes.restOnAbsence(index) && votes.presence(of: index) == 0
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
        return votes.count(of: 1) + shared * BaseVotes.equal
            > votes.presence(of: 0) + held(chosen, not: ruledOut) * BaseVotes.equal
    }

    /// Whether the other places speak for a snapshot, though the save would have lowered or removed some places of it.
    /// Their votes must be as many as these places, more than a number that is near and no gain, and hardly any may be
    /// for another snapshot. Where the save agrees with another snapshot about such a place, the save comes from that
    /// one.
    private static func speaksOtherwise(for index: Int, _ diffs: [DocumentDiff], _ holding: [Int]) -> Bool {
        let lost = diffs[index].lostItems
        for other in holding where !lost.isSubset(of: diffs[other].changedItems) { return false }
        let votes = BaseVotes(diffs, except: Set(lost.map(\.path)))
        let (count, others) = (votes.count(of: index), holding.map { votes.count(of: $0) }.max() ?? 0)
        guard count >= lost.count, count > 4 * others else { return false }
        return count >= BaseVotes.equal || diffs[index].changes.contains(where: \.isGain)
    }
}

extension LeafChange {
    /// Whether the save only holds more there than the snapshot: nothing of the snapshot is gone or another.
    fileprivate var isAddition: Bool {
        switch change {
        case .value(nil, _?), .elementAppeared, .elementTouched: true
        case .elements(_, let removed): removed.isEmpty
        default: false
        }
    }
}
