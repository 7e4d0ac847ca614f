import MergeCore
import Synchronization
import Testing

/// Counts over the runs of one test, and prints them in one line once the last of them is done.
final class LawTally: Sendable {
    static let epochs = LawTally()
    static let histories = LawTally()

    private struct Counts {
        var runs = 0
        var cases = 0
        var states = Set<Int>()
        var conflicts = 0
        var chances = 0
    }

    private let counts = Mutex(Counts())

    /// - Parameters:
    ///   - state: What it ended with; told apart by its hash.
    ///   - conflicts: In how many of `chances` two replicas wrote one key, neither knowing of the other.
    func add(cases: Int, state: [KeyedAtom], conflicts: Int, of chances: Int) {
        let hash = state.hashValue
        counts.withLock {
            $0.runs += 1
            $0.cases += cases
            $0.states.insert(hash)
            $0.conflicts += conflicts
            $0.chances += chances
        }
    }

    /// - Parameter cases: How many there must have been.
    func print(_ what: String, after runs: Int, cases: some RangeExpression<Int>) {
        let counts = counts.withLock { $0 }
        guard counts.runs == runs else { return }
        #expect(cases.contains(counts.cases), "\(what): \(counts.cases)")
        let share = counts.conflicts * 100 / max(1, counts.chances)
        Swift.print(
            "\(what): \(counts.cases) cases, \(counts.states.count) distinct states, \(share) % with real conflicts")
    }
}
