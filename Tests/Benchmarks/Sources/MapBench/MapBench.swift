import Glibc
import LosslessJSON
import MergeCore

/// A flat map of N whole numbers as a profile's state: what CRDT engines are compared by.
///
///     mapbench N RUNS            times in ms (medians), sizes in bytes; the last line is JSON
///
/// The steps and the names of the figures are those of the usual comparison: build, save, load, one changed leaf,
/// two replicas that each changed another tenth, 20,000 rewrites of one leaf.
@main
enum MapBench {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        guard arguments.count >= 2, arguments[0] >= 100, arguments[1] >= 1 else {
            print("usage: mapbench N RUNS")
            exit(2)
        }
        let (count, runs) = (arguments[0], arguments[1])
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
        // In a child, so that the memory that building left behind does not count as room.
        var template = Array("/tmp/mapbench-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { return -1 }
        defer { unlink(template) }
        if fork() == 0 {
            let bytes = Replica.filled(count).state.encoded
            _exit(write(descriptor, bytes, bytes.count) == bytes.count ? 0 : 1)
        }
        var status: Int32 = 0
        wait(&status)
        var pipes: [Int32] = [0, 0]
        guard status == 0, pipe(&pipes) == 0 else { return -1 }
        if fork() == 0 {
            var result = growth { (try? ProfileState(decoding: Files.read(descriptor))) ?? ProfileState() }
            write(pipes[1], &result, 8)
            _exit(0)
        }
        wait(&status)
        var result = -1
        read(pipes[0], &result, 8)
        return result
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
