import LosslessJSON
import MergeCore

/// The difference between two documents, as a player sees it.
struct DocumentChanges {
    /// The largest number of listed places.
    private static let limit = 12
    /// The largest number of characters of a shown value.
    private static let valueLimit = 60

    let shown: [ImportReport.Change]
    let more: Int

    /// - Parameters:
    ///   - old: The document before, as JSON text; `nil` for none.
    ///   - new: The document after, as JSON text; `nil` for none.
    ///   - rules: The profile's rules.
    init(from old: [UInt8]?, to new: [UInt8]?, rules: RuleSet) {
        guard let new, let after = try? JSONDocument(parsing: new) else {
            (shown, more) = ([], 0)
            return
        }
        let before = old.flatMap { try? JSONDocument(parsing: $0) }
        let all = DocumentDiff(from: before, to: after, rules: rules).changes.compactMap(Self.line)
        let numbers = all.filter(\.isNumber) + all.filter { !$0.isNumber }
        shown = numbers.prefix(Self.limit).map(\.change)
        more = max(0, all.count - Self.limit)
    }

    private static func line(_ change: LeafChange) -> (change: ImportReport.Change, isNumber: Bool)? {
        let place = change.path.description
        switch change.change {
        case .value(let old, let new):
            var isNumber = false
            if case .number? = new { isNumber = true }
            return (.init(place: place, old: old.map(text), new: new.map(text)), isNumber)
        case .elements(let added, let removed):
            let words = [
                added.isEmpty ? "" : "\(added.count) more (\(texts(added)))",
                removed.isEmpty ? "" : "\(removed.count) fewer (\(texts(removed)))",
            ]
            return (.init(place: place, old: nil, new: words.filter { !$0.isEmpty }.joined(separator: ", ")), false)
        case .elementAppeared: return (.init(place: place, old: nil, new: "comes"), false)
        case .elementVanished: return (.init(place: place, old: "goes", new: nil), false)
        case .elementTouched, .containerVanished, .order: return nil
        }
    }

    private static func texts(_ values: [JSONValue]) -> String {
        values.prefix(3).map(text).joined(separator: ", ") + (values.count > 3 ? ", …" : "")
    }

    private static func text(_ value: JSONValue) -> String {
        let text = String(decoding: value.jsonBytes.prefix(4 * valueLimit), as: UTF8.self)
        return text.count > valueLimit ? text.prefix(valueLimit) + "…" : text
    }
}
