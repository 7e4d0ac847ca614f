import Glibc

/// Seconds of a clock that nobody sets.
func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Processor seconds of this thread: what a busy machine does not stretch.
func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// What was measured once a round, in one unit.
struct Series {
    var values: [Double] = []

    mutating func add(_ value: Double) { values.append(value) }

    /// The value below which a part (0 to 1) of the others lies.
    func quantile(_ part: Double) -> Double {
        guard !values.isEmpty else { return .nan }
        let sorted = values.sorted()
        return sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]
    }

    var median: Double { quantile(0.5) }
    var least: Double { values.min() ?? .nan }
    var most: Double { values.max() ?? .nan }
}

/// Collects what is printed: a table for people, then one line of JSON.
struct Report {
    private var json: [String] = []

    /// Decimals by size: what matters has three figures.
    static func text(_ value: Double) -> String {
        guard value.isFinite else { return "-" }
        let places = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3
        let scale = [1.0, 10, 100, 1_000][places]
        let rounded = (value * scale).rounded() / scale
        return places == 0 ? "\(Int(rounded))" : "\(rounded)"
    }

    func title(_ text: String) { Self.line("\n\(text)") }

    /// Prints at once, even into a pipe.
    static func line(_ text: String) {
        Swift.print(text)
        fflush(nil)
    }

    /// One line of the table: median, spread, and how it stands to a goal.
    mutating func add(_ name: String, _ series: Series, _ unit: String, goal: Double? = nil) {
        var line = "  " + Self.padded(name, 46) + Self.padded(Self.text(series.median) + " " + unit, 16)
        if series.values.count > 1 {
            line += Self.padded(
                "(\(Self.text(series.least)) / \(Self.text(series.quantile(0.95))) / \(Self.text(series.most)))", 28)
        } else {
            line += Self.padded("", 28)
        }
        if let goal { line += "goal ≤ \(Self.text(goal)): " + (series.median <= goal ? "met" : "MISSED") }
        while line.last == " " { line.removeLast() }
        Self.line(line)
        let key = name.map { $0.isLetter || $0.isNumber ? $0 : "_" }
        json.append(
            "\"\(String(key))\":{\"unit\":\"\(unit)\",\"rounds\":\(series.values.count),"
                + "\"min\":\(number(series.least)),\"median\":\(number(series.median)),"
                + "\"p95\":\(number(series.quantile(0.95))),\"max\":\(number(series.most))}"
        )
    }

    mutating func add(_ name: String, _ value: Double, _ unit: String, goal: Double? = nil) {
        add(name, Series(values: [value]), unit, goal: goal)
    }

    func finish() { Swift.print("\n{\(json.joined(separator: ","))}") }

    private func number(_ value: Double) -> String { value.isFinite ? "\(value)" : "null" }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
