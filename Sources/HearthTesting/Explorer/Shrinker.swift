/// Makes a scenario shorter in which something goes wrong, as long as the same goes wrong.
///
/// Steps are left out by delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input",
/// IEEE Transactions on Software Engineering, 2002): first in large pieces, then in smaller ones. Then what is left is
/// made simpler: fewer edits in a save, smaller amounts, fewer devices.
struct Shrinker {
    /// The most runs that shrinking may take.
    private var budget: Int
    private let fails: (Scenario) -> Bool

    /// - Parameter fails: Whether a scenario still goes wrong in the same way.
    init(budget: Int = 400, fails: @escaping (Scenario) -> Bool) { (self.budget, self.fails) = (budget, fails) }

    mutating func shrunk(_ scenario: Scenario) -> Scenario {
        var result = scenario
        while true {
            let former = result
            leaveOutSteps(of: &result)
            leaveOutEdits(of: &result)
            leaveOutDevices(of: &result)
            guard result != former, budget > 0 else { return result }
        }
    }

    // MARK: Steps

    private mutating func leaveOutSteps(of scenario: inout Scenario) {
        var size = max(1, scenario.steps.count / 2)
        while true {
            var start = 0
            while start < scenario.steps.count {
                var shorter = scenario
                shorter.steps.removeSubrange(start..<min(start + size, scenario.steps.count))
                if !take(shorter, for: &scenario) { start += size }
            }
            guard size > 1 else { return }
            size /= 2
        }
    }

    // MARK: What is in a step

    private mutating func leaveOutEdits(of scenario: inout Scenario) {
        for index in scenario.steps.indices {
            for simpler in Self.simpler(scenario.steps[index]) {
                var other = scenario
                other.steps[index] = simpler
                if take(other, for: &scenario) { break }
            }
        }
    }

    /// Steps that do less, the least first.
    static func simpler(_ step: HouseholdStep) -> [HouseholdStep] {
        switch step {
        case .plays(let device, let edits): simpler(edits).map { .plays(device, $0) }
        case .overwrites(let device, let edits): ([[]] + simpler(edits)).map { .overwrites(device, $0) }
        case .overwritesAmid(let device, let edits, let step):
            [.overwrites(device, edits)] + simpler(edits).map { .overwritesAmid(device, $0, diskStep: step) }
        case .crashes(let device, .some): [.crashes(device, beforeDiskStep: nil)]
        case .silence(let one, let other): [.partition(one, other)]
        case .silencesOneWay(let one, let other): [.partition(one, other), .silence(one, other)]
        case .wait(let milliseconds):
            [Int64(1), 1_000, 10_000].filter { $0 < milliseconds }.map { .wait($0) }
        case .setsClock(let device, let ahead):
            [ahead < 0 ? -3_600_000 : 3_600_000].filter { abs($0) < abs(ahead) }.map { .setsClock(device, ahead: $0) }
        default: []
        }
    }

    private static func simpler(_ edits: [SaveEdit]) -> [[SaveEdit]] {
        var results = edits.count > 1 ? edits.map { [$0] } : []
        for (index, edit) in edits.enumerated() {
            guard case .add(let amount) = edit.change, let number = Int(amount), abs(number) > 1 else { continue }
            var smaller = edits
            smaller[index] = .add(edit.place, number < 0 ? -1 : 1)
            results.append(smaller)
        }
        return results
    }

    // MARK: Devices

    private mutating func leaveOutDevices(of scenario: inout Scenario) {
        for device in scenario.devices.reversed() where scenario.devices.count > 2 {
            guard !scenario.steps.contains(where: { $0.devices.contains(device) }) else { continue }
            var fewer = scenario
            fewer.devices.removeAll { $0 == device }
            _ = take(fewer, for: &scenario)
        }
    }

    /// Takes a simpler scenario where it still goes wrong.
    private mutating func take(_ simpler: Scenario, for scenario: inout Scenario) -> Bool {
        guard budget > 0, simpler != scenario else { return false }
        budget -= 1
        guard fails(simpler) else { return false }
        scenario = simpler
        return true
    }
}
