import HouseholdSimulation
import MergeCore

/// Runs an explorer over many seeds.
struct ExplorationRunner: Sendable {
    let explorer: Explorer
    /// After so many failing seeds no more are played.
    let failureLimit: Int
    /// Is told how many runs are done, after each.
    let progress: @Sendable (Int) -> Void

    /// The number of seeds that are played at the same time, as far as there are processors. It does not change what comes
    /// of any of them.
    private static let batch: UInt64 = 32

    func explore(_ seeds: ClosedRange<UInt64>) async -> Exploration {
        guard failureLimit >= 1 else { return Exploration(trouble: "failureLimit has to be at least 1") }
        guard explorer.choice.hasSteps else {
            return Exploration(trouble: "no step has a weight")
        }
        var result = Exploration()
        var (sum, outcomes, kinds, faults) = (FNV1a(), RuleOutcomes(), [String: Int](), Set<String>())
        var next: UInt64? = seeds.lowerBound
        while let first = next, result.failures.count < failureLimit, result.trouble == nil, !Task.isCancelled {
            let last = first + min(seeds.upperBound - first, Self.batch - 1)
            for played in await runs(first...last, after: result.runs) {
                switch played {
                case .failure(let fault): result.trouble = result.trouble ?? fault.description
                case .success(let run):
                    result.runs += 1
                    result.steps += run.scenario.steps.count
                    result.judged += run.judgedRests
                    for step in run.scenario.steps {
                        kinds[step.kind, default: 0] += 1
                        if step.isFault { faults.insert(step.kind) }
                    }
                    for shift in stride(from: UInt64(0), to: 64, by: 8) {
                        sum.add(UInt8(truncatingIfNeeded: run.digest >> shift))
                    }
                    outcomes.add(run.outcomes)
                    guard !run.findings.isEmpty else { continue }
                    result.failed += 1
                    guard result.failures.count < failureLimit else { continue }
                    result.failures.append(failure(run, run.findings[0]))
                }
            }
            next = last >= seeds.upperBound ? nil : last + 1
        }
        if next != nil, result.failures.count < failureLimit, result.trouble == nil {
            result.trouble = "it was cancelled"
        }
        result.kinds = kinds.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        result.faults = result.kinds.filter { faults.contains($0.kind) }
        result.outcomes = outcomes.all.map {
            Exploration.RuleOutcome(pattern: $0.pattern, rule: $0.rule, count: $0.count, example: $0.example)
        }
        result.digest = sum.value
        return result
    }

    /// The runs of some seeds, in the order of the seeds.
    ///
    /// - Parameter done: How many runs there were before.
    private func runs(
        _ seeds: ClosedRange<UInt64>, after done: Int
    ) async -> [Result<Explorer.Run, StageFault>] {
        await withTaskGroup(of: (UInt64, Result<Explorer.Run, StageFault>).self) { group in
            for seed in seeds {
                group.addTask { [explorer] in
                    do throws(StageFault) {
                        return (seed, .success(try explorer.run(seed)))
                    } catch {
                        return (seed, .failure(error))
                    }
                }
            }
            var all: [(UInt64, Result<Explorer.Run, StageFault>)] = []
            for await one in group {
                all.append(one)
                progress(done + all.count)
            }
            return all.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// A failing run, made shorter.
    private func failure(_ run: Explorer.Run, _ finding: HouseholdFinding) -> Exploration.Failure {
        var shrinker = Shrinker { [explorer] scenario in
            guard let other = try? explorer.replay(scenario) else { return false }
            return other.findings.first.map { $0.isLike(finding) } ?? false
        }
        let short = shrinker.shrunk(run.scenario)
        let stage = try? explorer.played(short)
        stage?.tellReasons()
        return Exploration.Failure(
            seed: run.scenario.seed, finding: stage?.findings.first ?? finding, length: run.scenario.steps.count,
            scenario: short,
            code: ScenarioCode(short, of: explorer.game).test(named: "seed\(run.scenario.seed)"),
            timeline: stage?.timeline ?? Timeline(devices: short.devices))
    }
}
