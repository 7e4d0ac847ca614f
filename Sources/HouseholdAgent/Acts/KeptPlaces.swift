import LosslessJSON
import MergeCore
import ProfileKeeping

/// The places that keep their values because an act of the player is not done.
struct KeptPlaces {
    /// `/best stays 90, /coins stays 500 and 3 more places stay`; `nil` if the act would have changed nothing.
    let words: String?

    /// - Parameter entry: The changes that the act would have made.
    init(_ entry: HistoryEntry) {
        // Places that the household holds come first; a place that only the act would have filled is of little
        // interest.
        let changes = entry.changes.filter { $0.old != nil } + entry.changes.filter { $0.old == nil }
        let shown = changes.prefix(SaveQuestion.shown).map { "\($0.path) stays \(Self.text($0.old))" }
        let more = changes.count - shown.count + entry.more
        let rest = more == 0 ? "" : " and \(more) more \(more == 1 ? "place stays" : "places stay")"
        words = shown.isEmpty ? nil : shown.joined(separator: ", ") + rest
    }

    private static func text(_ value: JSONValue?) -> String {
        guard let value else { return "empty" }
        let text = String(decoding: value.jsonBytes, as: UTF8.self)
        return text.count > 40 ? text.prefix(39) + "…" : text
    }
}
