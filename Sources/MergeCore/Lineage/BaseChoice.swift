public import LosslessJSON

/// Which image of the file a game had in memory when it wrote a save.
///
/// Games hold their state in memory and overwrite what was projected meanwhile, so the last image is not always the
/// base of a save. The choice is made once for the whole document, and it says how sure it is. What counts, in this
/// order:
///
/// 1. When the writing process started, where the shell knows that: it read the image that stood then, or a later one.
/// 2. Of images of equal content only the newest is a candidate: what a reset or an undo left behind has the same
///    content as what stood before it, and stands for more. Where its arrays stand in another order, which its writer
///    may not have read, and the save has them as an older one of these: the save says nothing about order.
/// 3. An image that holds more of a leaf that only grows than the save does was not read by its writer, unless all
///    other places speak for that image: then the game lowered that leaf, see ``SaveMeaning``. Nor is the newest image
///    ruled out where a purse is all that speaks, leaves it open between the other images, and is nearest to that one.
/// 4. An image that nobody has opened nobody has read, where the shell watched that, see `BaseReads`.
/// 5. The places in which the remaining images differ vote, see `BaseVotes`.
/// 6. Where votes tie, an open of the file after the swap to an image. Indexers and backup tools open files too, so an
///    open never stands against votes; it strengthens them where the shell knows that hardly anybody else opens this
///    file.
/// 7. Else the newest image that has as many votes as any other. An image from before a reset, a restore or an undo for
///    which nothing speaks but numbers that the later images lack, and that are hardly nearer to its own than to
///    nothing, has no more votes than those: the game may have begun them anew, and all it wrote would be put aside.
///    Where a flag or two speak for it beside those, it is the base, and that is a guess.
///
/// Known limits, where nothing but numbers tells the images apart (neither 1 nor 3 nor 4 applies):
/// - Where a single purse is all that speaks and both readings are near, nothing is guessed: ``purse`` holds both.
///   Where one is far from the other (see `BaseVotes`), or the newer image is the nearer and both readings earned or
///   both spent, the nearer one counts, as a guess.
/// - A game that reloaded and spent exactly what came in, or nearly that, looks like one that never reloaded.
/// - A game that never reloaded and earned exactly what came in, or nearly that, looks like one that did.
/// - A second game on the same file whose base fell out of the images, because the first one saved since, is measured
///   against that save.
public struct BaseChoice: Sendable {
    /// What the shell has seen of the processes around a file; nothing by default.
    public struct Sightings: Hashable, Sendable {
        /// Index of the newest candidate that stood in place when the writing process started; `nil` where the process
        /// or its start is not known. Where that image is no candidate any more, the next one that still is. A number
        /// beyond the candidates counts as the nearest.
        public var startedAfter: Int?
        /// Indexes of the candidates during whose time in place some process opened the file. The game's own save, the
        /// first candidate, needs no opening; its index says nothing.
        public var openedAfterSwap: Set<Int>
        /// Indexes of the candidates from before a reset, a restore or an undo that is in force by now. They lose ties.
        public var outdated: Set<Int>
        /// Indexes of the candidates that are saves which were asked about and not accepted: the file shows another state
        /// since. One that stays the base for what is in the save is a guess.
        public var notAccepted: Set<Int>
        /// Indexes of the candidates that no other process has opened, from before the swap to them until now. The
        /// first candidate's index says nothing.
        public var unread: Set<Int>
        /// Whether the program that writes this file is known: a save that it may have made was not copied here from
        /// another machine.
        public var isWriterKnown: Bool
        /// Whether images of this file mostly stand unopened, so that whoever opens one is likely to be its game.
        public var opensTell: Bool

        /// What was seen; nothing where nothing is given.
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

    /// Two readings of a save that only a purse tells apart: the game had read the older of two images, or the newer.
    public struct Purse: Sendable {
        /// Index of the older image.
        public let older: Int
        /// What the game changed, had it read the older image.
        public let olderDiff: DocumentDiff
    }

    /// Index into the candidates. Where ``purse`` is set, that of the newer of its two images.
    public let base: Int
    /// Why that one.
    public let evidence: Evidence
    /// What the game changed, against that base.
    public let diff: DocumentDiff
    /// The save has its arrays in the order of an older image of equal content, and nothing tells that the newer order
    /// was read: ``diff`` says of the order only where new elements stand, and the file is to get the rest of it again.
    public let isOrderUnread: Bool
    /// A single counter is all that speaks, and it speaks for two images: nobody can tell what the player earned or
    /// spent. `nil` where the choice is one.
    public let purse: Purse?

    /// Whether another reading of the save would have been as good.
    public var isUndecided: Bool { evidence == .undecided }

    /// - Parameters:
    ///   - candidates: The last image the game wrote, then every later projection, in order. Not empty.
    ///   - save: What the game wrote.
    ///   - rules: The rules in force.
    ///   - sightings: What else is known. It rules images out, or settles a tie.
    /// - Complexity: At most one diff a candidate, each proportional to what differs; the votes are linear in those.
    public init(
        among candidates: [JSONDocument],
        for save: JSONDocument,
        rules: RuleSet,
        sightings: Sightings = Sightings()
    ) {
        precondition(!candidates.isEmpty, "a base is chosen among at least one image")
        let first = max(0, min(sightings.startedAfter ?? 0, candidates.count - 1))
        let diffs = candidates.map { DocumentDiff(from: $0, to: save, rules: rules) }
        let choice = Choice(diffs, from: first, sightings)
        base = choice.index
        let chosen = diffs[choice.index]
        let isOrderRead = chosen.keepsOrder || sightings.openedAfterSwap.contains(choice.index)
        let older = isOrderRead ? nil : diffs[..<choice.index].dropFirst(first).last {
            $0.keepsOrder && (chosen.changes.isEmpty || $0.hasChanges(of: chosen))
        }
        isOrderUnread = older != nil
        diff = older.map(chosen.ordered) ?? chosen
        purse = choice.older.map { Purse(older: $0, olderDiff: diffs[$0]) }
        let isGuessOfOrder = isOrderUnread && choice.evidence.certainty != .guess
        let isNotAccepted = sightings.notAccepted.contains(choice.index) && choice.evidence.isOfContent
        evidence = candidates.count == 1 ? .onlyImage
            : isGuessOfOrder ? .olderOrder : isNotAccepted ? .notAccepted : choice.evidence
    }
}

/// The choice among images whose differences to the save are known.
private struct Choice {
    let index: Int
    let evidence: BaseChoice.Evidence
    /// The older image, where a purse alone speaks for both it and the one chosen.
    var older: Int?

    /// - Parameter first: The image that stood when the writing process started, where that is known.
    init(_ diffs: [DocumentDiff], from first: Int, _ sightings: BaseChoice.Sightings) {
        let groups = Self.equalImages(diffs)
        guard groups.count > 1 else {
            self.init(index: diffs.count - 1, evidence: .imagesAgree)
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
        // Else not written by what that process had read: by another one, or from an older copy. All images count.
        if let newest = Self.inForceThoughLowered(possible, seen, diffs, sightings) {
            self.init(index: newest, evidence: .contested)
            return
        }
        guard possible.count > 1 else {
            if sightings.outdated.contains(possible[0]), seen.contains(where: { !sightings.outdated.contains($0) }) {
                self.init(index: possible[0], evidence: .outdated)
                return
            }
            let isOfAbsence = Self.restsOnAbsence(possible[0], seen, diffs)
                && !Self.isContested(possible[0], seen, diffs)
            self.init(index: possible[0], evidence: isOfAbsence ? .lacking : .othersRuledOut, amongst: seen, diffs)
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
        guard votes.imagesDiffer else {
            self.init(index: possible[possible.count - 1], evidence: .imagesAgree)
            return
        }
        let opened = reads.lastOpened(of: possible)
        let winners = votes.winners
        if winners.count == 1 || votes.agree(winners) {
            let winner = winners[winners.count - 1]
            if reads.opensTell, possible[winner] == opened {
                self.init(index: possible[winner], evidence: .reopened)
                return
            }
            let evidence = Self.evidence(for: winner, of: possible, votes, diffs)
            let old = Set(possible.indices.filter { outdated.contains(possible[$0]) })
            if old.contains(winner), votes.restOnNewNumbers(winner) || votes.presence(of: winner) == 0,
                let newest = possible.last(where: { !outdated.contains($0) })
            {
                // Measured against the older image, all of it would be put aside.
                self.init(index: newest, evidence: .undecided)
                return
            }
            if old.contains(winner), old.count < possible.count, votes.mayHaveBegunAnew(since: winner) {
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
            } else if reads.isUnread(possible[winner]) {
                // Content against what was seen: most likely a copy of another device's file, and yet a guess.
                self.init(index: possible[winner], evidence: .unopened)
            } else {
                self.init(index: possible[winner], evidence: evidence, amongst: seen, diffs)
            }
            return
        }
        if let index = winners.map({ possible[$0] }).last(where: reads.wasOpened) {
            self.init(index: index, evidence: reads.opensTell && index == opened ? .reopened : .opened)
        } else {
            let newest = winners.last { !outdated.contains(possible[$0]) } ?? winners[winners.count - 1]
            self.init(index: possible[newest], evidence: .undecided)
        }
    }

    /// How sure the votes are. A game that plays on comes back to a value that an earlier image held more easily than to
    /// one of the newest. And a leaf that only grows, and that the save lowered had its game read the image, does not speak
    /// for that image as well.
    private static func evidence(
        for winner: Int, of possible: [Int], _ votes: BaseVotes, _ diffs: [DocumentDiff]
    ) -> BaseChoice.Evidence {
        if votes.restOnAbsence(winner) { return .lacking }
        if diffs[possible[winner]].rulesImageOut, possible.contains(where: { !diffs[$0].rulesImageOut }) {
            return evidenceThoughLowered(for: winner, of: possible, diffs)
        }
        let nearer = BaseChoice.Evidence.nearer(votes: votes.most, against: votes.second)
        let isLast = winner == possible.count - 1
        return nearer.certainty > .guess && !isLast && votes.restOnFewValues(winner) ? .setBack : nearer
    }

    private static func evidenceThoughLowered(
        for winner: Int, of possible: [Int], _ diffs: [DocumentDiff]
    ) -> BaseChoice.Evidence {
        let votes = BaseVotes(
            possible.map { diffs[$0] }, except: Set(diffs[possible[winner]].lostItems.map(\.path)))
        let rivals = possible.indices.filter { $0 != winner }.map(votes.count(of:)).max() ?? 0
        return .nearer(votes: votes.count(of: winner), against: rivals)
    }

    /// Where all that is left are images from before a reset, a restore or an undo, or saves that were not accepted: the
    /// newest image since then, if it was ruled out for a grow-only leaf and nothing that the save holds speaks more for
    /// one of the others. Measured against those, all that was played would be put aside, or what was not accepted would
    /// be taken off what there is.
    private static func inForceThoughLowered(
        _ possible: [Int], _ seen: [Int], _ diffs: [DocumentDiff], _ sightings: BaseChoice.Sightings
    ) -> Int? {
        let formers = sightings.outdated.union(sightings.notAccepted)
        guard possible.allSatisfy(formers.contains), let newest = seen.last(where: { !formers.contains($0) })
        else { return nil }
        let votes = BaseVotes(
            (possible + [newest]).map { diffs[$0] }, except: Set(diffs[newest].lostItems.map(\.path)))
        // What a save that was not accepted lacked its game lacks still, if it goes on from there.
        let rivals = possible.indices.map { index in
            sightings.outdated.contains(possible[index]) ? votes.presence(of: index) : votes.count(of: index)
        }
        return votes.count(of: possible.count) >= rivals.max() ?? 0 ? newest : nil
    }

    /// Where a purse leaves it open which of the possible images was read: the newest image, if it was ruled out for a
    /// grow-only leaf and the purse alone is nearest to it. Asking about the others would offer the player two amounts
    /// of which neither is the one in the save. `older` is the image that the purse speaks for nearly as well.
    private static func nearerThoughLowered(
        than possible: [Int], _ seen: [Int], _ diffs: [DocumentDiff]
    ) -> (index: Int, older: Int?)? {
        guard let newest = seen.last, newest > possible[possible.count - 1] else { return nil }
        let images = possible + [newest]
        let votes = BaseVotes(images.map { diffs[$0] }, except: Set(diffs[newest].lostItems.map(\.path)))
        guard votes.winners == [possible.count] else { return nil }
        return (newest, votes.rivalOfPurse(possible.count, outdated: []).map { images[$0] })
    }

    private init(index: Int, evidence: BaseChoice.Evidence, older: Int? = nil) {
        (self.index, self.evidence, self.older) = (index, evidence, older)
    }

    /// A choice that is no guess, unless more places speak for an image that was ruled out.
    private init(index: Int, evidence: BaseChoice.Evidence, amongst images: [Int], _ diffs: [DocumentDiff]) {
        let isContested = evidence.certainty > .guess && Self.isContested(index, images, diffs)
        self.init(index: index, evidence: isContested ? .contested : evidence)
    }

    /// Images that differ from the save in the same way, and so not from each other, together; each ascending, and in
    /// the order of the newest of each.
    private static func equalImages(_ diffs: [DocumentDiff]) -> [[Int]] {
        guard diffs.count > 1 else { return [[0]] }
        var groups: [Set<LeafChange>: [Int]] = [:]
        for (index, diff) in diffs.enumerated() { groups[Set(diff.changes), default: []].append(index) }
        return groups.values.sorted { $0[$0.count - 1] < $1[$1.count - 1] }
    }

    /// The images that the game can have read: those that hold no more of a grow-only leaf than the save, and those for
    /// which every other place speaks. All of them where there is none.
    private static func possible(_ images: [Int], _ diffs: [DocumentDiff]) -> [Int] {
        let diffs = images.map { diffs[$0] }
        let holding = diffs.indices.filter { !diffs[$0].rulesImageOut }
        guard !holding.isEmpty, holding.count < images.count else { return images }
        return diffs.indices.filter { index in
            !diffs[index].rulesImageOut || speaksOtherwise(for: index, diffs, holding)
        }.map { images[$0] }
    }

    /// Whether more places speak for an image that was ruled out than for the one that is left, or as many that the save
    /// holds as that one: its game may have read it, and lowered or removed a place or two.
    private static func isContested(_ chosen: Int, _ images: [Int], _ diffs: [DocumentDiff]) -> Bool {
        guard images.count > 1, let index = images.firstIndex(of: chosen) else { return false }
        let votes = BaseVotes(images.map { diffs[$0] })
        return images.indices.contains { other in
            votes.count(of: other) > votes.count(of: index)
                || other != index && votes.presence(of: other) >= max(votes.count(of: index), BaseVotes.equal)
                || diffs[images[other]].rulesImageOut && holdsMore(of: diffs[images[other]], than: diffs[chosen])
        }
    }

    /// Whether nothing that the save holds speaks for the image that is left, and it is left for lacking, as the save
    /// does, what others hold: its game may have read one of those, and removed that.
    private static func restsOnAbsence(_ chosen: Int, _ images: [Int], _ diffs: [DocumentDiff]) -> Bool {
        guard images.count > 1, let index = images.firstIndex(of: chosen) else { return false }
        let votes = BaseVotes(images.map { diffs[$0] })
        return votes.restOnAbsence(index) && votes.presence(of: index) == 0
    }

    /// Whether a save holds, with whatever values, more of what a ruled-out image holds and the chosen one lacks than
    /// speaks for the chosen one. What the save lacks, as the chosen one does, does not: its game may have removed it.
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

    /// Whether all but the places that an image would have lost speak for it: as many as it lost, by more than a number
    /// that is near and no gain, and hardly any for another. Where the save holds of such a place what another image
    /// holds, it was read from that one.
    private static func speaksOtherwise(for index: Int, _ diffs: [DocumentDiff], _ holding: [Int]) -> Bool {
        let lost = diffs[index].lostItems
        for other in holding where !lost.isSubset(of: diffs[other].changedItems) { return false }
        let votes = BaseVotes(diffs, except: Set(lost.map(\.path)))
        let (count, others) = (votes.count(of: index), holding.map { votes.count(of: $0) }.max() ?? 0)
        guard count >= lost.count, count > 4 * others else { return false }
        return count >= BaseVotes.equal || diffs[index].changes.contains(where: \.isGain)
    }
}
