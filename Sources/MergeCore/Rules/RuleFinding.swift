public import LosslessJSON

/// A doubt about a rule that comes from comparing it with a document. It is no error: a save may get the missing field
/// later.
public struct RuleFinding: Hashable, Sendable, CustomStringConvertible {
    /// The rule's index in ``RuleSet/entries``.
    public let rule: Int
    /// One sentence without a full stop: what is odd, and what was probably meant, where that is known.
    public let message: String
    /// Whether the rule was compared with the whole document. If not, a place may match it all the same.
    public let isCertain: Bool
    /// Whether no place matches the rule, and none has a name like it.
    package let isOfNoPlace: Bool

    init(rule: Int, message: String, isCertain: Bool, isOfNoPlace: Bool = false) {
        (self.rule, self.message, self.isCertain, self.isOfNoPlace) = (rule, message, isCertain, isOfNoPlace)
    }

    /// ``message``, without ``rule``: the code that shows it knows the rule.
    public var description: String { message }
}

extension RuleSet {
    /// The rules that match no place of a document, the rules that cannot read the value at a place they match, those that
    /// compare by a member that no value has, and those whose `**` stops at a list, in the order of the rules. An empty
    /// container gives no finding, because its later content is not known.
    ///
    /// Rules that are names alone are compared first, because they cost little. The other rules share what is left of
    /// `limit`; a rule that needs less than its share leaves the rest to those after it. A rule for which its share is
    /// not enough, and that matched no place until then, gives a finding that is not certain.
    ///
    /// - Parameter limit: How many values all rules together may look at, besides the few that each rule may look at in
    ///   any case. It bounds the time, whatever the rules and the document are.
    public func findings(in document: JSONDocument, lookingAt limit: Int = 500_000) -> [RuleFinding] {
        var search = RuleSearch(document, self, limit: limit)
        var found: [RuleFinding] = []
        var order = entries.indices.filter { entries[$0].pattern.isLiteral }
        order += entries.indices.filter { !entries[$0].pattern.isLiteral }
        for (number, index) in order.enumerated() {
            let entry = entries[index]
            switch search.look(for: entry, rulesLeft: order.count - number) {
            case .fits: break
            case .nowhere(let near):
                let message = nowhere(entry.pattern, near)
                found.append(RuleFinding(rule: index, message: message, isCertain: true, isOfNoPlace: near == nil))
            case .unreadable(let place, let reason):
                let message = (place.isEmpty ? "\"\"" : place) + ": \(reason)"
                found.append(RuleFinding(rule: index, message: message, isCertain: true))
            case .unreached(let list, let inside):
                let message =
                    "\(entry.pattern) does not reach into the list at \(list), since ** with steps after it goes through "
                    + "objects only; for the elements write \(inside), for the list as one value \(list): latest"
                found.append(RuleFinding(rule: index, message: message, isCertain: true))
            case .notCompared:
                let message = "\(entry.pattern) was not compared with the whole save, which has too many places"
                found.append(RuleFinding(rule: index, message: message, isCertain: false))
            }
        }
        return found.sorted { $0.rule < $1.rule }
    }

    private func nowhere(_ pattern: RulePattern, _ near: String?) -> String {
        if pattern.description == "/" {
            return #"no place matches "/", which is the member with an empty name; the whole document is """#
        }
        return "no place matches \(pattern)" + (near.map { "; did you mean \($0)?" } ?? "")
    }
}
