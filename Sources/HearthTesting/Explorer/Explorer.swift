import HouseholdSimulation
import LosslessJSON
import MergeCore
import SyncProtocol

/// Plays random scenarios in households of one game: one for each seed, and for each seed always the same.
struct Explorer: Sendable {
    /// What came of one seed.
    struct Run: Sendable {
        let scenario: Scenario
        let findings: [HouseholdFinding]
        let outcomes: RuleOutcomes
        /// How often all came to rest and the files were judged.
        let judgedRests: Int
        let digest: UInt64
    }

    let beginnings: HouseholdBeginnings
    let choice: StepChoice
    /// How often all comes to rest in a run.
    var rounds = 3
    /// The most steps between two rests.
    var steps = 12

    init(game: SimulatedGame, devices: [String], weights: StepWeights) {
        beginnings = HouseholdBeginnings(game, devices: devices)
        choice = StepChoice(game, weights)
    }

    var game: SimulatedGame { beginnings.game }

    /// Plays a seed until something is found.
    func run(_ seed: UInt64) throws(StageFault) -> Run {
        try remembering { () throws(StageFault) in
            Self.outcome(of: try invented(seed))
        }
    }

    /// The stage after a seed was played.
    private func invented(_ seed: UInt64) throws(StageFault) -> Stage {
        let stage = try Stage(beginnings, seed: seed, isTold: false)
        var random = SimulatedRandom(seed: seed ^ 0x5EED)
        for _ in 0..<rounds where stage.findings.isEmpty {
            for _ in 0...random.below(max(1, steps)) where stage.findings.isEmpty {
                if let step = choice.next(on: stage, &random) { stage.perform(step) }
            }
            for step in Self.ending(stage) where stage.findings.isEmpty { stage.perform(step) }
        }
        return stage
    }

    /// Plays a scenario that is known.
    func replay(_ scenario: Scenario) throws(StageFault) -> Run {
        Self.outcome(of: try played(scenario, isTold: false))
    }

    /// The stage after a scenario that is known.
    func played(_ scenario: Scenario, isTold: Bool = true) throws(StageFault) -> Stage {
        try remembering { () throws(StageFault) in
            let isKnown = scenario.devices == beginnings.names
            let stage = try Stage(
                isKnown ? beginnings : HouseholdBeginnings(game, devices: scenario.devices), seed: scenario.seed,
                isTold: isTold)
            for step in scenario.steps where stage.findings.isEmpty { stage.perform(step) }
            return stage
        }
    }

    /// Does something without verifying again what a device of one of the households has verified.
    private func remembering<Made>(_ body: () throws(StageFault) -> Made) throws(StageFault) -> Made {
        try VerifiedSignatures.$current.withValue(beginnings.signatures) { () -> Result<Made, StageFault> in
            do throws(StageFault) {
                return .success(try body())
            } catch {
                return .failure(error)
            }
        }.get()
    }

    /// What must be before all can come to rest.
    static func ending(_ stage: Stage) -> [HouseholdStep] {
        let full = zip(stage.isFull, stage.names).filter(\.0).map { HouseholdStep.freesDisk($0.1) }
        let readOnly = zip(stage.isReadOnly, stage.names).filter(\.0).map { HouseholdStep.makesDiskWritable($0.1) }
        return full + readOnly + [.heal, .settle]
    }

    private static func outcome(of stage: Stage) -> Run {
        Run(
            scenario: Scenario(devices: stage.names, seed: stage.seed, steps: stage.steps), findings: stage.findings,
            outcomes: stage.outcomes, judgedRests: stage.judgedRests, digest: stage.digest)
    }
}
