import TestSupport
import Testing

/// The seeds of the fuzzer of stored states in `Tests/Fuzz`, and every input that once broke something.
@Suite struct FuzzReplayTests {
    @Test func storedStates() {
        let (seeds, faults) = FuzzInputs.replay("State", of: "MergeCoreTests", StateOracle.fault(stored:))
        #expect(seeds > 0 && faults.isEmpty, "\(faults)")
    }
}
