import LosslessJSON

/// The choice among snapshots whose differences to the save are known: which one its game had read, see ``BaseChoice``.
struct SnapshotChoice {
    let index: Int
    let evidence: BaseChoice.Evidence
    /// The older snapshot, where a purse alone speaks for both it and the one chosen.
    let older: Int?
    /// An older snapshot, from before a reset, a restore or an undo, that lacks what the save lacks. The game may have read
    /// that one, and have removed nothing.
    let lacking: Int?

    /// - Parameter first: The snapshot that was in the file when the writing process started, if that is known.
    init(_ diffs: [DocumentDiff], from first: Int, _ sightings: BaseChoice.Sightings) {
        let groups = Self.equalSnapshots(diffs)
        guard groups.count > 1 else {
            self.init(index: diffs.count - 1, evidence: .snapshotsAgree)
            return
        }
        let reads = BaseReads(groups, sightings)
        let newest = groups.map { $0[$0.count - 1] }
        let possible = reads.withoutImpossible(newest)
        let choice = Self(diffs, from: first, sightings, reads, groups, among: possible)
        let since = possible.filter {
            $0 > choice.index && !sightings.playedAgain.contains($0) && !reads.isUnread($0)
        }
        if sightings.playedAgain.contains(choice.index), !since.isEmpty {
            let other = Self(diffs, from: first, sightings, reads, groups, among: since)
            self.init(index: other.index, evidence: .playedAgain)
            return
        }
        let isGuess = choice.evidence.certainty > .guess && reads.contentIsOfImpossible(newest, diffs)
        let evidence = isGuess ? .heldByUnread : choice.evidence
        self.init(index: choice.index, evidence: evidence, older: choice.older, lacking: choice.lacking)
    }

    /// A guess for a snapshot that hardly any game read, because it was in the file so shortly, is made once more without
    /// such snapshots, and so is a choice that rests on one place which the save has lower. Where that leads to a later
    /// one, and hardly anything speaks against it, that one is taken. The very number of the passing snapshot speaks
    /// against it where the rule says that the number never goes back: a game would lower it to just that by chance alone.
    ///
    /// - Parameter groups: Snapshots of equal content together; the newest of each stands for it.
    private init(
        _ diffs: [DocumentDiff], from first: Int, _ sightings: BaseChoice.Sightings, _ reads: BaseReads,
        _ groups: [[Int]], among distinct: [Int]
    ) {
        self.init(diffs, from: first, sightings, reads, among: distinct)
        let known = sightings.openedAfterSwap.union([0, first])
        let passing = groups.filter { $0.allSatisfy { sightings.passing.contains($0) && !known.contains($0) } }
            .map { $0[$0.count - 1] }
        let lasting = distinct.filter { !passing.contains($0) }
        guard older == nil, passing.contains(index), !lasting.isEmpty else { return }
        let other = Self(diffs, from: first, sightings, reads, among: lasting)
        guard evidence.certainty == .guess || Self.restsOnOnePlace(index, against: other.index, diffs),
            other.index > index, Self.isNoNearer(index, than: other.index, diffs),
            !Self.holdsItsNumber(of: index, loweredIn: other.index, diffs),
            Self.hardlySpeaks(for: index, against: other.index, diffs)
        else { return }
        let evidence = other.evidence.certainty == .guess ? other.evidence : .stoodLonger
        self.init(index: other.index, evidence: evidence, older: other.older, lacking: other.lacking)
    }

    private init(
        _ diffs: [DocumentDiff], from first: Int, _ sightings: BaseChoice.Sightings, _ reads: BaseReads,
        among distinct: [Int]
    ) {
        guard distinct.count > 1 else {
            self.init(index: distinct[0], evidence: .unread)
            return
        }
        var possible = Self.possible(distinct, diffs)
        // The snapshots that the processes around the file allow, also those that the save seems to contradict.
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
            if reads.opensTell, evidence.certainty == .guess,
                let newest = possible.last(where: { !outdated.contains($0) }),
                newest == opened, possible[winner] < newest,
                Self.hardlySpeaks(for: possible[winner], against: newest, diffs)
            {
                self.init(index: newest, evidence: .openedLast)
                return
            }
            if evidence.certainty == .guess, let newest = Self.newestInItsOrder(than: winner, possible, diffs),
                !reads.isUnread(newest), !outdated.contains(newest)
            {
                self.init(index: newest, evidence: .order)
                return
            }
            let old = Set(possible.indices.filter { outdated.contains(possible[$0]) })
            if old.contains(winner), let newest = possible.last(where: { !outdated.contains($0) }),
                votes[winner].restOnNewNumbers || votes[winner].presence == 0
                    || Self.restsOnWeakNumbers(possible[winner], against: newest, diffs)
            {
                // With the older snapshot as base, every change of the save would count as overridden by the epoch. So
                // the newest is taken, as a guess.
                let isRead = !reads.isUnread(possible[winner])
                let lacking = isRead && votes[winner].ofAbsence > 0 ? possible[winner] : nil
                self.init(index: newest, evidence: .undecided, lacking: lacking)
                return
            }
            if old.contains(winner), old.count < possible.count,
                votes[winner].mayHaveBegunAnew || diffs[possible[winner]].rulesSnapshotOut
            {
                self.init(index: possible[winner], evidence: .outdated)
                return
            }
            if let rival = Self.rivalOfPurse(winner, outdated: old, votes, possible, diffs) {
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
        let presence = winners.map { votes[$0].presence }
        if let most = presence.max(), let winner = winners.last, votes[winner].presence == most,
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

    /// Whether no number, list or object of the save is nearer to a snapshot than to a later one. Who takes a near amount
    /// for that of the later one counts what lies between the two once more. A number that is hardly nearer says nothing:
    /// whoever earns a lot comes a coin nearer to one of the two.
    private static func isNoNearer(_ snapshot: Int, than later: Int, _ diffs: [DocumentDiff]) -> Bool {
        let unclear = diffs[snapshot].numbersHardlyNearer(than: diffs[later], isOlder: true)
        return BaseVotes([diffs[snapshot], diffs[later]], except: unclear)[0].ofNearness == 0
    }

    /// Whether only a value or two speak for a snapshot against a later one, or what the save lacks, and the game would not
    /// have spent most of an amount had it read the later one.
    private static func hardlySpeaks(for snapshot: Int, against later: Int, _ diffs: [DocumentDiff]) -> Bool {
        let votes = BaseVotes([diffs[snapshot], diffs[later]])[0]
        return (votes.restOnLittle || votes.restOnAbsence) && !diffs[later].spendsMost
    }

    /// The snapshot for which a purse speaks nearly as well as for the winner, where nothing else tells the two apart: of
    /// all snapshots, or of those that everything but nearness speaks for alike.
    private static func rivalOfPurse(
        _ winner: Int, outdated: Set<Int>, _ votes: BaseVotes, _ possible: [Int], _ diffs: [DocumentDiff]
    ) -> Int? {
        if let rival = votes.rivalOfPurse(winner, outdated: outdated) { return rival }
        let equals = votes.indices.filter { votes[$0].withoutNearness == votes[winner].withoutNearness }
        guard equals.count > 1, equals.count < votes.indices.count, let place = equals.firstIndex(of: winner) else {
            return nil
        }
        let among = BaseVotes(equals.map { diffs[possible[$0]] })
        let old = Set(equals.indices.filter { outdated.contains(equals[$0]) })
        return among.winners == [place] ? among.rivalOfPurse(place, outdated: old).map { equals[$0] } : nil
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
        if votes[winner].restOnAbsence { return .lacking }
        if diffs[possible[winner]].rulesSnapshotOut, possible.contains(where: { !diffs[$0].rulesSnapshotOut }) {
            return evidenceThoughLowered(for: winner, of: possible, diffs)
        }
        if votes[winner].restOnNewNumbers { return .begunAnew }
        let nearer = BaseChoice.Evidence.nearer(votes: votes.most, against: votes.second)
        let isLast = winner == possible.count - 1
        return nearer.certainty > .guess && !isLast && votes[winner].restOnLittle ? .setBack : nearer
    }

    /// Whether a snapshot has more votes than another one only by numbers that are hardly nearer to the save's, or that
    /// the other one lacks and its game may have started over. What both of them hold says nothing between these, also
    /// where a third snapshot lacks it.
    private static func restsOnWeakNumbers(_ snapshot: Int, against other: Int, _ diffs: [DocumentDiff]) -> Bool {
        let unclear = diffs[snapshot].numbersHardlyNearer(than: diffs[other], isOlder: snapshot < other)
        let votes = BaseVotes([snapshot, other].map { diffs[$0] }, except: unclear)
        return votes[0].restOnNewNumbers || !unclear.isEmpty && votes[0].count <= votes[1].count
    }

    /// The newest snapshot, where hardly anything speaks for the older one against it, the save only adds to what it holds
    /// otherwise than the older one, and has its arrays in the same order, and not in the order of the older one; else
    /// `nil`. A game that had read the older one would have come by that order by chance. Where it did, measured against
    /// the newest nothing is lost: an element that was removed elsewhere is back. What the save changes in both alike says
    /// nothing about which one was read.
    private static func newestInItsOrder(than older: Int, _ possible: [Int], _ diffs: [DocumentDiff]) -> Int? {
        guard let newest = possible.last, newest != possible[older] else { return nil }
        let (here, there) = (diffs[newest], diffs[possible[older]])
        guard here.moves.isEmpty, !there.moves.isEmpty else { return nil }
        let alike = Set(there.changes)
        guard here.changes.allSatisfy({ $0.isAddition || alike.contains($0) }) else { return nil }
        return BaseVotes([there, here])[0].restOnLittle ? newest : nil
    }

    private init(index: Int, evidence: BaseChoice.Evidence, older: Int? = nil, lacking: Int? = nil) {
        (self.index, self.evidence, self.older, self.lacking) = (index, evidence, older, lacking)
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
}

extension DocumentDiff {
    /// Whether more than half of a counter's amount is gone.
    fileprivate var spendsMost: Bool {
        changes.contains { (change: LeafChange) -> Bool in
            guard change.rule.merge == .counter, case .value(let old?, let new) = change.change else { return false }
            guard new != nil else { return true }
            guard case .number(let held)? = Ordinal(old, by: change.rule), let gap = BaseVotes.gap(change),
                gap.isNegative,
                let twice = try? gap.magnitude.adding(gap.magnitude)
            else { return false }
            return held < twice
        }
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
