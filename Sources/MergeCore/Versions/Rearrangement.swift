import LosslessJSON

/// A document with the values of one document and the text of another. Members stay where they were, equal values keep
/// their spelling, and only the differences are new.
struct Rearrangement {
    /// The text; `nil` if it would have other values than wanted. No pair of documents is known for which that happens.
    private(set) var text: [UInt8]?

    private var edits: [JSONEdit] = []
    private var pieces: [(range: Range<Int>, text: [UInt8])] = []
    private let values: JSONDocument

    /// - Parameters:
    ///   - values: The document whose values the text gets.
    ///   - model: The document whose text it follows.
    /// - Complexity: O(depth · (values + model)).
    init(_ values: JSONDocument, like model: JSONDocument) {
        self.values = values
        // First members are removed and added, with null for a new value. Then the texts of the values are put in.
        compare(model, model.root, values.root)
        guard let first = try? JSONDocument(parsing: model.patched(edits)) else { return }
        pieces = []
        compare(first, first.root, values.root)
        var bytes: [UInt8] = []
        var position = 0
        for piece in pieces.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            bytes += first.bytes[position..<piece.range.lowerBound] + piece.text
            position = piece.range.upperBound
        }
        bytes += first.bytes[position...]
        guard let result = try? JSONDocument(parsing: bytes), result.sameValue(result.root, as: values.root, in: values)
        else { return }
        text = bytes
    }

    private mutating func compare(_ model: JSONDocument, _ old: JSONNode, _ new: JSONNode) {
        if model.sameText(old, as: new, in: values) { return }
        switch (model.kind(old), values.kind(new)) {
        case (.object, .object):
            var news = values.membersByKey(new)
            for (key, member) in model.members(old) {
                if let value = news.removeValue(forKey: key) {
                    compare(model, member, value)
                } else {
                    edits.append(.remove(member))
                }
            }
            for (key, _) in values.members(new) where news[key] != nil {
                edits.append(.insertMember(into: old, key: key, .null))
            }
        case (.array, .array) where model.count(old) == values.count(new):
            var news = values.elements(new)
            for element in model.elements(old) {
                if let value = news.next() { compare(model, element, value) }
            }
        default:
            if model.sameValue(old, as: new, in: values) { return }
            pieces.append((model.range(old), Array(values.text(new))))
        }
    }
}
