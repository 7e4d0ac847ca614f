/// Something that is not as the laws say.
package struct Finding: Sendable, CustomStringConvertible {
    package enum Law: String, Sendable {
        /// One writer: every file holds what it wrote.
        case oneWriter = "L1"
        /// Several writers: the value of the rule, and nothing else moves.
        case manyWriters = "L2"
        /// What is said is true.
        case words = "L3"
    }

    package var law: Law
    /// What went wrong, in a word or two that group findings.
    package var kind: String
    package var rule: String
    package var place: String
    package var expected: String
    package var found: String

    package init(
        _ law: Law,
        _ kind: String,
        rule: String = "",
        place: String = "",
        expected: String = "",
        found: String = ""
    ) {
        (self.law, self.kind, self.rule, self.place) = (law, kind, rule, place)
        (self.expected, self.found) = (expected, found)
    }

    /// What groups findings of one cause.
    package var signature: String {
        let merge = rule.hasPrefix("{merge: ") ? rule.dropFirst("{merge: ".count).prefix { $0.isLetter } : rule[...]
        return "\(law.rawValue) \(kind) (\(merge))"
    }

    package var description: String {
        "\(law.rawValue) \(kind) at \(place.isEmpty ? "the whole document" : place) (\(rule)): "
            + "expected \(expected), found \(found)"
    }
}
