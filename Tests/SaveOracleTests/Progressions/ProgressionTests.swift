import Libc
import SampleSaves
import SaveOracle
import TestSupport
import Testing

/// The laws of one and of two writers on progressions: games in the shape of real ones that are played session after
/// session, and saves of real games that are played on; without rules, under those that are proposed, and under those
/// of a person who knows the game.
///
/// HEARTH_ORACLE_PROGRESSIONS sets how many games of each kind are played, HEARTH_ORACLE_SESSIONS how many saves each
/// makes; HEARTH_SAMPLES names a folder with more saves of real games.
@Suite struct ProgressionTests {
    static let games = UInt64(
        OracleRun.number("HEARTH_ORACLE_PROGRESSIONS", default: TestDepth.count(quick: 1, usual: 2, all: 6)))
    static let sessions = OracleRun.number("HEARTH_ORACLE_SESSIONS", default: 8)
    static let isTold = getenv("HEARTH_ORACLE_PROGRESSIONS") != nil || getenv("HEARTH_SAMPLES") != nil

    @Test(arguments: Progression.Kind.allCases, RuleSource.allCases)
    func madeUpGames(_ kind: Progression.Kind, _ source: RuleSource) throws {
        let machines = try TwoMachines(seed: OracleRun.seed)
        var all = ProgressionRun.Tally()
        for seed in OracleRun.seed..<OracleRun.seed + Self.games {
            var game = Progression(kind, seed: seed)
            // A save is added at the beginning, or after some play.
            for _ in 0..<Int(seed % 3) * 6 { game.play() }
            try play(&game, source, on: machines, as: "\(kind) \(seed)", seed, &all)
        }
        tell("\(kind)", source, all)
        #expect(all.saves == Int(Self.games) * Self.sessions && all.meetings == all.saves / 2)
        #expect(all.wrong == 0, "\(kind), \(source.rawValue): \(all)\n\(all.stories.joined(separator: "\n"))")
        #expect(all.asked == 0, "\(kind), \(source.rawValue): \(all)")
        #expect(all.named == 0, "\(kind), \(source.rawValue): \(all)\n\(all.stories.joined(separator: "\n"))")
    }

    @Test(arguments: SampleSave.all, RuleSource.allCases)
    func realSaves(_ sample: SampleSave, _ source: RuleSource) throws {
        let machines = try TwoMachines(seed: OracleRun.seed)
        var all = ProgressionRun.Tally()
        var game = try #require(SampleGame(sample, seed: OracleRun.seed))
        try play(&game, source, on: machines, as: "\(sample)", OracleRun.seed, &all)
        tell("\(sample)", source, all)
        #expect(all.wrong == 0, "\(sample), \(source.rawValue): \(all)\n\(all.stories.joined(separator: "\n"))")
        #expect(all.asked == 0 && all.named == 0, "\(sample), \(source.rawValue): \(all)")
    }

    private func play(
        _ game: inout some PlayedGame,
        _ source: RuleSource,
        on machines: TwoMachines,
        as name: String,
        _ seed: UInt64,
        _ all: inout ProgressionRun.Tally
    ) throws {
        var run = try ProgressionRun(game, source, on: machines, as: name)
        for stage in 0..<UInt64(max(1, Self.sessions / 2)) {
            if run.isOwing {
                all += run.tally
                run = try ProgressionRun(game, source, on: machines, as: "\(name), \(stage)")
            }
            run.oneWriter(&game, saves: 2)
            run.twoWriters(&game, seed: seed &* 31 &+ stage)
        }
        all += run.tally
    }

    private func tell(_ name: String, _ source: RuleSource, _ tally: ProgressionRun.Tally) {
        if Self.isTold { print("oracle: | \(name) | \(source.rawValue) | \(tally) |") }
    }
}

extension ProgressionRun.Tally {
    static func += (a: inout Self, b: Self) {
        (a.saves, a.meetings, a.exact) = (a.saves + b.saves, a.meetings + b.meetings, a.exact + b.exact)
        (a.asked, a.named, a.owed) = (a.asked + b.asked, a.named + b.named, a.owed + b.owed)
        a.findings.merge(b.findings, uniquingKeysWith: +)
        a.stories += b.stories
    }
}
