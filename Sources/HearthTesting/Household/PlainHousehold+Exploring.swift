public import LosslessJSON
public import MergeCore

extension PlainHousehold {
    /// Plays random scenarios, one for each seed, with play that is invented from the saves; see
    /// ``Household/explore(seeds:devices:beginning:samples:moves:invariants:weights:failureLimit:progress:)``.
    ///
    /// - Parameters:
    ///   - seeds: The seeds to play.
    ///   - devices: Their names.
    ///   - rules: The rules of the save.
    ///   - saves: Saves of the game: all devices begin with the first, and values of all of them turn up in play.
    ///   - invariants: What must hold of the text of every save, each with its words.
    ///   - weights: How often each kind of step comes.
    ///   - failureLimit: After so many seeds in which something went wrong no more are played.
    ///   - progress: Is told how many seeds are done.
    public static func explore(
        seeds: ClosedRange<UInt64>, devices: [String] = ["laptop", "deck", "desktop"], rules: RuleSet,
        saves: [JSONDocument], invariants: [(name: String, holds: @Sendable (String) -> Bool)] = [],
        weights: StepWeights = StepWeights(), failureLimit: Int = 1,
        progress: @escaping @Sendable (_ done: Int) -> Void = { _ in }
    ) async -> Exploration {
        guard let first = saves.first else {
            var result = Exploration()
            result.trouble = "play is invented from saves, and there is none"
            return result
        }
        let game = SimulatedGame.plain(
            rules: rules, beginning: first, samples: saves.map { $0.value($0.root) }, invariants: erased(invariants))
        let runner = ExplorationRunner(
            explorer: Explorer(game: game, devices: devices, weights: weights), hasMoves: false,
            failureLimit: failureLimit, progress: progress)
        return await runner.explore(seeds)
    }
}
