package import HouseholdAgent
package import MergeCore

/// The text of `hearth status`: what is fine, what is not, and what to do about it.
package struct StatusText {
    private let report: StatusReport
    private let style: Style
    private let now: WallTime
    /// The columns of the terminal; `nil` where there is none.
    private let columns: Int?
    /// What the player has to do or know, in the order in which it is printed.
    private var tasks: [String] = []
    /// How many findings about the rules of a save are shown.
    private static let findingsShown = 5
    /// How many saves are named with which a device is behind.
    private static let savesNamed = 5

    /// - Parameters:
    ///   - now: The present time.
    ///   - columns: The columns of the terminal; `nil` where there is none, so that every path is whole.
    package init(_ report: StatusReport, now: WallTime, style: Style, columns: Int? = nil) {
        self.report = report
        self.style = style
        self.now = now
        self.columns = columns
    }

    /// The whole text, with a line end.
    package mutating func text() -> String {
        tasks = []
        let head = headLines()
        let profiles = profileTable()
        var devices = ""
        if !report.household.isEmpty {
            devices = "\n" + DeviceText.table([report.device] + report.household, style, now: now)
            for device in report.household where !device.isReachable {
                devices += style(
                    .faint,
                    "  \(DeviceText.name(device)): \(PlainText.line(device.reason ?? "not seen yet"))\n"
                )
            }
        }
        tasks += (report.newcomers ?? []).map(PlainText.line)
        tasks += report.troubles.map(PlainText.line)
        return head + "\n" + profiles + devices + "\n" + verdict()
    }

    private mutating func headLines() -> String {
        let name = DeviceText.name(report.device)
        guard let port = report.port else {
            return style(.strong, name) + "  " + style(.bad, "no agent is running") + "\n"
        }
        if report.household.isEmpty {
            tasks.append("This device is alone. Run 'hearth pair' here and type the code on the other device.")
        }
        let discovery = PlainText.line(report.discovery)
        return style(.strong, name) + "  "
            + style(.faint, "the agent listens on port \(port); looking for devices: \(discovery)") + "\n"
    }

    private mutating func profileTable() -> String {
        guard !report.profiles.isEmpty else {
            tasks.append("No save is kept yet. Add one with: hearth add FILE")
            return "No saves yet.\n"
        }
        var table = TextTable(["save", "", "file"])
        var notes = ""
        for profile in report.profiles {
            let name = PlainText.line(profile.name)
            table.rows.append([
                TextTable.Cell(name, .strong), state(profile),
                TextTable.Cell(PlainText.line(profile.file ?? "none here")),
            ])
            if let trouble = profile.backupTrouble {
                tasks.append("\(name): no backup could be made: \(PlainText.line(trouble))")
            }
            for decision in profile.decisions ?? [] { tasks.append("\(name): \(Self.lines(decision))") }
            // The player has to know of a save that was set aside or a guess, so "All is well." would be wrong.
            let remarks = profile.remarks ?? profile.remark.map { [$0] } ?? []
            for (index, remark) in remarks.enumerated() {
                // A question about the save names the command itself, and its answer settles both.
                let keep = "hearth keep \(CommandWord.of(profile))"
                let isNamed = (profile.decisions ?? []).contains { $0.contains("hearth keep ") }
                let settle = isNamed || index < remarks.count - 1 ? "" : "\n      once you have read this: \(keep)"
                tasks.append("\(name): \(Self.lines(remark))" + settle)
            }
            let more = (profile.ruleFindings?.count ?? 0) - Self.findingsShown
            for finding in profile.ruleFindings?.prefix(Self.findingsShown) ?? [] {
                notes += style(.warning, "  \(name): its rules: \(PlainText.line(finding))\n")
            }
            if more > 0 { notes += style(.warning, "  \(name): its rules: and \(more) more\n") }
            // This file shows something else than the others until the player changes that.
            if let unread = UnreadWords.sentence(profile.unreadable) {
                tasks.append("\(name): \(PlainText.line(unread))")
            }
        }
        table.fit(columns)
        return table.text(style) + notes
    }

    private mutating func state(_ profile: ProfileReport) -> TextTable.Cell {
        let name = PlainText.line(profile.name)
        let reason = profile.reason.map(PlainText.line)
        switch profile.state {
        case "good":
            if let reason {
                tasks.append("\(name): \(reason)")
                return TextTable.Cell("! see below", .warning)
            }
            if profile.decisions != nil { return TextTable.Cell("? waits for you", .warning) }
            if !profile.unreadable.isEmpty { return TextTable.Cell("! see below", .warning) }
            if let game = profile.held {
                return TextTable.Cell("▶ held while \(PlainText.line(game)) runs", .strong)
            }
            if profile.pending, report.port != nil { return TextTable.Cell("… being written", .warning) }
            guard let lastSync = profile.lastSync, !report.household.isEmpty else {
                return TextTable.Cell(report.household.isEmpty ? "✓ kept here" : "· not on another device yet", .faint)
            }
            if let behind = profile.behind, report.port != nil {
                return TextTable.Cell("… \(Self.names(behind)) \(behind.count > 1 ? "are" : "is") behind")
            }
            let words = PastTime.words(WallTime(milliseconds: lastSync), now: now)
            // While a device is away, progress since the last sync may be on this device only, so this is not shown
            // as in step.
            return away.isEmpty && report.port != nil
                ? TextTable.Cell("✓ in step \(words)", .good) : TextTable.Cell("· last in step \(words)")
        case "missing":
            tasks.append("\(name): \(reason ?? "its file is gone")")
            return TextTable.Cell("! its file is gone", .warning)
        case "paused": return TextTable.Cell("· paused; hearth resume \(CommandWord.of(profile))")
        case "behind":
            tasks.append("\(name): \(reason ?? "its game here is older than the household's")")
            return TextTable.Cell("! older game here", .warning)
        case "relayed":
            return TextTable.Cell("· kept for the others; hearth restore \(CommandWord.of(profile)) --to FILE", .faint)
        default:
            tasks.append("\(name): \(reason ?? "its file cannot be read")")
            return TextTable.Cell("✗ see below", .bad)
        }
    }

    /// The names of the devices that cannot be reached.
    private var away: [String] { report.household.filter { !$0.isReachable }.map(DeviceText.name) }

    private func verdict() -> String {
        if !tasks.isEmpty {
            let head = style(.strong, tasks.count == 1 ? "One thing to know:" : "\(tasks.count) things to know:")
            return head + "\n" + tasks.map { "  - \($0)\n" }.joined() + behindText
        }
        guard !report.isWell else { return style(.good, "All is well.") + "\n" }
        var text = style(.good, "Nothing needs you.") + "\n" + behindText
        if report.profiles.contains(where: { $0.ruleFindings != nil }) {
            text += "What is said of rules above is for whoever wrote them.\n"
        }
        if !away.isEmpty {
            text += "What you play is brought over as soon as \(away.joined(separator: " and ")) can be reached.\n"
        }
        return text
    }

    /// Which devices are behind with which saves, a line for each, and where to see why.
    private var behindText: String {
        guard report.port != nil else { return "" }
        return report.savesBehind.map { device, saves in
            let more = saves.count - Self.savesNamed
            let names = Self.names(saves.prefix(Self.savesNamed).map(\.name)) + (more > 0 ? " and \(more) more" : "")
            return
                "\(PlainText.line(device)) is behind with \(names); if it stays so, 'hearth status' there says why.\n"
        }.joined()
    }

    /// The lines of a text. Each command gets its own one, so that it can be copied.
    private static func lines(_ text: String) -> String {
        text.split(separator: "\n").map { PlainText.line(String($0)) }.joined(separator: "\n      ")
    }

    private static func names(_ names: [String]) -> String {
        names.map(PlainText.line).joined(separator: ", ")
    }
}
