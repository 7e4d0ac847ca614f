import Glibc
import LosslessJSON
import MergeCore

/// Our side of `engines.py`: times in ms (medians), sizes in bytes; the last line is JSON.
///
///     enginebench map N RUNS            a flat map of N whole numbers as a profile's state
///     enginebench document FILE RUNS    a JSON document: parsed, and compared with one that differs in one place
@main
enum EngineBench {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count == 3, let runs = Int(arguments[2]), runs >= 1 else { usage() }
        switch arguments[0] {
        case "map":
            guard let count = Int(arguments[1]), (100...1_000_000).contains(count) else { usage() }
            map(count, runs)
        case "document": DocumentBench.run(arguments[1], runs)
        case "loaded":
            // What one loaded state keeps in memory, in a process that did nothing else before.
            print(growth { (try? ProfileState(decoding: Files.read(arguments[1]))) ?? ProfileState() })
        default: usage()
        }
    }

    private static func usage() -> Never {
        print("usage: enginebench map N RUNS | document FILE RUNS")
        exit(2)
    }

    private static func map(_ count: Int, _ runs: Int) {
        var figures = Figures()
        figures.size("rss_build_kb", growth { Replica.filled(count).state })
        figures.size("rss_load_kb", loadedGrowth(count))
        for run in 0...runs {
            if run == 1 { figures.forgetTimes() }
            Workload(count: count).run(&figures)
        }
        if count <= 1_000 { Workload.churn(&figures) }
        Workload.joins(&figures)
        figures.print()
    }

    /// How much memory stays in use while what `make` returns lives, in KiB.
    private static func growth(_ make: () -> ProfileState) -> Int {
        // Whatever is set up once is not the state's.
        _ = Replica.filled(100).state.atomCount
        let before = resident()
        let state = make()
        let after = resident()
        guard state.atomCount > 0 else { return -1 }
        return after - before
    }

    private static func loadedGrowth(_ count: Int) -> Int {
        var template = Array("/tmp/enginebench-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { return -1 }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { unlink(path) }
        Files.writeDurably(descriptor, Replica.filled(count).state.encoded)
        guard let child = popen("/proc/\(getpid())/exe loaded \(path) 1", "r") else { return -1 }
        defer { pclose(child) }
        var line = [CChar](repeating: 0, count: 64)
        guard fgets(&line, 64, child) != nil else { return -1 }
        return Int(String(decoding: line.prefix { $0 > 32 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)) ?? -1
    }

    private static func resident() -> Int {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, 256, file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if text.hasPrefix("VmRSS:") { return Int(text.filter(\.isNumber)) ?? 0 }
        }
        return 0
    }
}
