import SaveOracle
import Testing

/// Households in virtual time before the model's eyes.
///
/// HEARTH_ORACLE_HOUSEHOLDS sets how many households play, HEARTH_ORACLE_SEED where they begin.
@Suite struct HouseholdOracleTests {
    /// Households in which things of one kind happen, beside ordinary play; then of every kind.
    @Test(arguments: HouseholdRun.Kind.allCases.map { [.oneWriter, $0] } + [HouseholdRun.Kind.allCases])
    func randomHouseholds(_ kinds: [HouseholdRun.Kind]) throws {
        let count = UInt64(OracleRun.number("HEARTH_ORACLE_HOUSEHOLDS", default: 8))
        let rounds = OracleRun.number("HEARTH_ORACLE_ROUNDS", default: 5)
        var tally: [String: Int] = [:]
        var reported: [String: Int] = [:]
        for seed in OracleRun.seed..<OracleRun.seed + count {
            var run = try HouseholdRun(seed: seed, kinds: kinds)
            run.play(rounds: rounds)
            for (name, times) in run.tally { tally[name, default: 0] += times }
            for (_, kind, finding) in run.findings {
                let signature = "\(finding.signature) \(kind)"
                reported[signature, default: 0] += 1
                guard reported[signature] == 1 else { continue }
                OpenFindings.tell(
                    "seed \(seed): \(finding)\n\(run.story.joined(separator: "\n"))",
                    isOpen: OpenFindings.ofHouseholds.contains(signature))
            }
        }
        #expect(kinds.contains { tally["\($0)", default: 0] > 0 }, "no round was judged")
        let said = tally.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        print("oracle: \(count) households; rounds: \(said)")
        for (signature, times) in reported.sorted(by: { $0.value > $1.value }) {
            print("oracle: \(times) × \(signature)")
        }
    }
}
