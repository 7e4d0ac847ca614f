import TestSupport
import Testing

/// The seeds of the fuzzer in `Tests/Fuzz`, and every input that once broke something, with the fuzzer's oracle.
@Suite struct FuzzReplayTests {
    @Test func seedsAndRegressions() throws {
        let seeds = FuzzInputs.files("Fuzz/Seeds/RuleFile")
        #expect(!seeds.isEmpty)
        for (file, bytes) in seeds + FuzzInputs.files("RuleFileTests/Regressions") {
            let fault = RuleFileOracle.fault(bytes)
            #expect(fault == nil, "\(file): \(fault ?? "")")
        }
    }
}
