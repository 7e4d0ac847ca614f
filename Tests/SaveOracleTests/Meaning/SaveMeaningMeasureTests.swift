import Libc
import SampleSaves
import SaveOracle
import Testing

/// What a save is taken for, measured on saves of which is known what they are: made-up games of every kind, and saves
/// of real games that are played on, under the rules of a person who knows the game.
///
/// HEARTH_ORACLE_MEANINGS sets how many games of each kind are played; with it a table of each kind is printed.
@Suite struct SaveMeaningMeasureTests {
    typealias Scores = [KnownSave.Kind: (before: MeaningRun.Score, now: MeaningRun.Score)]

    static let games = UInt64(OracleRun.number("HEARTH_ORACLE_MEANINGS", default: 4))
    static let isTold = getenv("HEARTH_ORACLE_MEANINGS") != nil || getenv("HEARTH_SAMPLES") != nil

    @Test func madeUpGames() throws {
        var all: Scores = [:]
        for kind in Progression.Kind.allCases {
            var ofKind: Scores = [:]
            for seed in OracleRun.seed..<OracleRun.seed + Self.games {
                var game = Progression(kind, seed: seed)
                let begun = game.save
                var other = Progression(kind, seed: seed)
                var run = try MeaningRun(game.rules, seed: seed)
                try run.play(&game, sessions: 16, begun: begun) {
                    var stranger = other.elsewhere(seed: seed &+ 500)
                    for _ in 0..<6 { stranger.play() }
                    other = stranger
                    return other.save
                }
                Self.add(run.scores, to: &ofKind)
            }
            Self.add(ofKind, to: &all)
            if Self.isTold { Self.tell("\(kind)", ofKind) }
        }
        Self.tell("all made-up games", all)
        for (kind, bound) in Self.bounds {
            let (before, now) = try #require(all[kind], "\(kind)")
            #expect(now.count > 100)
            #expect(now.wrong * 100 <= bound.wrong * now.count, "\(kind): \(now)")
            #expect(now.asked * 100 <= bound.asked * now.count, "\(kind): \(now)")
            // Play is dropped no more often than it was.
            if kind.isPlay { #expect(now.wrong <= before.wrong, "\(kind)") }
        }
    }

    /// The most per cent that may be wrong, or asked about though it was played.
    static let bounds: [KnownSave.Kind: (wrong: Int, asked: Int)] = [
        .play: (0, 5), .lowering: (2, 65), .unread: (15, 8), .read: (4, 8), .partlyAnew: (18, 0), .olderCopy: (10, 0),
        .ancientCopy: (6, 0), .newGame: (1, 0), .emptied: (1, 0), .truncated: (36, 0), .otherSlot: (38, 0),
    ]

    @Test(arguments: SampleSave.all) func realSaves(_ sample: SampleSave) throws {
        var game = try #require(SampleGame(sample, seed: OracleRun.seed))
        let others = SampleSave.all(sample.kind).filter { $0.path != sample.path }
        let other = others.first.flatMap { SampleGame($0, seed: 1)?.save }
        var run = try MeaningRun(game.handWritten, seed: OracleRun.seed)
        try run.play(&game, sessions: 10, begun: nil) { other }
        Self.tell("\(sample)", run.scores)
    }

    private static func add(_ scores: Scores, to all: inout Scores) {
        for (kind, score) in scores {
            var sum = all[kind] ?? (MeaningRun.Score(), MeaningRun.Score())
            sum.before += score.before
            sum.now += score.now
            all[kind] = sum
        }
    }

    private static func tell(_ name: String, _ scores: Scores) {
        print("oracle: what saves of \(name) mean")
        print("oracle: | save | how many | before: right, wrong | now: right, asked, wrong |")
        for kind in KnownSave.Kind.allCases {
            guard let (before, now) = scores[kind] else { continue }
            let (was, isNow) = ([before.right, before.wrong], [now.right, now.asked, now.wrong])
            func text(_ counts: [Int]) -> String {
                counts.map { "\(($0 * 1_000 / max(1, now.count) + 5) / 10) %" }.joined(separator: ", ")
            }
            print("oracle: | \(kind.rawValue) | \(now.count) | \(text(was)) | \(text(isNow)) |")
        }
    }
}
