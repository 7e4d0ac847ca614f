public import LosslessJSON
public import MergeCore

/// Rules that the names and values in a save suggest, for a person to check.
///
/// Every guess is a rule with a short reason. In doubt nothing is guessed, and the place keeps ``MergeRule/standard``,
/// which is exact for one writer whatever the game does; a wrong `max`, on the other hand, keeps a value that the game
/// took back. A save that only makes sense as a whole (it contains a checksum of itself, or is a long list of a story's
/// switches) gets one rule for the whole document. The proposed rules never contradict each other.
public struct RuleProposal: Sendable {
    /// A proposed rule and the reason for it.
    public struct Guess: Hashable, Sendable {
        /// The places of the rule.
        public let pattern: RulePattern
        /// The proposed rule.
        public let rule: MergeRule
        /// The reason in a few words, without a full stop.
        public let reason: String

        /// The group of the guess, by its rule.
        public var group: Group { Group(rule) }
    }

    /// The sections of a proposed file: guesses of one kind are listed together.
    public enum Group: Int, Hashable, Comparable, Sendable, CaseIterable {
        /// A section. The cases are in the order of the sections in the file.
        case records, totals, unlocks, lists, together, latest, local

        init(_ rule: MergeRule) {
            switch rule.merge {
            case .max, .min: self = .records
            case .counter: self = .totals
            case .flag: self = .unlocks
            case .union: self = rule.sort == nil ? .unlocks : .lists
            case .set: self = .lists
            case .furthest, .choice: self = .together
            case .latest: self = rule.whole ? .together : .latest
            case .local: self = .local
            }
        }

        /// Sections compare by their order in the file.
        public static func < (a: Group, b: Group) -> Bool { a.rawValue < b.rawValue }
    }

    /// The guesses, section by section, and within a section in the order of the document.
    public let guesses: [Guess]
    /// The guesses as rules, in the same order.
    public let rules: RuleSet
    /// At most eight places that seem to contain a checksum of the save. A game that checks it accepts no merged save.
    /// So the whole document is proposed as one value, with ``MergeRule/Merge/furthest`` or ``MergeRule/Merge/choice``
    /// at the path "".
    public let checksums: [RulePattern]

    /// The most bytes that the guesses may take as a rule file. The rest of the limit is for what is sent with it.
    private static let byteLimit = RuleSet.byteLimit - (32 << 10)

    /// Makes a proposal from a whole document. O(document), and at worst O(guesses²), with at most 2,000 guesses.
    ///
    /// - Parameters:
    ///   - document: The save to propose rules for.
    ///   - profile: A name for the profile.
    public init(for document: JSONDocument, profile: String? = nil) {
        let whole = WholeSave(document)
        let walk = ProposalWalk(document, startsOver: whole.startsOver)
        let candidates = whole.guess.map { [ProposalWalk.Candidate(steps: [], guess: $0)] } ?? walk.candidates
        let guesses = ProposalChoice(candidates, byteLimit: Self.byteLimit).guesses
        let version = walk.version.flatMap { $0.isSpelled ? $0.description : nil }
        checksums = Array(whole.checksums.prefix(8))
        do {
            let entries = guesses.map { RuleSet.Entry($0.pattern, $0.rule) }
            rules = try RuleSet(entries, profile: profile, versionAt: version)
            self.guesses = guesses
        } catch {
            // An empty proposal is always valid. The tests ensure that this never happens.
            assertionFailure("a proposal cannot be used: \(error)")
            rules = .empty
            self.guesses = []
        }
    }
}

/// Chooses guesses that do not contradict each other.
struct ProposalChoice {
    let guesses: [RuleProposal.Guess]

    /// Where there are too many guesses, those nearest to the root are chosen, then those that come first in the
    /// document.
    init(_ candidates: [ProposalWalk.Candidate], byteLimit: Int) {
        let order = candidates.indices.sorted {
            let (a, b) = (candidates[$0].steps.count, candidates[$1].steps.count)
            return a != b ? a < b : $0 < $1
        }
        var picked: [(index: Int, entry: RuleSet.Entry)] = []
        var known = Set<[RulePattern.Step]>()
        var equals: [RulePattern.Rank: [RuleSet.Entry]] = [:]
        var wholes: [RuleSet.Entry] = []
        var (budget, bytes) = (PatternBudget(), 0)
        for index in order {
            let candidate = candidates[index]
            let entry = RuleSet.Entry(RulePattern(steps: candidate.steps), candidate.guess.rule)
            // The path and the rule are sent twice, as the text of the file and as parsed rules, and quotes may be
            // escaped twice.
            let size = entry.pattern.description.utf8.count * 5 + candidate.guess.reason.utf8.count * 2 + 240
            var spent = budget
            spent.add(entry.pattern)
            guard picked.count < RuleSet.entryLimit, spent.excess == nil, bytes + size <= byteLimit else { break }
            let rank = entry.pattern.rank
            guard entry.pattern.isSpelled, !known.contains(candidate.steps),
                !(equals[rank] ?? []).contains(where: { $0.rule != entry.rule && $0.pattern.overlaps(entry.pattern) }),
                !wholes.contains(where: { $0.pattern.reachesBelow(entry.pattern) }),
                !entry.rule.isWhole
                    || !entry.pattern.reachesBelow(entry.pattern)
                        && !picked.contains(where: { entry.pattern.reachesBelow($0.entry.pattern) })
            else { continue }
            known.insert(candidate.steps)
            equals[rank, default: []].append(entry)
            if entry.rule.isWhole { wholes.append(entry) }
            picked.append((index, entry))
            (budget, bytes) = (spent, bytes + size)
        }
        picked.sort {
            let (a, b) = (RuleProposal.Group($0.entry.rule), RuleProposal.Group($1.entry.rule))
            return a != b ? a < b : $0.index < $1.index
        }
        guesses = picked.map {
            .init(pattern: $0.entry.pattern, rule: $0.entry.rule, reason: candidates[$0.index].guess.reason)
        }
    }
}
