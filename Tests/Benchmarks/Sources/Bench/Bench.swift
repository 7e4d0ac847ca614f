import Glibc

/// The entry: reads the arguments, runs what is asked for, prints one report.
@main
enum Bench {
    static func main() {
        signal(SIGPIPE, SIG_IGN)
        let arguments = Array(CommandLine.arguments.dropFirst())
        let isQuick = arguments.contains("--quick")
        guard let place = arguments.firstIndex(of: "--hearth"), place + 1 < arguments.count else {
            print("usage: run [--quick] [--only save|leaf|idle|core]")
            exit(2)
        }
        let only = arguments.firstIndex(of: "--only").flatMap { $0 + 1 < arguments.count ? arguments[$0 + 1] : nil }
        var template = Array("\(environment("TMPDIR") ?? "/tmp")/hearth-bench-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            print("no temporary folder could be made")
            exit(1)
        }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        do {
            try run(arguments[place + 1], folder, isQuick: isQuick, only: only)
            if arguments.contains("--keep") { print(folder) } else { Agent.removeAll(folder) }
        } catch {
            print("\(error)\n(the agents' logs are in \(folder))")
            exit(1)
        }
    }

    private static func run(_ hearth: String, _ folder: String, isQuick: Bool, only: String?) throws {
        var report = Report()
        print("Machine: \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) cores, load \(load); files in \(folder)")
        print("Columns: median (least / 95 of 100 / most)")
        if only == nil || only == "core" { try CoreBenchmark.run(&report, rounds: isQuick ? 5 : 15) }
        if only == nil || only == "save" {
            try SaveBenchmark.run(&report, folder: folder + "/save", hearth: hearth, rounds: isQuick ? 30 : 120)
        }
        if only == nil || only == "leaf" {
            try LeafBenchmark.run(&report, folder: folder + "/leaf", hearth: hearth, rounds: isQuick ? 15 : 100)
        }
        if only == nil || only == "idle" {
            try IdleBenchmark.run(&report, folder: folder + "/idle", hearth: hearth, length: isQuick ? 15 : 60)
        }
        print("\nLoad at the end: \(load)")
        report.finish()
    }

    private static var load: String { Files.text("/proc/loadavg").split(separator: " ").first.map(String.init) ?? "?" }

    private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
