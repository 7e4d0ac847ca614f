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

    /// What would change, one line each, at most ten places.
    package static func preview(_ preview: PreviewReport) -> [String] {
        let limit = 10
        let name = PlainText.line(preview.profile)
        var lines: [String] = []
        let rest = max(0, preview.changes.count - limit) + preview.more
        if preview.changes.isEmpty, rest == 0 {
            lines.append("In \(name) nothing would change.")
        } else {
            lines.append("In \(name) this would change on every machine:")
            lines += preview.changes.prefix(limit).map { "  " + line($0) }
            if rest > 0 { lines.append("  and \(rest) more") }
        }
        if preview.movedOn > 0 {
            let verb = preview.movedOn == 1 ? "has changed again since and stays" : "have changed again since and stay"
            lines.append("  \(places(preview.movedOn)) \(verb); --force takes all of them back")
        }
        return lines
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
