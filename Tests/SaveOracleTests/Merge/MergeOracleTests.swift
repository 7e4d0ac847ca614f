import SaveOracle
import TestSupport
import Testing

/// Random saves under random rules through a merge, in both orders, before the model's eyes.
///
/// HEARTH_ORACLE_CASES sets how many saves are merged, HEARTH_ORACLE_SEED where they begin. Many are quickest without
/// processes: `--filter MergeOracleTests.randomSavesInProcess`.
@Suite struct MergeOracleTests {
    private static let cases = OracleRun.number(
        "HEARTH_ORACLE_CASES", default: TestDepth.count(quick: 60, usual: 120, all: 2_000))

    /// As players merge: through `hearth merge`.
    @Test(.enabled(if: BuiltProgram.hearth != nil, "the built hearth is not beside the tests"))
    func randomSaves() throws {
        let program = MergeProgram(program: try #require(BuiltProgram.hearth))
        merge(Self.cases, program)
    }

    /// The same by the library: other saves.
    @Test func randomSavesInProcess() {
        merge(Self.cases, after: 10_000, MergeLibrary())
    }

    private func merge<Program: MergesCases>(_ number: Int, after skipped: UInt64 = 0, _ program: Program) {
        let (first, count) = (OracleRun.seed + skipped, UInt64(number))
        var tally = Tally()
        var reported: [String: Int] = [:]
        for start in stride(from: first, to: first + count, by: Program.atOnce) {
            let seeds = Array(start..<min(start + UInt64(Program.atOnce), first + count))
            let cases = seeds.map { MergeCase(seed: $0) }
            for ((seed, item), outcome) in zip(zip(seeds, cases), program.run(cases)) {
                tally.count(item, outcome)
                for finding in item.findings(outcome) {
                    reported[finding.signature, default: 0] += 1
                    guard reported[finding.signature] == 1 else { continue }
                    // Each smaller case may be many processes: the first kinds are enough to begin with.
                    report(finding, item, seed, program, tries: reported.count <= 3 ? 100 : 0)
                }
            }
        }
        print("oracle: \(count) saves merged in both orders; \(tally)")
        for (signature, times) in reported.sorted(by: { $0.value > $1.value }) {
            print("oracle: \(times) × \(signature)")
        }
    }

    /// The first of each kind, made as small as it gets.
    private func report(
        _ finding: Finding, _ item: MergeCase, _ seed: UInt64, _ program: some MergesCases, tries: Int
    ) {
        var shrink = MergeShrink(program: program, signature: finding.signature)
        let small = shrink.shrink(item, atMost: tries)
        let outcome = program.run([small])[0]
        let said = small.findings(outcome).filter { $0.signature == finding.signature }
        OpenFindings.tell(
            """
            seed \(seed): \(finding)
            a smaller case:
            \(small.text)
            \(said.map(\.description).joined(separator: "\n"))
            merge A B: \(outcome.outputs[0]) [\(outcome.codes[0])]
            merge B A: \(outcome.outputs[1]) [\(outcome.codes[1])]
            \(outcome.errors.joined())
            """,
            isOpen: OpenFindings.ofMerges.contains(finding.signature)
        )
    }
}

/// What kinds of cases ran.
private struct Tally: CustomStringConvertible {
    private var kinds: [String: Int] = [:]

    mutating func count(_ item: MergeCase, _ outcome: MergeOutcome) {
        let sides = [item.a, item.b].count { !$0.isSame(as: item.base) }
        kinds["\(sides) sides played", default: 0] += 1
        for merge in Set(item.rules.rules.map(\.rule.merge.rawValue)) { kinds[merge, default: 0] += 1 }
        if outcome.codes.contains(3) { kinds["asked", default: 0] += 1 }
    }

    var description: String { kinds.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ") }
}
