package import HouseholdAgent
import LosslessJSON

/// Changes of a save in words: `/coins 300 → 480`.
package enum ChangeText {
    /// One place, with its old and new value. For two lists only the added and removed elements.
    package static func line(_ change: ChangeReport) -> String {
        let place = change.place.isEmpty ? "the whole save" : cut(PlainText.line(change.place), to: 60)
        if let members = members(change) { return "\(place) \(members)" }
        return "\(place) \(value(change.old)) → \(value(change.new))"
    }

    /// The first changes on one line: `/coins 300 → 480, /level 4 → 5 (and 12 more)`.
    package static func line(_ changes: [ChangeReport], more: Int, shown: Int = 2) -> String {
        let rest = max(0, changes.count - shown) + more
        let text = changes.prefix(shown).map { line($0) }.joined(separator: ", ")
        guard rest > 0 else { return text }
        return text.isEmpty ? places(rest) : "\(text) (and \(rest) more)"
    }

    /// The lines of a preview: each place that would change, at most ten of them. For `hearth keep` these are the places
    /// that would not count.
    package static func preview(_ preview: PreviewReport) -> [String] {
        if let keeps = preview.keeps { return kept(keeps, preview) }
        let name = PlainText.line(preview.profile)
        var lines = places(preview)
        let head = lines.isEmpty ? "nothing would change." : "this would change on every machine:"
        lines.insert("In \(name) \(head)", at: 0)
        if preview.movedOn > 0 {
            let verb = preview.movedOn == 1 ? "has changed again since and stays" : "have changed again since and stay"
            lines.append("  \(places(preview.movedOn)) \(verb); --force takes all of them back")
        }
        return lines
    }

    /// The lines of a preview of `hearth keep`: the places that would not count, and the backups that hold the saves
    /// that were set aside.
    private static func kept(_ keeps: KeptReport, _ preview: PreviewReport) -> [String] {
        let name = PlainText.line(preview.profile)
        var lines: [String] = []
        if keeps.question == .savedTwice {
            lines.append("In \(name) what both machines saved goes on to count twice, as two players' progress does.")
        } else if keeps.question != nil {
            lines = places(preview)
            lines.insert(
                lines.isEmpty
                    ? "In \(name) there is nothing to show that would not count."
                    : "In \(name) none of this would count:", at: 0)
        }
        if keeps.question == .save {
            let names = keeps.backups.map(PlainText.line).joined(separator: ", ")
            switch keeps.backups.count {
            case 0: lines.append("No backup could be made of the save that was set aside.")
            case 1: lines.append("The save that was set aside is among the backups: \(names)")
            default: lines.append("The saves that were set aside are among the backups: \(names)")
            }
            if let last = keeps.backups.last {
                lines.append("Newer backups take its place in time. To keep it: \(pin(last, of: preview.profile))")
            }
        }
        if keeps.staysApart { lines.append("\(name) stays a save of its own, on every machine.") }
        return lines
    }

    /// The command that pins a backup.
    private static func pin(_ backup: String, of profile: String) -> String {
        "hearth backups \(CommandWord.of(PlainText.line(profile))) --pin \(PlainText.line(backup))"
    }

    private static func places(_ preview: PreviewReport) -> [String] { places(preview.changes, more: preview.more) }

    /// Changes, one line each, at most ten, and how many more there are.
    static func places(_ changes: [ChangeReport], more: Int) -> [String] {
        let limit = 10
        let rest = max(0, changes.count - limit) + more
        let lines = changes.prefix(limit).map { "  " + line($0) }
        return rest > 0 ? lines + ["  and \(rest) more"] : lines
    }

    private static func places(_ count: Int) -> String { "\(count) \(count == 1 ? "place" : "places")" }

    /// A value on one line, cut to 40 characters.
    private static func value(_ json: String?) -> String {
        json.map { cut(PlainText.line($0), to: 40) } ?? "nothing"
    }

    private static func cut(_ text: String, to limit: Int) -> String {
        text.count <= limit ? text : text.prefix(limit - 1) + "…"
    }

    /// The elements that two lists gained and lost; `nil` where one is no list, or only the order differs.
    private static func members(_ change: ChangeReport) -> String? {
        guard let old = list(change.old ?? "[]"), let new = list(change.new ?? "[]"),
            change.old != nil || change.new != nil
        else { return nil }
        let (came, went) = (new.filter { !Set(old).contains($0) }, old.filter { !Set(new).contains($0) })
        func words(_ verb: String, _ values: [JSONValue]) -> String? {
            guard !values.isEmpty else { return nil }
            let shown = values.prefix(3).map { value(String(decoding: $0.jsonBytes, as: UTF8.self)) }.joined(
                separator: ", "
            )
            return "\(verb) \(shown)" + (values.count > 3 ? " and \(values.count - 3) more" : "")
        }
        let parts = [words("gets", came), words("loses", went)].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private static func list(_ json: String) -> [JSONValue]? {
        guard json.hasPrefix("["), let value = try? JSONValue(parsing: Array(json.utf8)),
            case .array(let elements) = value
        else { return nil }
        return elements
    }
}
