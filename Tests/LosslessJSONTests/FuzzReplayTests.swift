import Libc
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
            for (file, seed) in try inputs("Fuzz/Seeds/\(name)") where !seed.isEmpty {
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
        let seeds = try inputs("Fuzz/Seeds/\(name)")
        #expect(!seeds.isEmpty)
        for (file, bytes) in try seeds + inputs("LosslessJSONTests/Regressions/\(name)") {
            let fault = oracle(bytes)
            #expect(fault == nil, "\(file): \(fault ?? "")")
        }
    }

    /// The files of a folder beside this test's, sorted by name; none where there is no such folder.
    private func inputs(_ folder: String) throws -> [(name: String, bytes: [UInt8])] {
        let tests = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/")
        guard let stream = opendir("\(tests)/\(folder)") else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return try names.sorted().map { name in
            let file = try #require(fopen("\(tests)/\(folder)/\(name)", "rb"), "\(name) cannot be opened")
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 1 << 20)
            let count = fread(&bytes, 1, bytes.count, file)
            return (name, Array(bytes[..<count]))
        }
    }
}
