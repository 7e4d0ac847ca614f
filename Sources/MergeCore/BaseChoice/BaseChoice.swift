public import LosslessJSON

/// The choice of the merge base of a save: the snapshot of the file that the game had in memory when it wrote the save.
///
/// A *snapshot* is a content that the file had: the game's last save, or a later projection of the state. Games hold
/// their state in memory and overwrite what was projected meanwhile, so the last snapshot is not always the base of a
/// save. One base is chosen for the whole document, and ``evidence`` says how sure the choice is. What counts, in this
/// order:
///
/// 1. The start of the writing process, if the shell knows it: the process read the snapshot that was in the file then,
///    or a later one.
/// 2. Of snapshots of equal content only the newest is a candidate: the snapshot after a reset or an undo may have the
///    same content as one before it, and it contains more writes. The newest may have its arrays in another order,
///    which the game may not have read. If the save has the order of an older one of these snapshots, its order is no
///    evidence.
/// 3. A snapshot that holds more of a grow-only leaf than the save does was not read by the game, with two exceptions.
///    Elements that the `limit` of a list leaves out are not meant, see `DocumentDiff.trimmed`.
///    If all other places speak for that snapshot, the game lowered that leaf, see ``SaveMeaning``; a number that is
///    hardly nearer to another snapshot does not speak against that. And if a *purse* (a
///    counter, when it is the only place that votes) cannot decide between the other snapshots and is nearest to the
///    newest snapshot, the newest is not ruled out. One such leaf alone, with no other evidence, makes a guess.
/// 4. A snapshot that was not opened was not read, if the shell watched that, see `BaseReads`. If a program that was
///    caught writing the save runs since before that snapshot, this comes before 3, whatever the content says.
/// 5. The places in which the remaining snapshots differ vote, see `BaseVotes`. If hardly anything speaks for an older
///    snapshot against the newest, and the save only adds to what the newest holds otherwise and has its arrays in the
///    order of that one, the newest is taken.
/// 6. If votes tie, an open of the file after the swap to a snapshot. Indexers and backup tools open files too, so an
///    open outweighs no votes, unless the shell knows that other programs hardly ever open this file. Then it makes votes
///    stronger, and an open of the newest snapshot outweighs a value or two, or what the save lacks, unless most of an
///    amount were spent.
/// 7. If the tied snapshots differ only in what the save removed, the oldest of them: then a change that another
///    machine made there meanwhile comes back, and that is a guess.
/// 8. Else the newest snapshot that has as many votes as any other. A snapshot from before a reset, a restore or an
///    undo of what the save would have changed since needs more than weak numbers: numbers that the later snapshots
///    lack, and that are hardly nearer to its own number than to zero. With these alone it has no more votes than a
///    later snapshot: the game may have started the numbers over, and everything it wrote would be put aside. What both
///    it and the save lack stays then. Numbers that are hardly nearer than those of the newest snapshot in force are
///    weak too, and what that snapshot holds alike is no vote against it. If a flag or two also speak for it, it is the
///    base, and that is a guess.
/// 9. Of a snapshot that was taken back the save may hold the very values, where its game plays the same stretch again.
///    Where its numbers show that, and the newest snapshot may have been read, the same once more without that snapshot,
///    and that is a guess.
/// 10. Where all of this is a guess for a snapshot that was in the file for less than a second, or rests on one place that
///    the save has lower, the same once more without such snapshots. What comes of that counts if it is a later one, and
///    only a value or two speak against it, or what the save lacks, and nothing that is clearly nearer.
///
/// Known limits, if only numbers tell the snapshots apart (1, 3 and 4 do not apply):
/// - If only a purse tells two snapshots apart, all else speaks for both alike, and both readings are near, nothing is
///   guessed: ``purse`` holds both. If one reading is far from the other (see `BaseVotes`), or the newer snapshot is nearer
///   and both readings earned or both spent, the nearer one counts, as a guess.
/// - A game that reloaded and spent exactly what came in, or nearly that, looks like one that never reloaded.
/// - A game that never reloaded and earned exactly what came in, or nearly that, looks like one that did.
/// - A second game may use the same file. If its base is no candidate any more, because the first game saved since, its
///   save is compared with the first game's save.
public struct BaseChoice: Sendable {
    /// Observations of the processes around a file, made by the shell; none by default.
    public struct Sightings: Hashable, Sendable {
        /// Index of the newest candidate that was in the file when the writing process started; `nil` if the process or
        /// its start is not known. If that snapshot is no candidate any more, the index of the next candidate. An index
        /// beyond the candidates is read as the nearest one.
        public var startedAfter: Int?
        /// Indexes of the candidates that some process opened while they were in the file. For the first candidate, the
        /// game's own save, the index has no meaning: a game need not open its own save.
        public var openedAfterSwap: Set<Int>
        /// Indexes of the candidates from before a reset, a restore or an undo of something that the save would have changed
        /// since. It would be put aside, so these candidates lose ties.
        public var outdated: Set<Int>
        /// Indexes of the candidates that were taken back since, and from which the save does not come though it is like
        /// them: the game plays the same stretch again, see ``PlayedAgain``.
        public var playedAgain: Set<Int>
        /// Indexes of the candidates that are saves about which a person was asked, and which were not accepted: the
        /// file shows another state since. If such a save is chosen for its content, the choice is a guess.
        public var notAccepted: Set<Int>
        /// Indexes of the candidates that no other process has opened, from before the swap to them until now. The
        /// first candidate's index says nothing.
        public var unread: Set<Int>
        /// Indexes of the candidates that were in the file for so short a time, less than a second, that a game hardly read
        /// them. They are no candidates where only a value or two would speak for one, or what the save lacks. The first
        /// candidate's index says nothing.
        public var passing: Set<Int>
        /// Whether the program that writes this file is known. Then a save that this program may have made was not
        /// copied from another machine.
        public var isWriterKnown: Bool
        /// Whether snapshots of this file mostly stay unopened. Then a process that opens one is likely to be the game
        /// of the file.
        public var opensTell: Bool
        /// Index of the newest candidate that was in the file when the program that wrote the save was started, at the
        /// latest; `nil` if it is not known which program wrote. Later snapshots that are ``unread`` are no candidates.
        public var runningSince: Int?

        /// Observations; none where nothing is given.
        public init(
            startedAfter: Int? = nil, openedAfterSwap: Set<Int> = [], outdated: Set<Int> = [],
            playedAgain: Set<Int> = [], notAccepted: Set<Int> = [], unread: Set<Int> = [], passing: Set<Int> = [],
            isWriterKnown: Bool = false,
            opensTell: Bool = false, runningSince: Int? = nil
        ) {
            self.startedAfter = startedAfter
            self.openedAfterSwap = openedAfterSwap
            self.outdated = outdated
            self.playedAgain = playedAgain
            self.notAccepted = notAccepted
            self.unread = unread
            self.passing = passing
            self.isWriterKnown = isWriterKnown
            self.opensTell = opensTell
            self.runningSince = runningSince
        }
    }

    /// The second of two readings of a save that differ only in a purse: the game had read the older of two snapshots,
    /// or the newer.
    public struct Purse: Sendable {
        /// Index of the older snapshot.
        public let older: Int
        /// The difference from the older snapshot to the save: the game's changes if it had read that snapshot.
        public let olderDiff: DocumentDiff
    }

    /// The index of the base among the candidates. If ``purse`` is set, this is the newer of its two snapshots.
    public let base: Int
    /// The evidence for that base.
    public let evidence: Evidence
    /// The difference from that base to the save: the game's changes.
    public let diff: DocumentDiff
    /// Whether the game may not have read the order of arrays in the base. The save has its arrays in the order of an
    /// older snapshot of equal content, and there is no evidence that the newer order was read. Then the orders in
    /// ``diff`` only place new elements, and the file is to get the rest of the newer order again.
    public let isOrderUnread: Bool
    /// Whether the save lacks something of the base that is not among ``diff``, because a snapshot from before a reset, a
    /// restore or an undo lacks it as well. The file is to get it again.
    package let areRemovalsUnread: Bool
    /// The other possible base, if one counter is the only place that votes and fits two snapshots about equally: then
    /// it is not known what the player earned or spent. `nil` if there is one reading only.
    public let purse: Purse?
    /// The places that lose something if the choice is wrong, in order: counters that would count for more, and values
    /// of other machines that are overwritten. Empty if the choice is no guess, or a guess of an order alone.
    public let lostIfWrong: [DocumentPath]

    /// Whether another reading of the save would have been as good.
    public var isUndecided: Bool { evidence == .undecided }

    /// Chooses the base of a save.
    ///
    /// - Parameters:
    ///   - candidates: The last snapshot the game wrote, then every later projection, in order. Not empty.
    ///   - save: What the game wrote.
    ///   - rules: The rules in force.
    ///   - sightings: What was seen of processes. It rules snapshots out, or settles a tie.
    ///   - startedOver: Places that the save resets. They give no vote, and ``diff`` leaves them out.
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
        let choice = SnapshotChoice(diffs, from: first, sightings)
        base = choice.index
        let chosen = diffs[choice.index]
        let moved = chosen.moves
        let isOrderRead = moved.isEmpty || sightings.openedAfterSwap.contains(choice.index)
        // The game may have moved something itself. Then the base is the order from which the save differs less.
        let older =
            isOrderRead
            ? nil
            : diffs[..<choice.index].dropFirst(first).last {
                guard chosen.changes.isEmpty || $0.hasChanges(of: chosen) else { return false }
                let own = $0.moves
                return own != moved && own.allSatisfy { path, count in count <= moved[path] ?? 0 }
            }
        isOrderUnread = older != nil
        let removing = older.map(chosen.ordered) ?? chosen
        diff = choice.lacking.map { removing.keeping(whatLacks: diffs[$0]) } ?? removing
        areRemovalsUnread = !diff.hasChanges(of: removing)
        purse = choice.older.map { Purse(older: $0, olderDiff: diffs[$0]) }
        let isGuessOfOrder = isOrderUnread && choice.evidence.certainty != .guess
        let isNotAccepted = sightings.notAccepted.contains(choice.index) && choice.evidence.isOfContent
        evidence =
            candidates.count == 1
            ? .onlySnapshot
            : isGuessOfOrder ? .olderOrder : isNotAccepted ? .notAccepted : choice.evidence
        lostIfWrong =
            evidence.certainty > .guess || isGuessOfOrder
            ? [] : Self.losses(by: choice.index, diffs, sightings, from: first).sorted()
    }
}
