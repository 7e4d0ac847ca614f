import TestSupport
import Testing

@testable import LosslessJSON

/// The seeds of the fuzzers in `Tests/Fuzz`, and every input that once broke something, with the fuzzers' oracles.
@Suite struct FuzzReplayTests {
    @Test func parser() throws { try replay("Parser", ParserOracle.fault) }

    @Test func patcher() throws { try replay("Patcher", PatcherOracle.fault) }

    /// Small damage to every seed, without a fuzzer's guidance.
    @Test func damagedSeeds() throws {
        var random = SeededRandom(seed: 5)
        for (name, oracle) in [("Parser", ParserOracle.fault), ("Patcher", PatcherOracle.fault)] {
            for (file, seed) in FuzzInputs.files("Fuzz/Seeds/\(name)") where !seed.isEmpty {
                for _ in 0..<40 {
                    var bytes = seed
                    for _ in 0...random.below(3) {
                        let index = random.below(bytes.count)
                        switch random.below(4) {
                        case 0: bytes[index] = UInt8(random.below(256))
                        case 1: bytes.insert(utf8("{}[]:,\"\\ue0-.1 \n")[random.below(16)], at: index)
                        case 2 where bytes.count > 1: bytes.remove(at: index)
                        default: bytes.insert(contentsOf: bytes[index...].prefix(8), at: random.below(bytes.count))
                        }
                    }
                    let fault = oracle(bytes)
                    #expect(fault == nil, "\(name) \(file) became \(bytes): \(fault ?? "")")
                }
            }
        }
    }

    private func replay(_ name: String, _ oracle: ([UInt8]) -> String?) throws {
        let seeds = FuzzInputs.files("Fuzz/Seeds/\(name)")
        #expect(!seeds.isEmpty)
        for (file, bytes) in seeds + FuzzInputs.files("LosslessJSONTests/Regressions/\(name)") {
            let fault = oracle(bytes)
            #expect(fault == nil, "\(file): \(fault ?? "")")
        }
    }
}
