import SaveOracle
import TestSupport
import Testing

/// Households in virtual time before the model's eyes.
///
/// HEARTH_ORACLE_HOUSEHOLDS sets how many households play, HEARTH_ORACLE_SEED where they begin, and HEARTH_ORACLE_KINDS
/// what happens in them: some kinds of rounds, with commas between; "all" is every kind in one household. With
/// HEARTH_ORACLE_GUESSES also those households are told in which a guess, though said, is explained by no state.
@Suite struct HouseholdOracleTests {
    /// What happens in the households of one test beside ordinary play.
    private static let tried: [[HouseholdRun.Kind]] = {
        if let chosen = OracleRun.text("HEARTH_ORACLE_KINDS") {
            return chosen.split(separator: ",").map { name in
                if name == "all" { return HouseholdRun.Kind.allCases }
                guard let kind = HouseholdRun.Kind(rawValue: String(name)) else {
                    preconditionFailure("HEARTH_ORACLE_KINDS: there are no rounds of the kind \(name)")
                }
                return [.oneWriter, kind]
            }
        }
        return HouseholdRun.Kind.allCases.map { [.oneWriter, $0] } + [HouseholdRun.Kind.allCases]
    }()

    /// Households in which things of one kind happen, beside ordinary play; then of every kind.
    @Test(arguments: tried)
    func randomHouseholds(_ kinds: [HouseholdRun.Kind]) throws {
        let usual = TestDepth.count(quick: 2, usual: 3, all: 30)
        let count = UInt64(OracleRun.number("HEARTH_ORACLE_HOUSEHOLDS", default: usual))
        let rounds = OracleRun.number("HEARTH_ORACLE_ROUNDS", default: 5)
        let tellsGuesses = OracleRun.text("HEARTH_ORACLE_GUESSES") != nil
        var tally: [String: Int] = [:]
        var reported: [String: Int] = [:]
        var failing: [UInt64] = []
        var unexplained: [UInt64] = []
        for seed in OracleRun.seed..<OracleRun.seed + count {
            var run = try HouseholdRun(seed: seed, kinds: kinds)
            run.play(rounds: rounds)
            for (name, times) in run.tally { tally[name, default: 0] += times }
            if run.tally[HouseholdRun.unexplained] != nil {
                unexplained.append(seed)
                if tellsGuesses { print("oracle: seed \(seed):\n\(run.story.joined(separator: "\n"))") }
            }
            for (_, kind, finding) in run.findings {
                let later = run.wasReset && kind != .reset ? " after a reset" : ""
                let signature = "\(finding.signature) \(kind)\(later)"
                let isOpen = OpenFindings.ofHouseholds.contains(signature)
                if !isOpen, failing.last != seed { failing.append(seed) }
                reported[signature, default: 0] += 1
                guard reported[signature] == 1 else { continue }
                OpenFindings.tell("seed \(seed): \(finding)\n\(run.story.joined(separator: "\n"))", isOpen: isOpen)
            }
        }
        #expect(kinds.contains { tally["\($0)", default: 0] > 0 }, "no round was judged")
        let said = tally.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        print("oracle: \(count) households; rounds: \(said)")
        for (signature, times) in reported.sorted(by: { $0.value > $1.value }) {
            print("oracle: \(times) × \(signature)")
        }
        let seeds = failing.map { "\($0)" }.joined(separator: " ")
        if !unexplained.isEmpty {
            print(
                "oracle: seeds with a guess that no state explains: \(unexplained.map { "\($0)" }.joined(separator: " "))"
            )
        }
        if !failing.isEmpty { print("oracle: seeds that fail: \(failing.count) of \(count) (\(seeds))") }
    }
}
