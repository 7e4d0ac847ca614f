import MergeCore

/// The programs that play profiles, by the device's configuration, and which of them run.
struct GameProcesses {
    /// Milliseconds between two looks.
    static let interval: Int64 = 2_000
    /// Milliseconds before a process's start in which a projection may not have been done yet when it read the file: a
    /// projection is dated by its beginning, and slow disks take their time.
    static let margin: Int64 = 2_000

    /// What was found at a look. `line` is a profile's name or id, as the configuration has it.
    enum Change {
        case runs(line: String, program: String)
        case ended(line: String, program: String, readAfter: Int64)
    }

    /// The program's name, by profile name or id.
    private var lines: [String: String]
    /// Since when the programs of lines run.
    private var running: [String: Int64] = [:]
    /// When to look again.
    private(set) var next: Int64?

    init(lines: [String: String]) { self.lines = lines }

    /// The device's configuration was read anew.
    mutating func configure(_ lines: [String: String]) -> [Change] {
        let changed = running.keys.sorted().filter { lines[$0] != self.lines[$0] }
        let ended = changed.compactMap { end($0) }
        self.lines = lines
        return ended
    }

    /// Finds out which of the programs run.
    mutating func look(_ table: any ProcessTable, now: Int64) -> [Change] {
        next = lines.isEmpty ? nil : now + Self.interval
        guard !lines.isEmpty else { return [] }
        let starts = table.starts(of: Set(lines.values))
        var changes: [Change] = []
        for (line, program) in lines.sorted(by: { $0.key < $1.key }) {
            let start = starts[program].map { min($0, now) }
            guard start != running[line] else { continue }
            if let ended = end(line) { changes.append(ended) }
            guard let start else { continue }
            running[line] = start
            changes.append(.runs(line: line, program: program))
        }
        return changes
    }

    private mutating func end(_ line: String) -> Change? {
        guard let start = running.removeValue(forKey: line) else { return nil }
        return .ended(line: line, program: lines[line] ?? "", readAfter: Self.readAfter(start: start))
    }

    /// Whether a look could change what is done with the file of a profile that some lines mean.
    func isConfigured(_ means: (String) -> Bool) -> Bool { lines.keys.contains(where: means) }

    /// The program that runs, of a profile that some lines mean.
    func program(_ means: (String) -> Bool) -> String? {
        running.keys.sorted().first(where: means).map { lines[$0] ?? $0 }
    }

    /// What the programs that run have read: this, or what came later.
    func reads(_ means: (String) -> Bool) -> [Int64] {
        running.filter { means($0.key) }.map { Self.readAfter(start: $0.value) }
    }

    /// What a process that started at a time has read: this, or what came later.
    static func readAfter(start: Int64) -> Int64 {
        let (time, overflow) = start.subtractingReportingOverflow(margin)
        return overflow ? .min : time
    }
}
