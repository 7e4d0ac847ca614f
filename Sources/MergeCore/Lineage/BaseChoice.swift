public import LosslessJSON

/// Which image of the file a game had in memory when it wrote a save.
///
/// Games hold their state in memory and overwrite what was projected meanwhile, so the last image is not always the
/// base of a save. The choice is made once for the whole document, and it says how sure it is. What counts, in this
/// order:
///
/// 1. When the writing process started, where the shell knows that: it read the image that stood then, or a later one.
/// 2. An image that holds more of a leaf that only grows than the save does was not read by its writer.
/// 3. The places in which the remaining images differ vote, see `BaseVotes`.
/// 4. Where votes tie, an open of the file after the swap to an image. Indexers and backup tools open files too, so an
///    open never stands against votes.
/// 5. Else the game's own last save, or the oldest image that has as many votes as any other.
///
/// Known limits, where nothing but numbers tells the images apart (neither 1 nor 2 applies):
/// - A game that reloaded a projection and then spent what came in, or over half of it, looks like one that never
///   reloaded: what it spent is not counted.
/// - A game that never reloaded and earned over half of what came in, or more, looks like one that did: what came in
///   counts as spent.
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

        /// What was seen; nothing where nothing is given.
        public init(startedAfter: Int? = nil, openedAfterSwap: Set<Int> = []) {
            self.startedAfter = startedAfter
            self.openedAfterSwap = openedAfterSwap
        }
    }

    /// Index into the candidates.
    public let base: Int
    /// Why that one.
    public let evidence: Evidence
    /// What the game changed, against that base.
    public let diff: DocumentDiff
    /// The save holds less than its writer can have had: it is no edit.
    public let isRegressed: Bool

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
        var first = max(0, min(sightings.startedAfter ?? 0, candidates.count - 1))
        var diffs = candidates[first...].map { DocumentDiff(from: $0, to: save, rules: rules) }
        var possible = diffs.indices.filter { !diffs[$0].losesGrowOnly }
        if possible.isEmpty, first > 0 {
            // Not written by what that process had read: another process, or an older copy. All images count again.
            diffs = candidates[..<first].map { DocumentDiff(from: $0, to: save, rules: rules) } + diffs
            first = 0
            possible = diffs.indices.filter { !diffs[$0].losesGrowOnly }
        }
        let choice = Self.choose(among: possible.isEmpty ? Array(diffs.indices) : possible, diffs) {
            $0 + first > 0 && sightings.openedAfterSwap.contains($0 + first)
        }
        base = choice.index + first
        diff = diffs[choice.index]
        if candidates.count == 1 {
            evidence = .onlyImage
        } else if diffs.count == 1 {
            evidence = .processStart
        } else {
            evidence = choice.evidence
        }
        isRegressed = possible.isEmpty || diff.isMostlyLoss(of: candidates[base], rules: rules)
    }

    private static func choose(
        among possible: [Int],
        _ diffs: [DocumentDiff],
        wasOpened: (Int) -> Bool
    ) -> (index: Int, evidence: Evidence) {
        guard possible.count > 1 else { return (possible[0], .othersRuledOut) }
        let votes = BaseVotes(possible.map { diffs[$0] })
        guard votes.imagesDiffer else { return (possible[0], .imagesAgree) }
        let winners = votes.winners
        if votes.agree(winners) {
            return (possible[winners[0]], .nearer(votes: votes.most, against: votes.second))
        }
        if let opened = winners.last(where: { wasOpened(possible[$0]) }) { return (possible[opened], .opened) }
        return (possible[winners[0]], .undecided)
    }
}
