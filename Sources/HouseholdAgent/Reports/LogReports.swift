/// What happened lately, of all profiles together.
package struct LogReport: Codable, Hashable, Sendable {
    /// One step in the history of one profile.
    package struct Entry: Codable, Hashable, Sendable {
        /// The profile's name.
        package var profile: String
        package var id: String
        package var step: HistoryReport
    }

    /// One line of the agent's own log.
    package struct Line: Codable, Hashable, Sendable {
        /// Milliseconds since 1970.
        package var time: Int64
        /// `info`, `notice`, `warning` or `error`.
        package var level: String
        package var text: String
        /// What the line is about, such as the `device` or the `profile`.
        package var facts: [Fact]
    }

    package struct Fact: Codable, Hashable, Sendable {
        package var name: String
        package var value: String
    }

    /// The newest first.
    package var entries: [Entry]
    /// Whether older steps of that time were left out, because there are too many.
    package var leftOut: Bool
    /// The newest lines of the log since the agent started, the newest first; none where they were not asked for.
    package var lines: [Line]? = nil
}

extension HistoryReport {
    /// The step with its first places only, so that a list of many steps stays small.
    ///
    /// - Parameters:
    ///   - places: The largest number of places.
    ///   - bytes: The largest size of their values together.
    func cut(places: Int, bytes: Int) -> HistoryReport {
        var (result, size) = (self, 0)
        result.changes = Array(
            changes.prefix(places).prefix(while: { change in
                size += (change.old?.utf8.count ?? 0) + (change.new?.utf8.count ?? 0)
                return size <= bytes
            }))
        result.more += changes.count - result.changes.count
        return result
    }
}

/// The newest steps of several profiles. However many come, it keeps no more than twice as many as are wanted.
struct NewestSteps {
    private let limit: Int
    private var entries: [LogReport.Entry] = []
    private var leftOut = false

    init(limit: Int) { self.limit = limit }

    mutating func add(_ entry: LogReport.Entry) {
        entries.append(entry)
        if entries.count >= 2 * limit { trim() }
    }

    mutating func report() -> LogReport {
        trim()
        return LogReport(entries: entries, leftOut: leftOut)
    }

    private mutating func trim() {
        entries.sort { ($0.step.time, $0.id, $0.step.number) > ($1.step.time, $1.id, $1.step.number) }
        guard entries.count > limit else { return }
        entries.removeLast(entries.count - limit)
        leftOut = true
    }
}
