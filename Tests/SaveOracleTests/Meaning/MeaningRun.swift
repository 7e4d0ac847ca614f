import LosslessJSON
import RuleFile
import SaveOracle

@testable import MergeCore

/// How often a rule is right about saves of which is known what they are.
struct MeaningRun {
    struct Score: Equatable {
        /// Play counts; what is none is asked about.
        var right = 0
        /// Play is asked about.
        var asked = 0
        /// Play is dropped or taken for something else; what is none counts.
        var wrong = 0

        var count: Int { right + asked + wrong }

        static func += (a: inout Self, b: Self) {
            (a.right, a.asked, a.wrong) = (a.right + b.right, a.asked + b.asked, a.wrong + b.wrong)
        }
    }

    /// What a rule makes of a save.
    private enum Answer {
        /// It counts, against this base; where so many places stay as they were.
        case counts(DocumentDiff, kept: Int)
        /// The player is asked.
        case asks
        /// None of it counts.
        case setAside
    }

    private(set) var scores: [KnownSave.Kind: (before: Score, now: Score)] = [:]
    private let rules: RuleSet
    private let table: RuleTable
    private var spent = Set<DocumentPath>()
    /// The saves of the game, the newest last.
    private var held: [JSON] = []
    private var dice: Dice

    init(_ rules: RuleTable, seed: UInt64) throws {
        (table, dice) = (rules, Dice(seed: seed))
        self.rules = try RuleSet(yaml: rules.yaml)
    }

    /// Plays, and asks after every session what a save of each kind would be taken for.
    ///
    /// - Parameters:
    ///   - begun: The save of a new game, where that is known.
    ///   - other: The save of another slot.
    mutating func play(_ game: inout some PlayedGame, sessions: Int, begun: JSON?, other: () -> JSON?) throws {
        held.append(game.save)
        for session in 0..<sessions {
            if session > 2 {
                for known in saves(after: game, UInt64(session), begun: begun, other: other()) { try measure(known) }
            }
            let before = game.save
            game.play()
            let diff = DocumentDiff(from: try Self.document(before), to: try Self.document(game.save), rules: rules)
            spent.formUnion(diff.changes.filter(\.isSpending).map(\.path))
            held.append(game.save)
        }
    }

    private mutating func saves(
        after game: some PlayedGame, _ seed: UInt64, begun: JSON?, other: JSON?
    ) -> [KnownSave] {
        let now = game.save
        var (played, elsewhere) = (game, game.elsewhere(seed: seed))
        played.play()
        elsewhere.play()
        var saves = [KnownSave(kind: .play, save: played.save, candidates: [now], base: 0)]
        func add(_ kind: KnownSave.Kind, _ save: JSON?) {
            guard let save, !same(save, now) else { return }
            saves.append(KnownSave(kind: kind, save: save, candidates: [now], base: 0))
        }
        add(.lowering, played.save.lowered(table, &dice))
        // Something came in, and the file shows it: the game that goes on had read it, or not.
        saves.append(KnownSave(kind: .unread, save: played.save, candidates: [now, elsewhere.save], base: 0))
        var reader = elsewhere.elsewhere(seed: seed &+ 77)
        reader.play()
        saves.append(KnownSave(kind: .read, save: reader.save, candidates: [now, elsewhere.save], base: 1))
        let older = held.dropLast()
        add(.olderCopy, older.randomElement(using: &dice))
        add(.ancientCopy, older.prefix(max(1, older.count / 2)).randomElement(using: &dice))
        add(.newGame, begun)
        add(.partlyAnew, begun.map { played.save.partlyAnew($0, &dice) })
        add(.emptied, dice.once(in: 2) ? now.zeroed : .object([]))
        add(.truncated, now.truncated(&dice))
        add(.otherSlot, other)
        return saves
    }

    // MARK: Measuring

    private mutating func measure(_ known: KnownSave) throws {
        let save = try Self.document(known.save)
        let candidates = try known.candidates.map(Self.document)
        let choice = BaseChoice(among: candidates, for: save, rules: rules)
        let snapshot = candidates[choice.base]
        var scores = scores[known.kind] ?? (Score(), Score())
        let isHeld = try known.kind != .ancientCopy && choice.diff.losesGrowOnly && isHeld(save)
        let meaning = MergeCore.SaveMeaning(choice.diff, of: snapshot, rules: rules, wasSpent: spent.contains) {
            isHeld
        }
        // Before: whatever lowered a place that only grows was set aside as a whole.
        let heldLess = choice.diff.losesGrowOnly || meaning.doubt == .mostlyGone
        let was: Answer = heldLess ? .setAside : .counts(choice.diff, kept: 0)
        let isAsked = meaning.isQuestion || !choice.openAmounts.isEmpty
        let now: Answer = isAsked ? .asks : .counts(choice.diff, kept: meaning.lowered.count)
        let isBase =
            choice.base == known.base
            || Self.isSame(DocumentDiff(from: candidates[known.base], to: save, rules: rules), choice.diff)
        scores.before += Self.score(was, known.kind, isBase: isBase)
        scores.now += Self.score(now, known.kind, isBase: isBase)
        self.scores[known.kind] = scores
    }

    private static func score(_ answer: Answer, _ kind: KnownSave.Kind, isBase: Bool) -> Score {
        switch answer {
        case .counts(_, let kept):
            if kind.isPlay { return isBase ? Score(right: 1) : Score(wrong: 1) }
            // What was started over in part is as the game wrote it, or half of it comes back.
            if kind == .partlyAnew, kept == 0 { return Score(right: 1) }
            return Score(wrong: 1)
        case .asks: return kind.isPlay ? Score(asked: 1) : Score(right: 1)
        case .setAside: return kind.isPlay ? Score(wrong: 1) : Score(right: 1)
        }
    }

    private func isHeld(_ save: JSONDocument) throws -> Bool {
        try held.suffix(64).contains {
            DocumentDiff(from: try Self.document($0), to: save, rules: rules).changes.isEmpty
        }
    }

    private static func isSame(_ one: DocumentDiff, _ two: DocumentDiff) -> Bool {
        Set(one.changes.map { "\($0)" }) == Set(two.changes.map { "\($0)" })
    }

    private static func document(_ value: JSON) throws -> JSONDocument {
        try JSONDocument(parsing: Array(value.text().utf8))
    }
}
