import MergeCore

/// The newest lines of the agent's own log, in memory: what a person looks at who wants to know what happened just now.
/// All lines, also older ones, are where the agent's log goes.
struct NewestLines {
    /// The largest number of lines.
    static let countLimit = 200
    /// The largest number of characters of a text, of which some come from other devices.
    private static let textLimit = 200

    private var lines: [LogReport.Line] = []

    /// Notes the lines among the actions of one event.
    mutating func note(_ actions: [AgentAction], at time: WallTime) {
        for case .log(let line) in actions where line.level != .debug {
            let facts = line.metadata.sorted { $0.key < $1.key }.map {
                LogReport.Fact(name: $0.key, value: cut($0.value))
            }
            lines.append(
                LogReport.Line(time: time.milliseconds, level: "\(line.level)", text: cut(line.message), facts: facts))
        }
        if lines.count > Self.countLimit { lines.removeFirst(lines.count - Self.countLimit) }
    }

    /// The lines since a time, the newest first.
    func report(since time: WallTime) -> [LogReport.Line] {
        lines.reversed().filter { $0.time >= time.milliseconds }
    }

    private func cut(_ text: String) -> String {
        text.count > Self.textLimit ? text.prefix(Self.textLimit) + "…" : text
    }
}
