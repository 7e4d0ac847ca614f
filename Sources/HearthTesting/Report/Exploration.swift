/// What came of many random runs.
public struct Exploration: Sendable, CustomStringConvertible {
    /// A run in which something was found, made as short as it can be.
    public struct Failure: Sendable, CustomStringConvertible {
        /// The seed of the run.
        public let seed: UInt64
        /// What was found first.
        public let finding: HouseholdFinding
        /// How many steps the run had before it was made shorter.
        public let length: Int
        /// The shortest scenario that was found in which the same goes wrong.
        public let scenario: Scenario
        /// The scenario as a test in Swift that can be pasted.
        public let code: String
        /// What happens in it.
        public let timeline: Timeline

        /// The finding, the test, and what happens in it.
        public var description: String {
            "seed \(seed): \(finding)\n\(scenario.steps.count) of \(length) steps show it:\n\n\(code)\n\(timeline)"
        }
    }

    /// What came of places under one rule that two devices had written apart.
    public struct RuleOutcome: Hashable, Sendable {
        /// The path of the rule; `nil` for places without one.
        public let pattern: String?
        /// The rule, such as `counter`.
        public let rule: String
        /// How often two devices had written a place of it apart.
        public let count: Int
        /// What was there, what was written, and what came of it.
        public let example: String
    }

    /// How many runs there were.
    public internal(set) var runs = 0
    /// How many steps they had together.
    public internal(set) var steps = 0
    /// How often all came to rest and the files were judged. It is less often than households settled where devices had
    /// to say something first.
    public internal(set) var judged = 0
    /// How often each kind of step came, in the order of the words; faults are among them.
    public internal(set) var kinds: [(kind: String, count: Int)] = []
    /// How often something went wrong on purpose, by its kind: a partition, a crash, a full disk.
    public internal(set) var faults: [(kind: String, count: Int)] = []
    /// In how many runs something was found.
    public internal(set) var failed = 0
    /// The first runs in which something was found, by their seeds: no more than the limit of the call.
    public internal(set) var failures: [Failure] = []
    /// What came of the rules, in the order in which they were put to the test.
    public internal(set) var outcomes: [RuleOutcome] = []
    /// A hash of everything that happened in all runs; the same for the same seeds, everywhere.
    public internal(set) var digest: UInt64 = 0
    /// Why there were no runs, or no more of them; `nil` where there were all.
    public internal(set) var trouble: String? = nil

    init(trouble: String? = nil) { self.trouble = trouble }

    /// Whether all seeds were played and nothing was found.
    public var isClean: Bool { failed == 0 && trouble == nil }

    /// The failures, if any, and one line with the figures.
    public var description: String {
        failures.map { "\($0)\n" }.joined() + (trouble.map { "\($0)\n" } ?? "") + summary
    }

    /// `1000 runs, 14203 steps (heal 810, play 5210, …), 2204 of them faults (crash 310, partition 640, …), 2950 times
    /// judged, 0 failed, digest 9f86d081884c7d65`, on one line.
    public var summary: String {
        func list(_ counts: [(kind: String, count: Int)]) -> String {
            counts.isEmpty ? "" : " (\(counts.map { "\($0.kind) \($0.count)" }.joined(separator: ", ")))"
        }
        let others = kinds.filter { kind in !faults.contains { $0.kind == kind.kind } }
        return "\(runs) runs, \(steps) steps\(list(others)), \(faults.reduce(0) { $0 + $1.count }) of them faults"
            + "\(list(faults)), \(judged) times judged, \(failed) failed, digest \(digestText)"
    }

    /// The digest as 16 digits.
    public var digestText: String {
        let digits = String(digest, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
