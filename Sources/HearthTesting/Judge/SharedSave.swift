import LosslessJSON
import MergeCore

/// The part of a save that every device shares, in one form: without what is a device's own or waits for a decision, and
/// with sets in a fixed order.
struct SharedSave: Hashable {
    let value: JSONValue?

    init(_ save: JSONValue?, _ rules: RuleSet) {
        value = save.flatMap { Self.shared($0, RulePosition(rules)) }
    }

    private static func shared(_ value: JSONValue, _ position: RulePosition) -> JSONValue? {
        let rule = position.rule
        guard rule.merge != .local, rule.merge != .choice else { return nil }
        switch value {
        case .object(let members) where !rule.isWhole:
            let kept = members.compactMap { member in
                shared(member.value, position.stepping(.member(member.key)))
                    .map { JSONMember(key: member.key, value: $0) }
            }
            // What holds only what is a device's own may be missing on another one, or be empty there.
            return kept.isEmpty && (!members.isEmpty || position.mayHoldOwn) ? nil : .object(kept)
        case .array(let elements):
            if rule.isOfElements { return .array(sorted(elements)) }
            let parts = SaveLeaf.parts(of: value, position)
            guard !parts.isEmpty else { return value }
            let kept = parts.compactMap { shared($0.value, position.stepping($0.path)) }
            return .array(position.lists == .numbered ? kept : sorted(kept))
        default: return value
        }
    }

    private static func sorted(_ elements: [JSONValue]) -> [JSONValue] {
        elements.map { ($0, $0.canonicalBytes) }.sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
    }
}
