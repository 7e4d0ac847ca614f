package import LosslessJSON
package import MergeCore
import RuleFile

extension PlainHousehold {
    /// Plays random scenarios, one for each seed, with play that is invented from the saves; see
    /// ``Household/explore(seeds:devices:beginning:samples:moves:invariants:weights:failureLimit:progress:)``.
    ///
    /// ```swift
    /// let result = await PlainHousehold.explore(seeds: 1...1_000, rules: rules, saves: saves)
    /// #expect(result.isClean, "\(result)")
    /// ```
    ///
    /// A test that is printed calls the rules `rules`, the saves `saves` and the invariants `invariants`.
    ///
    /// - Parameters:
    ///   - seeds: The seeds to play.
    ///   - devices: Their names.
    ///   - rules: The rule file, in YAML.
    ///   - saves: Saves of the game, in JSON: all devices begin with the first, and values of all of them turn up in play.
    ///   - invariants: What must hold of the text of every save, each with its words.
    ///   - weights: How often each kind of step comes.
    ///   - failureLimit: After so many seeds in which something went wrong no more are played.
    ///   - progress: Is told how many seeds are done.
    /// - Returns: What came of it; what is wrong with the rules or a save is its ``Exploration/trouble``.
    public static func explore(
        seeds: ClosedRange<UInt64>, devices: [String] = ["laptop", "deck", "desktop"], rules: String, saves: [String],
        invariants: [(name: String, holds: @Sendable (String) -> Bool)] = [], weights: StepWeights = StepWeights(),
        failureLimit: Int = 1, progress: @escaping @Sendable (_ done: Int) -> Void = { _ in }
    ) async -> Exploration {
        do {
            let set = try RuleSet(yaml: rules)
            let documents = try saves.map { try JSONDocument(parsing: Array($0.utf8)) }
            return await explore(
                seeds: seeds, devices: devices, rules: set, saves: documents, invariants: invariants, weights: weights,
                failureLimit: failureLimit, progress: progress)
        } catch {
            return Exploration(trouble: "\(error)")
        }
    }

    /// Explores a household like the function above, from rules and saves that have been read already.
    package static func explore(
        seeds: ClosedRange<UInt64>, devices: [String] = ["laptop", "deck", "desktop"], rules: RuleSet,
        saves: [JSONDocument], invariants: [(name: String, holds: @Sendable (String) -> Bool)] = [],
        weights: StepWeights = StepWeights(), failureLimit: Int = 1,
        progress: @escaping @Sendable (_ done: Int) -> Void = { _ in }
    ) async -> Exploration {
        guard let first = saves.first else {
            return Exploration(trouble: "play is invented from saves, and there is none")
        }
        let game = SimulatedGame.plain(
            rules: rules, beginning: first, named: "saves[0]", samples: saves.map { $0.value($0.root) },
            invariants: erased(invariants))
        let runner = ExplorationRunner(
            explorer: Explorer(game: game, devices: devices, weights: weights), failureLimit: failureLimit,
            progress: progress)
        return await runner.explore(seeds)
    }
}
