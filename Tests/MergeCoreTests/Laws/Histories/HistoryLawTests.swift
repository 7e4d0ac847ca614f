import LosslessJSON
import MergeCore
import TestSupport
import Testing

/// Random households: three or four replicas under random rules, whose games edit, hold stale snapshots and are
/// overtaken, whose players reset, restore, undo, decide and change rules. Whatever the order in which they meet, all
/// end alike, and at every step each shows what was written, by the ledger's reckoning.
@Suite struct HistoryLawTests {
    private static let blocks = 8
    private static let runs = TestDepth.count(quick: 15, usual: 20, all: 75)

    @Test(arguments: 0..<blocks) func everyHistoryEndsAlike(block: Int) {
        for seed in block * Self.runs..<(block + 1) * Self.runs {
            let run = HistoryRun(seed: UInt64(seed))
            let outcome = run.outcome(of: run.steps)
            if outcome.failure != nil {
                Issue.record("\(run.report().text)")
                return
            }
            LawTally.histories.add(
                cases: outcome.cases,
                state: outcome.atoms,
                conflicts: outcome.conflicts.count,
                of: outcome.conflicts.of
            )
        }
        let count = Self.blocks * Self.runs
        // Some 85 steps and orders of a history are compared.
        LawTally.histories.print("random histories", after: count, cases: (60 * count)...)
    }

    @Test func aFaultIsFoundAndToldInFewSteps() throws {
        let purse = HistoryField.all.filter { $0.account == .sum }
        let run = try #require(
            (0..<20).lazy.map { HistoryRun(seed: $0, fields: purse) }.first {
                $0.outcome(of: $0.steps, fault: .firstDeviceLosesCounters).failure != nil
            }
        )
        let report = run.report(.firstDeviceLosesCounters)
        // Somebody earns, and the first device hears of it.
        #expect(report.steps.count == 2, "\(report.text)")
        #expect(report.text.contains("writes m") && report.text.contains("0 hears"), "\(report.text)")
        #expect(run.outcome(of: report.steps).failure == nil, "without the fault nothing is wrong")
    }
}

@Suite struct ShrinkerTests {
    @Test func whatMattersIsLeft() {
        for culprits in [[3], [3, 17], [0, 99], [5, 6, 7, 50], []] {
            let left = shrunk(Array(0..<100)) { steps in culprits.allSatisfy(steps.contains) }
            #expect(left == culprits)
        }
    }

    /// Steps that only fail together with one of others: what is left is small, if not the smallest.
    @Test func noSingleStepCanGo() {
        let fails = { (steps: [Int]) in
            steps.filter { $0 % 3 == 0 }.count >= 4 || steps.contains(77) && steps.contains(8)
        }
        let left = shrunk(Array(0..<90), fails: fails)
        #expect(fails(left))
        for index in left.indices {
            var fewer = left
            fewer.remove(at: index)
            #expect(!fails(fewer))
        }
    }

    @Test func triesAreBounded() {
        var calls = 0
        let left = shrunk(Array(0..<1_000), tries: 50) { steps in
            calls += 1
            return steps.count >= 999
        }
        #expect(calls <= 50 && left.count >= 999)
    }
}
