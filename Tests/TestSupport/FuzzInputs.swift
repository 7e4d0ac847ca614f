/// The inputs of the fuzzers in `Tests/Fuzz` that tests replay.
package enum FuzzInputs {
    /// The files of a folder below `Tests`, sorted by name; none where there is no such folder.
    package static func files(_ folder: String) -> [(name: String, bytes: [UInt8])] {
        let path = "\(ExampleFiles.root)/Tests/\(folder)"
        return Disk.names(in: path).filter { !$0.hasPrefix(".") }.compactMap { name in
            Disk.read("\(path)/\(name)").map { (name, $0) }
        }
    }

    /// Replays a fuzzer's seeds, and every input that once broke something.
    ///
    /// - Parameters:
    ///   - name: The fuzzer, as `Tests/Fuzz/run` calls it.
    ///   - target: The test target whose folder `Regressions` has those inputs.
    ///   - oracle: One sentence on what does not hold for an input, or nil.
    /// - Returns: The number of seeds, and a sentence for each input for which something does not hold.
    package static func replay(
        _ name: String, of target: String, _ oracle: ([UInt8]) -> String?
    ) -> (seeds: Int, faults: [String]) {
        let seeds = files("Fuzz/Seeds/\(name)")
        let faults = (seeds + files("\(target)/Regressions/\(name)")).compactMap { file, bytes in
            oracle(bytes).map { "\(file): \($0)" }
        }
        return (seeds.count, faults)
    }
}
