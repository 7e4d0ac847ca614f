import Glibc

/// What the kernel tells about a process.
enum Kernel {
    struct Usage {
        var seconds: Double
        var switches: Int
    }

    /// A number of `/proc/PID/status`: KiB for memory.
    static func status(_ pid: Int32, _ name: String) -> Int { number(name, in: Files.text("/proc/\(pid)/status")) }

    /// Processor time and wake-ups (voluntary context switches) of all its threads together.
    static func usage(_ pid: Int32) -> Usage {
        var usage = Usage(seconds: 0, switches: 0)
        guard let folder = opendir("/proc/\(pid)/task") else { return usage }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard Int(name) != nil else { continue }
            let times = Files.text("/proc/\(pid)/task/\(name)/schedstat").split(separator: " ")
            usage.seconds += (times.first.flatMap { Double($0) } ?? 0) / 1e9
            usage.switches += number("voluntary_ctxt_switches", in: Files.text("/proc/\(pid)/task/\(name)/status"))
        }
        return usage
    }

    private static func number(_ name: String, in text: String) -> Int {
        for line in text.split(separator: "\n") where line.hasPrefix(name + ":") {
            return Int(line.dropFirst(name.count + 1).filter(\.isNumber)) ?? 0
        }
        return 0
    }
}
