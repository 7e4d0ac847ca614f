import Glibc

/// Seconds of a clock that nobody sets.
func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// What was measured, printed as one line of JSON.
struct Figures {
    private var times: [String: [Double]] = [:]
    private var sizes: [String: Int] = [:]

    mutating func time(_ name: String, _ body: () -> Void) {
        let start = seconds()
        body()
        times[name, default: []].append((seconds() - start) * 1_000)
    }

    mutating func size(_ name: String, _ value: Int) { sizes[name] = value }

    /// The first run warms up.
    mutating func forgetTimes() { times = [:] }

    func print() {
        var members: [String] = []
        for name in sizes.keys.sorted() { members.append("\"\(name)\": \(sizes[name]!)") }
        var spread = 0.0
        for name in times.keys.sorted() {
            let sorted = times[name]!.sorted()
            let median = sorted[sorted.count / 2]
            members.append("\"\(name)_ms\": \((median * 10_000).rounded() / 10_000)")
            if median > 1 { spread = max(spread, (sorted.last! - sorted.first!) / median) }
        }
        members.append("\"spread_pct\": \(Int(spread * 100))")
        Swift.print("{" + members.joined(separator: ", ") + "}")
    }
}

/// Files as the benchmark needs them.
enum Files {
    static func temporary() -> Int32 {
        var template = Array("/tmp/enginebench-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        unlink(template)
        return descriptor
    }

    static func writeDurably(_ descriptor: Int32, _ bytes: [UInt8]) {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, done) }
            guard count > 0 else { exit(1) }
            done += count
        }
        fsync(descriptor)
    }

    static func read(_ path: String) -> [UInt8] {
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        return read(descriptor)
    }

    static func read(_ descriptor: Int32) -> [UInt8] {
        let size = Int(lseek(descriptor, 0, SEEK_END))
        return [UInt8](unsafeUninitializedCapacity: max(size, 0)) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, size, 0))
        }
    }
}
