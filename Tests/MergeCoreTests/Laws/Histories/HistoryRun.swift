import MergeCore
import TestSupport

/// A random household with its history, both made from a seed.
struct HistoryRun {
    struct Outcome {
        /// What is wrong, and after which step.
        var failure: String?
        var story: [String]
        /// Steps taken, each looked at on every device.
        var cases = 0
        var conflicts = (count: 0, of: 0)
        var atoms: [KeyedAtom] = []
    }

    let seed: UInt64
    let devices: Int
    let fields: [HistoryField]
    let skew: [Int64]
    let steps: [HistoryStep]

    init(seed: UInt64, fields given: [HistoryField]? = nil) {
        var random = SeededRandom(seed: seed)
        self.seed = seed
        devices = 3 + random.below(2)
        fields = given ?? (0..<(3 + random.below(4))).map { _ in random.pick(HistoryField.all) }
        // Clocks years apart, in some.
        skew = (0..<4).map { _ in random.chance(50) ? 0 : Int64(random.below(3) - 1) * 315_360_000_000 }
        var steps: [HistoryStep] = []
        for _ in 0..<(10 + random.below(30)) { steps.append(.random(&random, devices: devices, members: fields.count)) }
        self.steps = steps
    }

    func outcome(of steps: [HistoryStep], fault: HistoryWorld.Fault? = nil) -> Outcome {
        var world = HistoryWorld(devices: devices, fields: fields, skew: skew, fault: fault)
        var cases = 0
        do {
            for step in steps {
                cases += devices
                if let wrong = try world.take(step) { return Outcome(failure: wrong, story: world.story) }
            }
            if let wrong = try world.finish() { return Outcome(failure: "once all met: " + wrong, story: world.story) }
        } catch {
            return Outcome(failure: "\(error)", story: world.story)
        }
        return Outcome(
            story: world.story,
            cases: cases,
            conflicts: world.ledger.conflicts,
            atoms: world.devices[0].state.sortedAtoms
        )
    }

    /// The failure in as few steps as can be, to be read by a person.
    func report(_ fault: HistoryWorld.Fault? = nil) -> (steps: [HistoryStep], text: String) {
        let few = shrunk(steps) { outcome(of: $0, fault: fault).failure != nil }
        let last = outcome(of: few, fault: fault)
        let story = last.story.map { "  " + $0 }.joined(separator: "\n")
        return (few, "seed \(seed): \(last.failure ?? "nothing") after\n\(story)")
    }
}
