package import HouseholdAgent
package import MergeCore

/// What happened lately, the newest last. Steps of one kind that the same machines made in a row are one entry.
package enum LogText {
    /// - Parameter local: Writes a time in the player's time zone: `2026-11-21 15:04`.
    package static func text(_ report: LogReport, local: (WallTime) -> String) -> String {
        var runs: [Run] = []
        for entry in report.entries.reversed() {
            if runs.last?.continues(with: entry) == true {
                runs[runs.count - 1].add(entry.step)
            } else {
                runs.append(Run(entry))
            }
        }
        guard !runs.isEmpty else { return "Nothing has happened in that time.\n" }
        var text = report.leftOut ? "There was more before; name a save or a machine, or fewer days.\n" : ""
        for run in runs { text += run.text(local) }
        return text
    }

    /// Steps in a row of one save, of one kind, by the same machines.
    private struct Run {
        private let first: LogReport.Entry
        private var last: HistoryReport
        private var count = 1
        private var changes: [ChangeReport]
        private var more: Int

        init(_ entry: LogReport.Entry) {
            (first, last) = (entry, entry.step)
            (changes, more) = (entry.step.changes, entry.step.more)
        }

        /// An act of the player stands for itself; play and what comes in are many steps.
        func continues(with entry: LogReport.Entry) -> Bool {
            ["save", "merge"].contains(entry.step.origin) && entry.id == first.id
                && entry.step.origin == last.origin && entry.step.devices == last.devices
        }

        /// Adds a later step: of a place that changed again, what it was before all of them stays.
        mutating func add(_ step: HistoryReport) {
            (last, count) = (step, count + 1)
            more = max(more, step.more)
            for change in step.changes {
                if let index = changes.firstIndex(where: { $0.place == change.place }) {
                    changes[index].new = change.new
                } else {
                    changes.append(change)
                }
            }
        }

        func text(_ local: (WallTime) -> String) -> String {
            let start = local(WallTime(milliseconds: first.step.time))
            let devices = first.step.devices.map(PlainText.line).joined(separator: ", ")
            var line = "\(start)  \(PlainText.line(first.profile))  \(devices)  \(StepWords.words(last.origin))"
            if count > 1 { line += ", \(count) times until \(end(local, after: start))" }
            let changed = changes.filter { $0.old != $0.new }
            guard !changed.isEmpty || more > 0 else { return line + "\n" }
            return "\(line)\n    \(ChangeText.line(changed, more: more))\n"
        }

        /// The time of the last step, without the day where that is the day of the first one.
        private func end(_ local: (WallTime) -> String, after start: String) -> String {
            let end = local(WallTime(milliseconds: last.time))
            return end.prefix(10) == start.prefix(10) ? String(end.suffix(5)) : end
        }
    }
}
