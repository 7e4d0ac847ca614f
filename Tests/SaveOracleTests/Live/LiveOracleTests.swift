import SaveOracle
import TestSupport
import Testing

/// Real agents before the model's eyes: three processes in a line or in a mesh, and files that a game writes.
///
/// HEARTH_ORACLE_LIVE sets how many rounds are played, HEARTH_ORACLE_SEED where they begin, HEARTH_ORACLE_LIVE_KIND one
/// kind of round. The line and the mesh play at the same time, because both mostly wait for their processes.
@Suite(.enabled(if: BuiltProgram.hearth != nil, "the built hearth is not beside the tests"))
struct LiveOracleTests {
    /// Rounds of one household.
    private static let rounds = 20

    @Test(arguments: [true, false]) func liveHouseholds(inALine isLine: Bool) throws {
        let wanted =
            OracleRun.number(
                "HEARTH_ORACLE_LIVE", default: TestDepth.count(quick: 10, usual: 30, all: 300)) / 2
        let kinds = OracleRun.text("HEARTH_ORACLE_LIVE_KIND").flatMap { LiveRun.Kind(rawValue: $0) }.map { [$0] }
        // Other games in a mesh than in a line.
        var (left, seed) = (wanted, OracleRun.seed + (isLine ? 0 : 1_000_000))
        var tally: [String: Int] = [:]
        var reported: [String: Int] = [:]
        let start = ContinuousClock.now
        while left > 0 {
            let rounds = min(left, Self.rounds)
            let run = try LiveRun(seed: seed, isLine: isLine, kinds: kinds ?? LiveRun.Kind.allCases)
            do { try run.play(rounds: rounds) } catch {
                Issue.record("seed \(seed): \(error)\n\(run.story.joined(separator: "\n"))")
            }
            left -= max(1, run.round)
            for (name, times) in run.tally { tally[name, default: 0] += times }
            if wanted > Self.rounds { print("live oracle: seed \(seed): \(Self.text(run.tally))") }
            for (kind, finding) in run.findings {
                let signature = "\(finding.signature) \(kind)"
                reported[signature, default: 0] += 1
                guard reported[signature] == 1 else { continue }
                OpenFindings.tell(
                    "seed \(seed): \(finding)\n\(run.story.joined(separator: "\n"))",
                    isOpen: OpenFindings.ofLiveHouseholds.contains(signature))
            }
            seed += 1
        }
        #expect(tally.values.contains { $0 > 0 }, "no round was judged")
        let form = isLine ? "in a line" : "in a mesh"
        print("live oracle: \(wanted) rounds \(form), \(ContinuousClock.now - start): \(Self.text(tally))")
        for (signature, times) in reported.sorted(by: { $0.value > $1.value }) {
            print("live oracle: \(times) × \(signature)")
        }
    }

    private static func text(_ tally: [String: Int]) -> String {
        tally.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
}
