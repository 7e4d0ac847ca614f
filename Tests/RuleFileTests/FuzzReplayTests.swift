import Libc
import TestSupport
import Testing

/// The seeds of the fuzzer in `Tests/Fuzz`, and every input that once broke something, with the fuzzer's oracle.
@Suite struct FuzzReplayTests {
    @Test func seedsAndRegressions() throws {
        let seeds = try inputs("Fuzz/Seeds/RuleFile")
        #expect(!seeds.isEmpty)
        for (file, bytes) in try seeds + inputs("RuleFileTests/Regressions") {
            let fault = RuleFileOracle.fault(bytes)
            #expect(fault == nil, "\(file): \(fault ?? "")")
        }
    }

    /// The files of a folder beside this test's, sorted by name; none where there is no such folder.
    private func inputs(_ folder: String) throws -> [(name: String, bytes: [UInt8])] {
        guard let stream = opendir("\(ExampleFiles.root)/Tests/\(folder)") else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return try names.sorted().map { name in
            let file = try #require(
                fopen("\(ExampleFiles.root)/Tests/\(folder)/\(name)", "rb"), "\(name) cannot be opened")
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 1 << 20)
            let count = fread(&bytes, 1, bytes.count, file)
            return (name, Array(bytes[..<count]))
        }
    }
}
