import LosslessJSON

@testable import MergeCore

/// A document as far as devices must agree: without local values, values that a rule cannot read or that mean nothing
/// yet.
struct Agreed: Equatable {
    let value: JSONValue?

    var text: String { value?.spelled ?? "nothing" }

    init(_ value: JSONValue, _ rules: RuleSet) {
        self.value = Self.reduced(value, RuleMatcher(rules))
    }

    /// `nil` in a condition's branch would be the JSON value null.
    private static let gone = JSONValue?.none

    private static func reduced(_ value: JSONValue, _ matcher: RuleMatcher) -> JSONValue? {
        let rule = matcher.rule
        if rule.whole { return value }
        switch value {
        case .object(let members):
            let kept = members.compactMap { member in
                reduced(member.value, matcher.stepping(.member(member.key))).map {
                    JSONMember(key: member.key, value: $0)
                }
            }
            // A container with nothing but local values may be absent elsewhere.
            return kept.isEmpty && !members.isEmpty ? gone : .object(kept)
        case .array(let elements):
            if elements.isEmpty { return rule.merge == .local ? gone : value }
            if rule.takesElements { return value }
            switch matcher.arrayShape {
            case .keyed: return .array(elements.compactMap { reduced($0, matcher.stepping(.element([]))) })
            case .indexed:
                return .array(elements.enumerated().map { reduced($1, matcher.stepping(.index($0))) ?? .null })
            case .leaf: return rule.merge == .local ? gone : value
            }
        default:
            if rule.merge == .local || rule.none.contains(value) || rule.takesElements { return nil }
            if rule.isOrdered {
                // What the rule reads counts, not how it is spelled.
                guard let ordinal = Ordinal(value, as: rule.reading) else { return nil }
                if case .instant(let instant) = ordinal {
                    return .string(JSONString("\(instant.seconds) \(instant.fraction)"))
                }
                if case .number(let number) = ordinal { return .number(JSONNumber(number)) }
            }
            return value
        }
    }
}
