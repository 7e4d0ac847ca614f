import HouseholdSimulation
import LosslessJSON
import MergeCore

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

    let game: SimulatedGame
    let devices: [String]
    let choice: StepChoice
    /// How often all comes to rest in a run.
    var rounds = 3
    /// The most steps between two rests.
    var steps = 12

    init(game: SimulatedGame, devices: [String], weights: StepWeights) {
        (self.game, self.devices, choice) = (game, devices, StepChoice(game, weights))
    }

    /// Plays a seed until something is found.
    func run(_ seed: UInt64) throws(StageFault) -> Run {
        let stage = try Stage(game, devices: devices, seed: seed, isTold: false)
        var random = SimulatedRandom(seed: seed ^ 0x5EED)
        for _ in 0..<rounds where stage.findings.isEmpty {
            for _ in 0...random.below(max(1, steps)) where stage.findings.isEmpty {
                if let step = choice.next(on: stage, &random) { stage.perform(step) }
            }
            for step in Self.ending(stage) where stage.findings.isEmpty { stage.perform(step) }
        }
        return Self.outcome(of: stage)
    }

    /// Plays a scenario that is known.
    func replay(_ scenario: Scenario) throws(StageFault) -> Run {
        Self.outcome(of: try played(scenario, isTold: false))
    }

    /// The stage after a scenario that is known.
    func played(_ scenario: Scenario, isTold: Bool = true) throws(StageFault) -> Stage {
        let stage = try Stage(game, devices: scenario.devices, seed: scenario.seed, isTold: isTold)
        for step in scenario.steps where stage.findings.isEmpty { stage.perform(step) }
        return stage
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
