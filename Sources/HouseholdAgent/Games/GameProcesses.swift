import MergeCore

/// The programs that play profiles, according to the device's configuration, and which of them run.
struct GameProcesses {
    /// The time between two looks at the processes.
    static let interval = Duration.seconds(2)
    /// A margin before a process's start. A projection is dated by its beginning, and a slow disk may
    /// finish it later. So a process may still have read the content from before a projection that began this long
    /// before its start.
    static let margin = Duration.seconds(2)

    /// A change that a look has found. `line` is a profile's name or id, as the configuration has it.
    enum Change {
        case runs(line: String, program: String)
        case ended(line: String, program: String, readAfter: MonotonicTime)
    }

    /// The name of the program for each profile's name or id, as configured.
    private var lines: [String: String]
    /// The start of each running program, by configuration line.
    private var running: [String: MonotonicTime] = [:]
    /// The time of the next look.
    private(set) var next: MonotonicTime?

    init(lines: [String: String]) { self.lines = lines }

    /// Takes the changed configuration. Returns the programs that no longer count as running.
    mutating func configure(_ lines: [String: String]) -> [Change] {
        let changed = running.keys.sorted().filter { lines[$0] != self.lines[$0] }
        let ended = changed.compactMap { end($0) }
        self.lines = lines
        return ended
    }

    /// Checks which of the programs run, and returns the changes.
    mutating func look(_ table: any ProcessTable, now: MonotonicTime) -> [Change] {
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

    /// Whether a program is configured for a profile, so that a look could change what may be done with its file.
    func isConfigured(_ means: (String) -> Bool) -> Bool { lines.keys.contains(where: means) }

    /// The running program of a profile; `nil` where none runs.
    func program(_ means: (String) -> Bool) -> String? {
        running.keys.sorted().first(where: means).map { lines[$0] ?? $0 }
    }

    /// For each running program of a profile: a time at which the program had not read the file yet, so it read the
    /// content of that time or a later one.
    func reads(_ means: (String) -> Bool) -> [MonotonicTime] {
        running.filter { means($0.key) }.map { Self.readAfter(start: $0.value) }
    }

    /// For a process that started at `start`: a time at which it had not read the file yet, so it read the content of
    /// that time or a later one.
    static func readAfter(start: MonotonicTime) -> MonotonicTime { start - margin }
}
