public import HearthKit
import LosslessJSON

extension Household {
    /// Plays random scenarios, one for each seed, checks each, and makes those short in which something goes wrong.
    ///
    /// ```swift
    /// let result = await Household<Hero>.explore(seeds: 1...1_000, moves: moves, invariants: [
    ///     Invariant("coins are never below zero") { $0.coins >= 0 },
    /// ])
    /// #expect(result.isClean, "\(result)")
    /// ```
    ///
    /// Without moves, play is invented from the fields and their rules: amounts are earned and spent, records get better.
    /// With moves, play is made of them alone.
    ///
    /// - Parameters:
    ///   - seeds: The seeds to play. Each is played on one thread; several are played at the same time, and the result
    ///     does not depend on that.
    ///   - devices: Their names.
    ///   - beginning: The profile that all devices begin with.
    ///   - samples: Profiles whose values turn up in invented play, beside those that are in the files.
    ///   - moves: What the game does.
    ///   - invariants: What must hold of every save.
    ///   - weights: How often each kind of step comes.
    ///   - failureLimit: After so many seeds in which something went wrong no more are played.
    ///   - progress: Is told how many seeds are done.
    public static func explore(
        seeds: ClosedRange<UInt64>, devices: [String] = ["laptop", "deck", "desktop"], beginning: Subject = Subject(),
        samples: [Subject] = [], moves: [Move<Subject>] = [], invariants: [Invariant<Subject>] = [],
        weights: StepWeights = StepWeights(), failureLimit: Int = 1,
        progress: @escaping @Sendable (_ done: Int) -> Void = { _ in }
    ) async -> Exploration {
        let game: SimulatedGame
        do {
            let codec = try ProfileCodec<Subject>()
            game = try SimulatedGame.typed(
                Subject.self, beginning: beginning, samples: samples, moves: moves.map { $0.erased(codec) },
                invariants: invariants.map { $0.erased(codec) })
        } catch {
            return Exploration(trouble: "\(error)")
        }
        let runner = ExplorationRunner(
            explorer: Explorer(game: game, devices: devices, weights: weights), failureLimit: failureLimit,
            progress: progress)
        return await runner.explore(seeds)
    }
}
