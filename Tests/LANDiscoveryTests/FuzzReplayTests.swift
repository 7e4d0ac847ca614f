import TestSupport
import Testing

/// The seeds of the fuzzer of TXT records in `Tests/Fuzz`, and every input that once broke something.
@Suite struct FuzzReplayTests {
    @Test func records() {
        let (seeds, faults) = FuzzInputs.replay("TXT", of: "LANDiscoveryTests", TXTOracle.fault)
        #expect(seeds > 0 && faults.isEmpty, "\(faults)")
    }
}
