#if canImport(Glibc)
import Glibc

// `comm` is cut at 15 bytes, so names come from the executable's link and the command line.
extension SystemProcesses {
    static func processes() -> [Found] {
        guard let folder = opendir("/proc") else { return [] }
        defer { closedir(folder) }
        let own = executable("self")
        var result: [Found] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            guard Int32(name) != nil else { continue }
            let program = executable(name)
            guard program == nil || program != own else { continue }
            let words = words(name)
            guard program != nil || !words.isEmpty else { continue }
            result.append(Found(words: [program].compactMap(\.self) + words) { isOurs(name) ? start(name) : nil })
        }
        return result
    }

    /// Whether this user runs it.
    private static func isOurs(_ process: String) -> Bool {
        let lines = read("/proc/\(process)/status").split(separator: UInt8(ascii: "\n"))
        guard let line = lines.first(where: { $0.starts(with: "Uid:\t".utf8) }) else { return false }
        let fields = line.dropFirst(5).split(separator: UInt8(ascii: "\t"))
        return fields.first.flatMap { UInt32(String(decoding: $0, as: UTF8.self)) } == getuid()
    }

    private static func executable(_ process: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = readlink("/proc/\(process)/exe", &buffer, buffer.count)
        guard count > 0 else { return nil }
        let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // What an update has replaced while it runs.
        let gone = " (deleted)"
        return path.hasSuffix(gone) ? String(path.dropLast(gone.count)) : path
    }

    private static func words(_ process: String) -> [String] {
        read("/proc/\(process)/cmdline").split(separator: 0, maxSplits: wordLimit, omittingEmptySubsequences: false)
            .prefix(wordLimit).map { String(decoding: $0, as: UTF8.self) }.filter { !$0.isEmpty }
    }

    /// The 22nd field of `stat`: ticks of the clock that also counts a suspended machine's time.
    private static func start(_ process: String) -> Int64? {
        let fields = read("/proc/\(process)/stat")
        // The second field is the name in parentheses, and may hold anything.
        guard let end = fields.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let rest = fields[fields.index(after: end)...].split(separator: UInt8(ascii: " "))
        let perSecond = Int64(sysconf(Int32(_SC_CLK_TCK)))
        guard rest.count > 19, perSecond > 0, let ticks = Int64(String(decoding: rest[19], as: UTF8.self)) else {
            return nil
        }
        let (sinceBoot, overflow) = ticks.multipliedReportingOverflow(by: 1_000)
        guard !overflow else { return nil }
        let age = milliseconds(CLOCK_BOOTTIME) - sinceBoot / perSecond
        return milliseconds(CLOCK_REALTIME) - max(0, age)
    }

    private static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// The first 4 KiB of a file of the kernel's.
    private static func read(_ path: String) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = Glibc.read(file, &buffer, buffer.count)
        return count > 0 ? Array(buffer[..<count]) : []
    }
}
#endif
