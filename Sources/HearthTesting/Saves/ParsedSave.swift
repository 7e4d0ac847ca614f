import LosslessJSON
import MergeCore

/// What a save holds, as the checkers look at it: its leaves, and what of it the devices share. Each is worked out once,
/// however often it is asked for.
final class ParsedSave {
    let value: JSONValue
    private let rules: RuleSet

    /// The values that merge by themselves, by place.
    private(set) lazy var leaves = SaveLeaves(of: value, rules)
    /// What every device shares of it, in one form.
    private(set) lazy var shared = SharedSave(value, rules)

    init(_ value: JSONValue, _ rules: RuleSet) { (self.value, self.rules) = (value, rules) }
}

/// The saves that were read last, by their texts: all files of a household at rest have one text, and games read what
/// others wrote.
struct ParsedSaves {
    private let rules: RuleSet
    /// The most texts that are kept.
    private let limit: Int
    /// The newest last; no save for a text that is no JSON.
    private var known: [(text: [UInt8], save: ParsedSave?)] = []

    init(_ rules: RuleSet, limit: Int) { (self.rules, self.limit) = (rules, limit) }

    /// The save in a text; `nil` where it is no JSON.
    ///
    /// - Parameter read: How the text is read.
    mutating func save(_ text: [UInt8], _ read: ([UInt8]) throws -> JSONValue) -> ParsedSave? {
        if let index = known.lastIndex(where: { $0.text == text }) { return known[index].save }
        let save = (try? read(text)).map { ParsedSave($0, rules) }
        if known.count >= limit { known.removeFirst() }
        known.append((text, save))
        return save
    }
}
