import TestSupport
import Testing

/// The seeds of the fuzzers of the wire in `Tests/Fuzz`, and every input that once broke something, with the fuzzers'
/// oracles.
@Suite struct FuzzReplayTests {
    @Test func links() { replay("Link", LinkOracle.fault) }

    @Test func pairings() { replay("Pairing", PairingOracle.fault) }

    @Test func transferFiles() { replay("Transfer", TransferOracle.fault) }

    /// The tag is one string of a TXT record.
    @Test func tags() { replay("TXT", TagOracle.fault) }

    private func replay(_ name: String, _ oracle: ([UInt8]) -> String?) {
        let (seeds, faults) = FuzzInputs.replay(name, of: "SyncProtocolTests", oracle)
        #expect(seeds > 0 && faults.isEmpty, "\(faults)")
    }
}
