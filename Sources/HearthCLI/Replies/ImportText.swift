import HouseholdAgent

enum ImportText {
    static func summary(_ report: ImportReport) -> String {
        let name = PlainText.line(report.profile)
        let from = report.device.map { " from \(PlainText.line($0))" } ?? ""
        var text: String
        switch (report.isDryRun, report.changes.isEmpty) {
        case (_, true) where !report.isNew:
            let why = report.note == nil ? ": \(name) has it all" : " that \(name) takes"
            text = "There is nothing new in the file\(why).\n"
        case (true, _): text = report.isNew ? "\(name)\(from) would come:\n" : "\(name) would change:\n"
        case (false, _): text = report.isNew ? "\(name)\(from) is here:\n" : "\(name) was merged:\n"
        }
        text += changes(report)
        if !text.hasSuffix("\n") { text += "\n" }
        if report.isDryRun, let question = question(report) { text += "Importing it asks first: \(question)\n" }
        if !report.isDryRun, report.file == nil {
            text += "It is kept here; to play it: hearth restore \(CommandWord.of(report)) --to FILE\n"
        }
        return text
    }

    /// The changes, one line for each place, without a line end after the last.
    static func changes(_ report: ImportReport) -> String {
        var lines = report.changes.map { change -> String in
            let place = PlainText.line(change.place)
            switch (change.old, change.new) {
            case (let old?, let new?): return "  \(place): \(PlainText.line(old)) → \(PlainText.line(new))"
            case (nil, let new?): return "  \(place): \(PlainText.line(new))"
            case (let old?, nil): return "  \(place): \(PlainText.line(old)) goes"
            case (nil, nil): return "  \(place)"
            }
        }
        if report.more > 0 { lines.append("  and \(report.more) more") }
        return lines.joined(separator: "\n")
    }

    /// The question before importing a file of a device that is not in the household; `nil` for any other file.
    static func question(_ report: ImportReport) -> String? {
        let exporter =
            "“\(PlainText.line(report.device ?? "somebody"))”, which exported \(PlainText.line(report.profile)), was "
        switch report.source {
        case .member, .document: return nil
        case .removedMember:
            return exporter + "removed from this household, or wrote in a save before that came here. "
                + "Import what it wrote all the same?"
        case .unknownSigner:
            let act = report.isNew ? "Import it as a copy" : "Merge it into the save that is here as a copy"
            return exporter + "never in this household. \(act), without its history? "
                + "(If that machine is yours, pair the two first, so that nothing counts twice.)"
        }
    }
}
