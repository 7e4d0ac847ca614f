import TestSupport
import Testing

@testable import HearthTesting

/// Shrinking by itself, with a made-up reason to fail.
@Suite struct ShrinkerTests {
    private func scenario(_ steps: [HouseholdStep], devices: [String] = ["a", "b", "c"]) -> Scenario {
        Scenario(devices: devices, seed: 1, steps: steps)
    }

    private func contains(_ steps: [HouseholdStep], in scenario: Scenario) -> Bool {
        var rest = scenario.steps[...]
        return steps.allSatisfy { step in
            guard let index = rest.firstIndex(of: step) else { return false }
            rest = rest[(index + 1)...]
            return true
        }
    }

    /// Of many steps those are left that make it fail, in their order.
    @Test(arguments: 1...30) func whatMattersIsLeft(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let needed: [HouseholdStep] = [.partition("a", "b"), .plays("b", [.add("/coins", 1)]), .heal, .settle]
        var steps: [HouseholdStep] = []
        for step in needed {
            for _ in 0..<random.below(12) { steps.append(.setsClock("c", ahead: Int64(random.below(1_000_000)))) }
            steps.append(step)
        }
        var shrinker = Shrinker { contains(needed, in: $0) }
        let short = shrinker.shrunk(scenario(steps))
        #expect(short.steps == needed)
        #expect(short.devices == ["a", "b"])
    }

    @Test func editsAndAmountsBecomeSmall() {
        let edits: [SaveEdit] = [.add("/coins", 57), .set("/name", "\"Bo\""), .insert("/themes", "1")]
        var shrinker = Shrinker { scenario in
            scenario.steps.contains { step in
                guard case .plays("a", let edits) = step else { return false }
                return edits.contains { $0.place == "/coins" }
            }
        }
        let short = shrinker.shrunk(scenario([.plays("a", edits), .settle], devices: ["a", "b"]))
        #expect(short.steps == [.plays("a", [.add("/coins", 1)])])
    }

    @Test func whatCannotBeShorterStays() {
        let steps: [HouseholdStep] = [.heal, .settle]
        var shrinker = Shrinker { $0.steps == steps }
        #expect(shrinker.shrunk(scenario(steps, devices: ["a", "b"])).steps == steps)
    }

    /// It ends, whatever it is told.
    @Test func theBudgetIsKept() {
        var runs = 0
        let steps = (0..<500).map { HouseholdStep.wait(Int64($0)) }
        var shrinker = Shrinker(budget: 50) { _ in
            runs += 1
            return false
        }
        #expect(shrinker.shrunk(scenario(steps)).steps == steps)
        #expect(runs <= 50)
    }
}
