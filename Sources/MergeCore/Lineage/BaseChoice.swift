public import LosslessJSON

/// Which image of the file a game had in memory when it wrote a save.
///
/// Games hold their state in memory and overwrite what was projected meanwhile, so the last image is not always the
/// base of a save. Where the writing process is not known the choice is a guess from the save's content, made once for
/// the whole document, and it says how sure it is.
///
/// Known limits: a game that reloaded a projection and then spent exactly what came in looks like one that never
/// reloaded; so does one that changed no leaf in which the images differ.
public struct BaseChoice: Sendable {
    /// Why the base was chosen.
    public enum Evidence: Hashable, Sendable {
        /// There was one image only.
        case onlyImage
        /// Every other image holds more of a leaf that only grows than the save does.
        case othersRuledOut
        /// Leaves in which the images differ stand nearer to this one, by so many votes against so many.
        case nearer(votes: Int, against: Int)
        /// Nothing speaks for one image more than for another: the last save of the game was taken as base.
        case undecided
    }

    /// Index into the candidates.
    public let base: Int
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
    /// - Complexity: One diff a candidate, each proportional to what differs.
    public init(among candidates: [JSONDocument], for save: JSONDocument, rules: RuleSet) {
        precondition(!candidates.isEmpty, "a base is chosen among at least one image")
        let diffs = candidates.map { DocumentDiff(from: $0, to: save, rules: rules) }
        let possible = diffs.indices.filter { !diffs[$0].losesGrowOnly }
        let choice = Self.vote(possible.isEmpty ? Array(diffs.indices) : possible, diffs)
        base = choice.base
        diff = diffs[choice.base]
        if candidates.count == 1 {
            evidence = .onlyImage
        } else if possible.count == 1 {
            evidence = .othersRuledOut
        } else {
            evidence = choice.evidence
        }
        isRegressed = possible.isEmpty || diff.isMostlyLoss(of: candidates[choice.base], rules: rules)
    }

    private static func vote(_ possible: [Int], _ diffs: [DocumentDiff]) -> (base: Int, evidence: Evidence) {
        guard possible.count > 1 else { return (possible[0], .othersRuledOut) }
        let changes = possible.map { index in
            Dictionary(diffs[index].changes.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        }
        var votes = Array(repeating: 0, count: possible.count)
        for path in Set(changes.flatMap(\.keys)).sorted() {
            let entries = changes.map { $0[path] }
            guard Set(entries).count > 1 else { continue }  // the images agree there
            let distances = entries.map(Distance.init)
            let nearest = distances.min()!
            guard distances.contains(where: { $0 != nearest }) else { continue }
            for index in votes.indices where distances[index] == nearest { votes[index] += 1 }
        }
        let most = votes.max()!
        let winners = votes.indices.filter { votes[$0] == most }
        guard winners.count == 1 else { return (possible[winners[0]], .undecided) }
        let second = votes.indices.filter { $0 != winners[0] }.map { votes[$0] }.max() ?? 0
        return (possible[winners[0]], .nearer(votes: most, against: second))
    }
}

/// How far a save's leaf is from an image's.
private enum Distance: Comparable {
    case none
    case amount(ExactDecimal)
    case elements(Int)
    case other

    init(_ change: LeafChange?) {
        guard let change else {
            self = .none
            return
        }
        switch change.change {
        case .value(let old?, let new?):
            if case .number(let a)? = Ordinal(old, as: change.rule.reading),
                case .number(let b)? = Ordinal(new, as: change.rule.reading), let gap = try? b.subtracting(a)
            {
                self = .amount(gap.magnitude)
            } else {
                self = .other
            }
        case .elements(let added, let removed): self = .elements(added.count + removed.count)
        default: self = .other
        }
    }
}
